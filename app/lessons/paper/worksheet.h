#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/figure/figure.h"
#include "app/lessons/lesson.h"

namespace lab::lessons {

/// What a worksheet is to be.
struct WorksheetOptions {
  int head = 0;          ///< from 0, of a session's worksheet
  bool answers = false;  ///< the key: everything that the sheet leaves out
  /// Other numbers than the model's, the same for the same seed (see with_other_numbers).
  std::optional<std::uint64_t> seed = {};
};

/// Pages to work through one head of a session on paper: what goes in, then each stage with about
/// half of its cells left out. The same cells are left out each time. Fails with kBadInput when
/// there is no such head, and when a matrix is too large for a page.
Expected<std::vector<figure::Figure>> session_worksheet(const Document& document,
                                                        const WorksheetOptions& options);

/// A lesson on paper: the text and the questions of each step, with the matrices that an answer is
/// computed from or found in. Numbers that were asked for are left out of matrices and text. What
/// is answered by editing is left for the screen, and what comes after it is about the edited
/// model. Fails as above, when a step cannot begin, and when there is a seed but the lesson does
/// not allow other numbers. `folder` is where the lesson lies. Precondition: the lesson has no
/// problem.
Expected<std::vector<figure::Figure>> lesson_worksheet(const Lesson& lesson,
                                                       const std::string& folder,
                                                       const WorksheetOptions& options);

}  // namespace lab::lessons
