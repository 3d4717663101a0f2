#include "app/figure/html/html_figure.h"

#include "app/base/byte_text.h"
#include "app/figure/compose/stage_figure.h"
#include "app/figure/html/html_text.h"
#include "app/figure/svg/svg_writer.h"

namespace lab::figure {
namespace {

Expected<std::string> image_element(const FigureSource& source, bool dark) {
  FigureOptions options = source.options;
  options.dark = dark;
  options.transparent = true;
  options.width_mm *= kOnScreen, options.font_size *= kOnScreen;
  if (options.height_mm) *options.height_mm *= kOnScreen;
  const Figure figure = stage_figure(source.document, source.trace, options, source.kept);
  auto svg = write_svg(figure, {});
  if (!svg) return svg;
  return "<img id=\"figure-" + std::string(dark ? "dark" : "light") + "\" alt=\"" +
         escaped_html(figure.title) + "\" src=\"data:image/svg+xml;base64," + base64(*svg) + "\"" +
         (dark ? " hidden>" : ">");
}

}  // namespace

Expected<std::string> page_figure(const FigureSource& source) {
  const FigureKind kind = source.options.kind;
  if (kind != FigureKind::kLines && kind != FigureKind::kArithmetic) return std::string();
  auto light = image_element(source, false);
  if (!light) return light;
  auto dark = image_element(source, true);
  if (!dark) return dark;
  return "<div class=\"card figure\">" + *light + *dark + "</div>\n";
}

}  // namespace lab::figure
