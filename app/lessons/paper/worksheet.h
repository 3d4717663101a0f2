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

/// Options of a worksheet.
struct WorksheetOptions {
  int head = 0;          ///< from 0; only for the worksheet of a session
  bool answers = false;  ///< write the answer key instead
  /// Random numbers instead of the model's, the same for the same seed; see with_random_numbers().
  std::optional<std::uint64_t> seed = {};
  int digits = 2;  ///< the most decimals of the numbers in tables
};

/// A worksheet for one head of a session: the inputs, then each stage with about half of its cells
/// left blank, always the same ones. Fails with kBadInput if the head does not exist or a matrix is
/// too large for a page.
Expected<std::vector<figure::Figure>> session_worksheet(const Document& document,
                                                        const WorksheetOptions& options);

/// A lesson as a worksheet: the text and questions of each step, with the matrices that answers are
/// computed from or found in. Numbers that are asked for are left out of matrices and text.
/// Questions answered by an edit are to be done on the computer, and what follows is about the
/// edited model. Fails with kBadInput if a matrix is too large for a page, if a step cannot begin,
/// or if there is a seed but the lesson does not allow random numbers. `folder` is the folder of
/// the lesson file. Precondition: the lesson has no problems.
Expected<std::vector<figure::Figure>> lesson_worksheet(const Lesson& lesson,
                                                       const std::string& folder,
                                                       const WorksheetOptions& options);

}  // namespace lab::lessons
