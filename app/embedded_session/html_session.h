#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// The opening tag of the element that holds the session, as JSON text in which every < is written
/// \u003c.
inline constexpr std::string_view kHtmlSessionOpens =
    R"(<script type="application/json" id="attention-lab-session">)";
/// The part of the tag that occurs nowhere else in a page.
inline constexpr std::string_view kHtmlSessionId = R"(id="attention-lab-session")";
/// The closing tag of that element.
inline constexpr std::string_view kHtmlSessionCloses = "</script>";

/// True when `bytes` begin like an HTML page.
bool is_html(std::string_view bytes);

/// The session in an HTML page, exactly as it was given to the writer. Nothing when there is none
/// or the page was cut off within it.
std::optional<std::string> session_in_html(std::string_view page);

}  // namespace lab::embedded_session
