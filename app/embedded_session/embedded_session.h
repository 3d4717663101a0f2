#pragma once

#include <optional>
#include <string>
#include <string_view>

// Figures embed the session from which they were made. This folder defines where each type of file
// stores it, for the writers of figures, and how it is read back, for those who open files.

namespace lab::embedded_session {

/// Marks a figure that embeds a session: the keyword of the text chunk in a PNG, the prefix of the
/// name of the attachment in a PDF and of the chunk in a WebP.
inline constexpr std::string_view kSessionMark = "attention-lab-session";

/// A type of figure file that can embed a session.
struct CarrierType {
  std::string_view name;  ///< for people: "a PNG picture"
  /// True for a file of this type, by its first bytes.
  bool (*is)(std::string_view bytes) = nullptr;
  /// The session in it, exactly as it was given to the writer; nothing when there is none or it is
  /// damaged. The text has not been checked to be a valid session.
  std::optional<std::string> (*session)(std::string_view bytes) = nullptr;
  /// Occurs in files that embed a session, and in no others.
  std::string_view mark = kSessionMark;
};

/// The type of figure file that `bytes` are, by content; null when they are none that can embed a
/// session.
const CarrierType* carrier_type(std::string_view bytes);

/// The session embedded in a figure of any type, as JSON text; nothing when `bytes` are not a
/// figure, embed no session, or are damaged. Throws only std::bad_alloc.
std::optional<std::string> session_of_figure(std::string_view bytes);

/// True when a figure of that type without a readable session shows traces of one, that is, the
/// session was damaged.
bool has_session_mark(const CarrierType& type, std::string_view bytes);

}  // namespace lab::embedded_session
