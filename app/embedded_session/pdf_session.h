#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::embedded_session {

/// The name of the file attached to a PDF that holds the session.
inline constexpr std::string_view kPdfAttachment = "attention-lab-session.json";

/// True when `bytes` begin like a PDF.
bool is_pdf(std::string_view bytes);

/// The session in a PDF: the attached file kPdfAttachment, of at most 64 MB. In a PDF saved by
/// another program with compressed object streams, which would take memory before their size is
/// known, the last attached JSON file is taken. Nothing when there is none, its checksum is missing
/// or wrong, or the PDF is damaged, encrypted or larger than 64 MB.
std::optional<std::string> session_in_pdf(std::string_view pdf);

}  // namespace lab::embedded_session
