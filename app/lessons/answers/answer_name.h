#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// The names that are right answers to a question of the kind kName: of a token, "mat", or of a
/// head, "L1H3". Throws BadInput if an answer is not a name.
std::vector<std::string> right_names(const Question& question, const Snapshot& live);

/// True when a student who typed `typed` means `name`: upper and lower case, quotes and the mark of
/// the blank before a token make no difference.
bool means_name(std::string_view typed, std::string_view name);

}  // namespace lab::lessons
