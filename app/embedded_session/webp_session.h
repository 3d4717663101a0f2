#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// True when `bytes` begin like a WebP.
bool is_webp(std::string_view bytes);

/// Appends the session to a WebP file as a chunk of its own, which other readers skip.
/// Precondition: is_webp(file), and the result is shorter than 4 GiB.
void add_webp_session(std::string& file, std::string_view session);

/// The session in a WebP, exactly as it was given to the writer; nothing when there is none or it
/// is damaged.
std::optional<std::string> session_in_webp(std::string_view webp);

}  // namespace lab::embedded_session
