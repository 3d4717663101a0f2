#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// The name of the file that is attached to a PDF, and that is the session.
inline constexpr std::string_view kPdfAttachment = "attention-lab-session.json";

/// True when `bytes` begin as a PDF does.
bool is_pdf(std::string_view bytes);

/// The session that a PDF carries: the attached file kPdfAttachment, of at most 64 MB. Where
/// objects are compressed together, as other programs save them, which would take memory before its
/// size is known, the last attached file of JSON. Nothing when there is none, its check sum is
/// missing or wrong, or the PDF is damaged, encrypted or larger than 64 MB.
std::optional<std::string> session_in_pdf(std::string_view pdf);

}  // namespace lab::embedded_session
