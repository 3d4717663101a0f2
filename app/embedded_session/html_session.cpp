#include "app/embedded_session/session_formats.h"

#include <algorithm>

#include "app/base/strings.h"
#include "app/base/unicode_text.h"

namespace lab::embedded_session {
namespace {

constexpr std::string_view kLessThan = "u003c";

// \u003c becomes "<", but not where the backslash is itself escaped.
std::string unescaped(std::string_view text) {
  std::string json;
  json.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      json += text[i];
    } else if (text.substr(i + 1, kLessThan.size()) == kLessThan) {
      json += '<';
      i += kLessThan.size();
    } else {
      json += text.substr(i++, 2);
    }
  }
  return json;
}

}  // namespace

bool is_html(std::string_view bytes) {
  constexpr std::string_view kBegins = "<!doctype html";
  return std::ranges::equal(bytes.substr(0, kBegins.size()), kBegins, {}, to_lower);
}

std::optional<std::string> session_in_html(std::string_view page) {
  const std::size_t open = page.find(kHtmlSessionOpens);
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view rest = page.substr(open + kHtmlSessionOpens.size());
  const std::string_view text = rest.substr(0, rest.find('<'));
  const bool closed = rest.substr(text.size()).starts_with(kHtmlSessionCloses);
  if (text.empty() || !closed || !is_utf8(text)) return std::nullopt;
  return unescaped(text);
}

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
