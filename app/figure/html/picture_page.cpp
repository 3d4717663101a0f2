#include "app/figure/model/model_figure.h"

#include "app/base/byte_text.h"
#include "app/embedded_session/session_formats.h"
#include "app/figure/figure_writers.h"
#include "app/figure/html/html_parts.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

constexpr std::string_view kLightColours =
    "--page:#f4f5f7;--card:#ffffff;--line:#d5dae1;--text:#1b1f24;--dim:#5a6675;color-scheme:light";
constexpr std::string_view kDarkColours =
    "--page:#15181d;--card:#1d2127;--line:#3a424d;--text:#e6e9ee;--dim:#a3adba;color-scheme:dark";
constexpr std::string_view kLayout = R"(
html{background:var(--page)}
body{margin:0 auto;max-width:1500px;padding:16px clamp(10px,2.5vw,28px);color:var(--text);
font:15px/1.45 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
h1{margin:0;font-size:1.35rem;line-height:1.25}
h1,p,td{overflow-wrap:anywhere}
p{margin:4px 0 12px;color:var(--dim)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px;
margin:0 0 12px;overflow:auto}
img{display:block;width:100%;height:auto;max-width:max-content}
summary{cursor:pointer;width:max-content}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin-top:8px}
th,td{border:1px solid var(--line);padding:2px 8px;text-align:left}
)";
std::string style_of(bool dark) {
  const auto colours = [](std::string_view of) { return ":root{" + std::string(of) + "}"; };
  if (dark) return colours(kDarkColours) + std::string(kLayout);
  return colours(kLightColours) + "\n@media (prefers-color-scheme:dark){" + colours(kDarkColours) +
         "}" + std::string(kLayout);
}

// The figure without its title, which is the page's.
Expected<std::string> picture_address(const ModelFigure& figure, FigureOptions options, bool dark) {
  options.dark = dark;
  options.transparent = true;
  options.title = "";
  options.width_mm *= kOnScreen, options.font_size *= kOnScreen;
  if (options.height_mm) *options.height_mm *= kOnScreen;
  auto svg = write_svg(model_figure(figure, options), {});
  if (!svg) return svg;
  return "data:image/svg+xml;base64," + base64(*svg);
}

Expected<std::string> picture(const ModelFigure& figure, const FigureOptions& options,
                              const std::string& title) {
  auto shown = picture_address(figure, options, options.dark);
  if (!shown) return shown;
  std::string source;
  if (!options.dark) {
    auto dark = picture_address(figure, options, true);
    if (!dark) return dark;
    source = "<source media=\"(prefers-color-scheme: dark)\" srcset=\"" + *dark + "\">";
  }
  return "<picture>" + source + "<img alt=\"" + title + "\" src=\"" + *shown + "\"></picture>\n";
}

std::string table_line(const std::vector<std::string>& cells, const std::string& element) {
  std::string line = "<tr>";
  for (const std::string& cell : cells)
    line.append("<" + element + ">").append(escaped_html(cell)).append("</" + element + ">");
  return line + "</tr>\n";
}

std::string table_element(const ModelTable& table) {
  std::string text = "<table>\n<thead>" + table_line(table.header, "th") + "</thead>\n<tbody>\n";
  for (const auto& row : table.rows) text += table_line(row, "td");
  return text + "</tbody></table>";
}

std::string head_element(const std::string& title, const std::string& style) {
  return "<!DOCTYPE html>\n<html lang=\"" + std::string(language_name(language())) +
         "\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src 'none'; style-src '" +
         policy_hash(style) +
         "'; img-src data:; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" "
         "content=\"Attention Lab\">\n<title>" +
         title + "</title>\n<style>" + style + "</style>\n</head>\n";
}

}  // namespace

Expected<std::string> picture_page(const ModelFigure& figure, const FigureOptions& options,
                                   const WriteOptions& writing) {
  const std::string title = escaped_html(options.title.value_or(title_of(figure)));
  const std::string caption =
      std::visit([](const auto& one) { return escaped_html(caption_text(one.caption)); }, figure);
  auto image = picture(figure, options, title);
  if (!image) return image;
  return head_element(title, style_of(options.dark)) + "<body>\n<h1>" + title + "</h1>\n<p>" +
         (options.title ? "" : caption) + "</p>\n<main>\n<div class=\"card\">" + *image +
         "</div>\n<details class=\"card\"><summary>" + escaped_html(tr("Table of the numbers")) +
         "</summary>\n" + table_element(table_of(figure)) + "</details>\n</main>\n" +
         embedded_session::html_session(writing.session) + "</body>\n</html>\n";
}

}  // namespace lab::figure
