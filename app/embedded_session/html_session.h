#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// What opens the element of a page that is the session, as JSON text in which each < is written
/// \u003c.
inline constexpr std::string_view kHtmlSessionOpens =
    R"(<script type="application/json" id="attention-lab-session">)";
/// The part of it that stands nowhere else in a page.
inline constexpr std::string_view kHtmlSessionId = R"(id="attention-lab-session")";
/// What closes it.
inline constexpr std::string_view kHtmlSessionCloses = "</script>";

/// True when `bytes` begin as a page of HTML does.
bool is_html(std::string_view bytes);

/// The session that a page of HTML carries, as it was given. Nothing when the page carries none or
/// was cut off within it.
std::optional<std::string> session_in_html(std::string_view page);

}  // namespace lab::embedded_session
