#include "app/embedded_session/session_formats.h"

#include <glib.h>

#include <array>
#include <memory>

#include "app/base/visible_text.h"

namespace lab::embedded_session {
namespace {

struct ContextDeleter {
  void operator()(GMarkupParseContext* context) const { g_markup_parse_context_free(context); }
};

// The state of the search while a file is read.
struct Search {
  int depth = 0;        // of the element that is open
  int found_depth = 0;  // of the session's element; 0: not open
  bool whole = false;   // the session's element was open and is closed
  bool broken = false;  // it holds elements
  std::string text;
};

bool is_session(std::string_view element, const char** names, const char** values) {
  if (element.substr(element.rfind(':') + 1) != kSvgSessionName) return false;
  for (; *names != nullptr; ++names, ++values)
    if (std::string_view(*names) == "id" && *values == kSvgSessionId) return true;
  return false;
}

void begin(GMarkupParseContext*, const char* element, const char** names, const char** values,
           void* to, GError**) {
  Search& search = *static_cast<Search*>(to);
  ++search.depth;
  if (search.found_depth > 0) search.broken = true;
  if (search.found_depth == 0 && !search.whole && is_session(element, names, values))
    search.found_depth = search.depth;
}

void end(GMarkupParseContext*, const char*, void* to, GError**) {
  Search& search = *static_cast<Search*>(to);
  if (search.depth-- != search.found_depth) return;
  search.found_depth = 0;
  search.whole = true;
}

void add_text(GMarkupParseContext*, const char* text, gsize length, void* to, GError**) {
  Search& search = *static_cast<Search*>(to);
  if (search.found_depth > 0) search.text.append(text, length);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// The JSON escape of a character that XML forbids; empty for all others.
std::string name_in_json(char32_t c) {
  const bool forbidden = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c >> 1 == 0x7FFF;
  if (!forbidden) return {};
  std::array<char, 8> name{};
  g_snprintf(name.data(), name.size(), "\\u%04x", static_cast<unsigned>(c));
  return name.data();
}

/// JSON text as the content of an element; an XML reader would drop a plain carriage return.
std::string json_in_xml(std::string_view text) {
  std::string xml;
  xml.reserve(text.size() + text.size() / 4);
  for (const char32_t c : valid_characters(text)) {
    const std::string_view entity = c == '\r' ? "&#13;" : entity_of(c);
    const std::string name = name_in_json(c);
    if (!entity.empty() || !name.empty())
      xml.append(entity).append(name);
    else
      append_utf8(xml, c);
  }
  return xml;
}

}  // namespace

bool is_svg(std::string_view bytes) {
  constexpr std::size_t kProlog = 4096;  // declaration, comments and a document type come before
  if (bytes.starts_with("\uFEFF")) bytes.remove_prefix(3);
  return bytes.starts_with("<?xml") || bytes.starts_with("<svg")
             ? bytes.substr(0, kProlog).find("<svg") != std::string_view::npos
             : false;
}

std::optional<std::string> session_in_svg(std::string_view svg) {
  if (svg.find(kSvgSessionId) == std::string_view::npos) return std::nullopt;
  if (svg.starts_with("\uFEFF")) svg.remove_prefix(3);
  const GMarkupParser parser{begin, end, add_text, nullptr, nullptr};
  Search search;
  const std::unique_ptr<GMarkupParseContext, ContextDeleter> context(
      g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &search, nullptr));
  // Damage after the session does not affect it.
  g_markup_parse_context_parse(context.get(), svg.data(), static_cast<gssize>(svg.size()), nullptr);
  if (!search.whole || search.broken || is_blank(search.text)) return std::nullopt;
  return std::move(search.text);
}

std::string svg_session(std::string_view session) {
  if (session.empty()) return {};
  std::string xml = "<metadata>\n<lab:session xmlns:lab=\"urn:attention-lab\" id=\"";
  xml.append(kSvgSessionId).append("\">").append(json_in_xml(session));
  return xml.append("</lab:session>\n</metadata>\n");
}

}  // namespace lab::embedded_session
