#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// True when `bytes` begin as a PNG does.
bool is_png(std::string_view bytes);

/// The session that a PNG carries: the text with the keyword kSessionMark, of at most 64 MB.
/// Nothing when there is none or its check sum is wrong.
std::optional<std::string> session_in_png(std::string_view png);

}  // namespace lab::embedded_session
