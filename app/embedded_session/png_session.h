#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// True when `bytes` begin like a PNG.
bool is_png(std::string_view bytes);

/// The session in a PNG: the text chunk with the keyword kSessionMark, of at most 64 MB. Nothing
/// when there is none or its checksum is wrong.
std::optional<std::string> session_in_png(std::string_view png);

}  // namespace lab::embedded_session
