#pragma once

#include <optional>
#include <string>
#include <string_view>

// The session in the files of each format, and what is needed to write it there.

namespace lab::embedded_session {

/// True when `bytes` begin like a PNG.
bool is_png(std::string_view bytes);

/// The session in a PNG: the text chunk with the keyword kSessionMark, of at most 64 MB. Nothing
/// when there is none or its checksum is wrong.
std::optional<std::string> session_in_png(std::string_view png);

/// The name, in any namespace, and the id of the SVG element that holds the session.
inline constexpr std::string_view kSvgSessionName = "session",
                                  kSvgSessionId = "attention-lab-session";

/// True when `bytes` begin like an SVG.
bool is_svg(std::string_view bytes);

/// The session in an SVG, exactly as it was given to the writer except for characters that XML
/// cannot hold. Nothing when there is none or the file is damaged before its end.
std::optional<std::string> session_in_svg(std::string_view svg);

/// The element of an SVG picture that embeds `session`, JSON text; nothing for an empty one.
std::string svg_session(std::string_view session);

/// The name of the file attached to a PDF that holds the session.
inline constexpr std::string_view kPdfAttachment = "attention-lab-session.json";

/// True when `bytes` begin like a PDF.
bool is_pdf(std::string_view bytes);

/// The session in a PDF: the attached file kPdfAttachment, of at most 64 MB. In a PDF saved by
/// another program with compressed object streams, which would take memory before their size is
/// known, the last attached JSON file is taken. Nothing when there is none, its checksum is missing
/// or wrong, or the PDF is damaged, encrypted or larger than 64 MB.
std::optional<std::string> session_in_pdf(std::string_view pdf);

/// True when `bytes` begin like a WebP.
bool is_webp(std::string_view bytes);

/// Appends the session to a WebP file as a separate chunk, which other readers skip.
/// Precondition: is_webp(file), and the result is shorter than 4 GiB.
void add_webp_session(std::string& file, std::string_view session);

/// The session in a WebP, exactly as it was given to the writer; nothing when there is none or it
/// is damaged.
std::optional<std::string> session_in_webp(std::string_view webp);

/// The opening tag of the element that holds the session, as JSON text in which every < is written
/// \u003c.
inline constexpr std::string_view kHtmlSessionOpens =
    R"(<script type="application/json" id="attention-lab-session">)";
/// The part of the tag that occurs nowhere else in a page.
inline constexpr std::string_view kHtmlSessionId = R"(id="attention-lab-session")";
/// The closing tag of that element.
inline constexpr std::string_view kHtmlSessionCloses = "</script>";

/// True when `bytes` begin like an HTML page.
bool is_html(std::string_view bytes);

/// The session in an HTML page, exactly as it was given to the writer. Nothing when there is none
/// or the page was cut off within it.
std::optional<std::string> session_in_html(std::string_view page);

/// JSON text in which nothing can end or open an element: "<" is written as \u003c.
std::string json_in_html(std::string_view json);

/// The element of a page of HTML that embeds `session`, JSON text; nothing for an empty one.
std::string html_session(std::string_view session);

}  // namespace lab::embedded_session
