#pragma once

#include <string>

namespace lab::figure {

/// What a PDF tells besides its pages.
struct PdfForm {
  std::string title;    ///< what it shows; may be empty
  std::string session;  ///< to be attached, as JSON; empty: nothing
};

/// The pages of `pdf` with that title and attachment, and with nothing that changes from run to
/// run. Throws std::exception when `pdf` is none, and std::bad_alloc.
std::string finished_pdf(const std::string& pdf, const PdfForm& form);

}  // namespace lab::figure
