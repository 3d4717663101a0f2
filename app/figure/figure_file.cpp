#include "app/figure/figure_file.h"

#include <stdexcept>

namespace lab::figure {

Expected<std::string> figure_file(const Document& document, const attention::Trace& trace,
                                  const FigureOptions& options, const FigureFormat& format,
                                  const WriteOptions& writing, const Snapshot* kept) try {
  if (format.write_page != nullptr)
    return format.write_page({document, trace, options, kept}, writing);
  return format.write(stage_figure(document, trace, options, kept), writing);
} catch (const std::out_of_range& problem) {
  return fail(ErrorKind::kUsage, problem.what());
}

}  // namespace lab::figure
