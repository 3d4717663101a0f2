#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// The name, in whatever namespace, and the id of the element in an SVG picture that is the
/// session.
inline constexpr std::string_view kSvgSessionName = "session",
                                  kSvgSessionId = "attention-lab-session";

/// True when `bytes` begin as an SVG picture does.
bool is_svg(std::string_view bytes);

/// The session that an SVG picture carries, as it was given, but for characters that XML cannot
/// hold. Nothing when there is none or the picture is damaged in front of its end.
std::optional<std::string> session_in_svg(std::string_view svg);

}  // namespace lab::embedded_session
