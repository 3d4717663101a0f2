#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// True when `bytes` begin as a WebP picture does.
bool is_webp(std::string_view bytes);

/// Adds the session to a WebP picture, as a chunk of its own at the end, which other readers pass
/// over. Precondition: is_webp(picture), and together they are shorter than 4 GiB.
void add_webp_session(std::string& file, std::string_view session);

/// The session that a WebP picture carries, as it was given; nothing when there is none or it is
/// damaged.
std::optional<std::string> session_in_webp(std::string_view webp);

}  // namespace lab::embedded_session
