#include "app/embedded_session/html_session_writer.h"

#include "app/embedded_session/html_session.h"

namespace lab::embedded_session {

std::string json_in_html(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string html_session(std::string_view session) {
  if (session.empty()) return {};
  return std::string(kHtmlSessionOpens) + json_in_html(session) + std::string(kHtmlSessionCloses) +
         "\n";
}

}  // namespace lab::embedded_session
