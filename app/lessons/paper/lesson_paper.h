#pragma once

#include "app/lessons/paper/paper.h"
#include "app/lessons/paper/worksheet.h"

// Shared by the worksheets of sessions and of lessons.

namespace lab::lessons {

/// Implements lesson_worksheet(); throws BadInput where that fails.
std::vector<figure::Figure> lesson_pages(const Lesson& lesson, const std::string& folder,
                                         const WorksheetOptions& options);

/// The title, followed by the seed if there is one.
std::string worksheet_title(const std::string& title, const WorksheetOptions& options);

/// Adds the tables to the paper, as Paper::tables does. Throws BadInput if one is too large for a
/// page.
void put_tables(Paper& paper, const std::vector<PaperTable>& tables, double after = 0);

}  // namespace lab::lessons
