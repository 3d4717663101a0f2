#include "app/figure/figure_file.h"

#include <stdexcept>

#include "app/figure/compose/shown_tokens.h"

namespace lab::figure {

Expected<std::string> figure_file(const Document& document, const attention::Trace& trace,
                                  const FigureOptions& options, const FigureFormat& format,
                                  const WriteOptions& writing, const Snapshot* kept) try {
  if (format.write_page != nullptr) {
    const RenamedTokens renamed(document, options, kept);
    return format.write_page({renamed.document(), trace, options, renamed.kept()}, writing);
  }
  return format.write(stage_figure(document, trace, options, kept), writing);
} catch (const std::out_of_range& problem) {
  return fail(ErrorKind::kUsage, problem.what());
}

}  // namespace lab::figure
