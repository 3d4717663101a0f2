#include "app/embedded_session/svg_session.h"

#include <glib.h>

#include <memory>

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

}  // namespace lab::embedded_session
