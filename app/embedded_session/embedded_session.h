#pragma once

#include <optional>
#include <string>
#include <string_view>

// Figures carry the session from which they were made. This room defines where each kind of file
// stores it, for the writers of figures, and how it is read back, for those who open files.

namespace lab::embedded_session {

/// Marks a figure that carries a session: the keyword of the text chunk in a PNG, the prefix of the
/// name of the attachment in a PDF and of the chunk in a WebP.
inline constexpr std::string_view kSessionMark = "attention-lab-session";

/// A kind of figure file that can carry a session.
struct CarrierKind {
  std::string_view name;  ///< for people: "a PNG picture"
  /// True for a file of this kind, by its first bytes.
  bool (*is)(std::string_view bytes) = nullptr;
  /// The session in it, exactly as it was given to the writer; nothing when there is none or it is
  /// damaged. The text has not been checked to be a valid session.
  std::optional<std::string> (*session)(std::string_view bytes) = nullptr;
  /// Occurs in files that carry a session, and in no others.
  std::string_view mark = kSessionMark;
};

/// The kind of figure file that `bytes` are, by content; null when they are none that can carry a
/// session.
const CarrierKind* carrier_kind(std::string_view bytes);

/// The session carried by a figure of any kind, as JSON text; nothing when `bytes` are not a
/// figure, carry no session, or are damaged. Throws only std::bad_alloc.
std::optional<std::string> carried_session(std::string_view bytes);

/// True when a figure of that kind without a readable session shows traces of one, that is, the
/// session was damaged.
bool has_session_mark(const CarrierKind& kind, std::string_view bytes);

}  // namespace lab::embedded_session
