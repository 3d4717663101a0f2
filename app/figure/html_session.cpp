#include "app/figure/html_session.h"

#include "app/document/tokenizer.h"
#include "app/figure/html_text.h"

namespace lab {
namespace {

constexpr std::string_view kOpen = R"(<script type="application/json" id="attention-lab-session">)";
constexpr std::string_view kClose = "</script>";
constexpr std::string_view kLessThan = "u003c";

/// Undoes json_in_html: \u003c becomes "<", but not where the backslash is itself escaped.
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

std::string session_element(std::string_view session) {
  if (session.empty()) return {};
  return std::string(kOpen) + json_in_html(session) + std::string(kClose) + "\n";
}

std::optional<std::string> session_in_html(std::string_view page) {
  const std::size_t open = page.find(kOpen);
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view rest = page.substr(open + kOpen.size());
  const std::string_view text = rest.substr(0, rest.find('<'));
  if (text.empty() || !rest.substr(text.size()).starts_with(kClose) || !is_utf8(text))
    return std::nullopt;
  return unescaped(text);
}

}  // namespace lab
