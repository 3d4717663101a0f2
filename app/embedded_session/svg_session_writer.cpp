#include "app/embedded_session/svg_session_writer.h"

#include <glib.h>

#include <array>

#include "app/base/visible_text.h"
#include "app/embedded_session/svg_session.h"

namespace lab::embedded_session {
namespace {

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

std::string svg_session(std::string_view session) {
  if (session.empty()) return {};
  std::string xml = "<metadata>\n<lab:session xmlns:lab=\"urn:attention-lab\" id=\"";
  xml.append(kSvgSessionId).append("\">").append(json_in_xml(session));
  return xml.append("</lab:session>\n</metadata>\n");
}

}  // namespace lab::embedded_session
