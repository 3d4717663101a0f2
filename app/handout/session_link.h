#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab::handout {

/// Bytes that the session of a link may unfold to.
inline constexpr std::size_t kLargestLinkedSession = 32'000'000;

/// The end of an address that opens the page with `session`: "#session=" and its JSON text,
/// compressed, in the letters of base64 that addresses may hold (RFC 4648, section 5).
std::string session_fragment(std::string_view session);

/// True when `text` is an address with a session, or the end of one.
bool is_session_link(std::string_view text);

/// The session of such a link, JSON text, not checked to be a session. Fails with kBadInput when
/// the link was cut or damaged.
Expected<std::string> session_of_link(std::string_view link);

}  // namespace lab::handout
