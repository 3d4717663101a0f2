#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// The name, in any namespace, and the id of the SVG element that holds the session.
inline constexpr std::string_view kSvgSessionName = "session",
                                  kSvgSessionId = "attention-lab-session";

/// True when `bytes` begin like an SVG.
bool is_svg(std::string_view bytes);

/// The session in an SVG, exactly as it was given to the writer except for characters that XML
/// cannot hold. Nothing when there is none or the file is damaged before its end.
std::optional<std::string> session_in_svg(std::string_view svg);

}  // namespace lab::embedded_session
