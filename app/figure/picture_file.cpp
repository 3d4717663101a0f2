#include "app/figure/picture_file.h"

#include <stdexcept>

#include "app/figure/html_writer.h"

namespace lab {
namespace {

HtmlOptions page_options(const FigureOptions& figure, const WriteOptions& writing) {
  HtmlOptions page;
  page.title = figure.title;
  page.stage = figure.stage;
  page.head = figure.head;
  page.palette = figure.palette;
  page.range_rule = figure.range_rule;
  page.range = figure.range;
  page.annotate = figure.annotate;
  page.decimals = figure.decimals;
  page.significant = figure.significant;
  page.theme = figure.dark ? PageTheme::kDark : PageTheme::kAutomatic;
  page.session = writing.session;
  return page;
}

bool is_of_one_state_in_maps(FigureKind kind) {
  return kind == FigureKind::kMap || kind == FigureKind::kHeads || kind == FigureKind::kPipeline;
}

Expected<std::string> bytes_of(const Document& document, const attention::Trace& trace,
                               const FigureOptions& options, const FigureFormat& format,
                               const WriteOptions& writing, const KeptState* kept) {
  if (format.write != nullptr)
    return format.write(stage_figure(document, trace, options, kept), writing);
  if (!is_of_one_state_in_maps(options.kind))
    return fail(ErrorKind::kUsage, "a page (.html) shows the maps of one state; choose a picture");
  return write_html(document, trace, page_options(options, writing));
}

}  // namespace

Expected<std::string> picture_file(const Document& document, const attention::Trace& trace,
                                   const FigureOptions& options, const FigureFormat& format,
                                   const WriteOptions& writing, const KeptState* kept) try {
  return bytes_of(document, trace, options, format, writing, kept);
} catch (const std::out_of_range& problem) {
  return fail(ErrorKind::kUsage, problem.what());
}

}  // namespace lab
