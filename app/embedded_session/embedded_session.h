#pragma once

#include <optional>
#include <string>
#include <string_view>

// Pictures carry the session that they were made of. Here stands where in each kind of picture it
// lies, for those that write pictures, and how it is read back, for those that open files.

namespace lab::embedded_session {

/// Stands in every picture that carries a session: the keyword of the text in a PNG, the beginning
/// of the attachment's name in a PDF, that of the chunk in a WebP.
inline constexpr std::string_view kSessionMark = "attention-lab-session";

/// A kind of picture that may carry a session.
struct CarrierKind {
  std::string_view name;  ///< for people: "a PNG picture"
  /// True for a file of this kind, by its first bytes.
  bool (*is)(std::string_view bytes) = nullptr;
  /// The session in it, as it was given to the writer; nothing when there is none or it is damaged.
  /// Whether it is a session is for its reader to tell.
  std::optional<std::string> (*session)(std::string_view bytes) = nullptr;
  /// Stands in those that carry a session, and in no others.
  std::string_view mark = kSessionMark;
};

/// The kind of picture that `bytes` are, told by content; null when they are none that may carry a
/// session.
const CarrierKind* carrier_kind(std::string_view bytes);

/// The session that a picture of any kind carries, as JSON text; nothing when it is no picture,
/// carries none, or is damaged. Throws std::bad_alloc alone.
std::optional<std::string> carried_session(std::string_view bytes);

/// True when a picture of that kind without a readable session shows traces of one: it was damaged.
bool has_session_mark(const CarrierKind& kind, std::string_view bytes);

}  // namespace lab::embedded_session
