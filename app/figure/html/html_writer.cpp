#include "app/figure/figure_writers.h"

#include <algorithm>
#include <map>

#include "app/base/byte_text.h"
#include "app/base/wording.h"
#include "app/document/words/paired_tokens.h"
#include "app/embedded_session/session_formats.h"
#include "app/explain/stage_text.h"
#include "app/figure/compose/shown_tokens.h"
#include "app/figure/compose/stage_figure.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/figure/html/html_data.h"
#include "app/figure/html/html_parts.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using Sections = std::map<std::string_view, std::string, std::less<>>;

/// Replaces each {{name}} in `text` by the section of that name, and {{=words}} by their
/// translation; the content of the sections is not searched.
std::string filled(std::string_view text, const Sections& sections) {
  std::string page;
  std::size_t length = text.size();
  for (const auto& [name, section] : sections) length += section.size();
  page.reserve(length);
  for (std::size_t open = 0; (open = text.find("{{")) != std::string_view::npos;) {
    const std::size_t close = text.find("}}", open);
    page += text.substr(0, open);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    page += name.starts_with('=') ? template_text(name.substr(1)) : sections.find(name)->second;
    text.remove_prefix(close + 2);
  }
  return page += text;
}

/// Forbids fetching anything, and all styles and scripts except those of the page.
std::string policy() {
  return "default-src 'none'; style-src '" + policy_hash(kPageStyle) + "'; script-src '" +
         policy_hash(kPageScript) + "'; img-src data:; base-uri 'none'; form-action 'none'";
}

/// The length of a session in a page, where each "<" takes 6 bytes.
std::size_t session_length(std::string_view session) {
  return session.size() + 5 * static_cast<std::size_t>(std::ranges::count(session, '<'));
}

/// The heading of the page.
std::string heading_of(const FigureSource& source) {
  std::string title = source.document.title;
  if (source.options.layers)
    title =
        tr("{} of every layer and head", {explain::full_stage_title(attention::Stage::kWeights)});
  if (const std::string& gradient_of = source.options.gradient_of; !gradient_of.empty())
    title = tr("What moves {}?", {gradient_of});
  return escaped_html(source.options.title.value_or(title.empty() ? "Attention" : title));
}

/// The line below the heading.
std::string about_line(const FigureOptions& options) {
  if (options.subtitle.empty() || options.title) return {};
  return "<p class=\"dim\">" + escaped_html(options.subtitle) + "</p>";
}

Error too_long(std::size_t length, std::string_view session) {
  const auto megabytes = [](std::size_t bytes) {
    return grouped(static_cast<attention::Index>((bytes + 999'999) / 1'000'000)) + " MB";
  };
  std::string message = "The page would be " + megabytes(length) + " long, of which " +
                        megabytes(session_length(session)) + " are the session; at most " +
                        megabytes(kLongestPage) +
                        " are written. Export fewer tokens or heads, or one stage as .npy.";
  return {ErrorType::kBadInput, std::move(message)};
}

void check(const FigureSource& source) {
  const FigureOptions& options = source.options;
  check_tokens(source);
  check_head(source, options.head);
  if (options.matrix)
    throw std::out_of_range("A page shows the stages. Export " +
                            std::string(attention::matrix_name(*options.matrix)) +
                            " as a picture or as numbers.");
  if (options.type == FigureType::kTwoHeads) check_head(source, options.second_head);
  if (options.type == FigureType::kMean || options.type == FigureType::kMaximum)
    throw std::out_of_range("A page shows each head by itself. Export the " +
                            std::string(options.type == FigureType::kMean ? "mean" : "maximum") +
                            " of heads as a picture or as numbers.");
  if (options.type != FigureType::kTwoStates) return;
  check_comparable(source, options.stage, options.head);
  if (!paired_tokens(source.kept->document, source.document).equal)
    throw std::out_of_range(
        "The sentences of A and B differ, and a page compares numbers at the same place. Export a "
        "picture, or two pages.");
}

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

/// The HTML element with the figure of kLines or kArithmetic as SVG, light and dark; empty for
/// other types, which the maps of the page show. Fails and throws as write_svg does.
Expected<std::string> page_figure(const FigureSource& source) {
  const FigureType type = source.options.type;
  if (type != FigureType::kLines && type != FigureType::kArithmetic) return std::string();
  auto light = image_element(source, false);
  if (!light) return light;
  auto dark = image_element(source, true);
  if (!dark) return dark;
  return "<div class=\"card figure\">" + *light + *dark + "</div>\n";
}

}  // namespace

Expected<std::string> write_html(const FigureSource& source, const WriteOptions& options) {
  check(source);
  const PageContent content = page_content(source);
  std::size_t length = kPageTemplate.size() + kPageStyle.size() + kPageScript.size() +
                       numbers_length(content) + session_length(options.session);
  if (length > kLongestPage) return tl::make_unexpected(too_long(length, options.session));
  Sections sections;
  sections["data"] = page_data(source, content);
  auto figure = page_figure(source);
  if (!figure) return figure;
  sections["figure"] = std::move(*figure);
  length += sections["data"].size() + sections["figure"].size();
  if (length > kLongestPage) return tl::make_unexpected(too_long(length, options.session));
  sections["heading"] = heading_of(source);
  sections["about"] = about_line(source.options);
  sections["title"] = sections["heading"].empty() ? tr("Attention##a page") : sections["heading"];
  sections["language"] = language_name(language());
  sections["theme"] = page_theme(source.options);
  sections["policy"] = policy();
  sections["style"] = kPageStyle;
  sections["script"] = kPageScript;
  sections["numbers"] = page_numbers(content);
  sections["session"] = embedded_session::html_session(options.session);
  return filled(kPageTemplate, sections);
}

}  // namespace lab::figure
