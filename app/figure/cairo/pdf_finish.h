#pragma once

#include <string>

namespace lab::figure {

/// The content of a PDF besides its pages.
struct PdfForm {
  std::string title;    ///< what it shows; may be empty
  std::string session;  ///< JSON to attach; empty: none
};

/// The pages of `pdf` with that title and attachment, and without anything that changes from run to
/// run. Throws std::exception when `pdf` is not a PDF, and std::bad_alloc.
std::string finished_pdf(const std::string& pdf, const PdfForm& form);

}  // namespace lab::figure
