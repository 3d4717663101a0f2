#pragma once

#include "app/lessons/paper/paper.h"
#include "app/lessons/paper/worksheet.h"

// What the worksheets of sessions and of lessons are made with.

namespace lab::lessons {

/// The pages of lesson_worksheet(). Throws BadInput where that fails.
std::vector<figure::Figure> lesson_pages(const Lesson& lesson, const std::string& folder,
                                         const WorksheetOptions& options);

/// The title with the number of the sheet, where other numbers are wanted.
std::string worksheet_title(const std::string& title, const WorksheetOptions& options);

/// Puts the tables on the paper. Throws BadInput when one is too large for a page.
void put_tables(Paper& paper, const std::vector<PaperTable>& tables);

}  // namespace lab::lessons
