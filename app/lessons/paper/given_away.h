#pragma once

#include <cstddef>
#include <span>

#include "app/document/snapshot.h"
#include "app/lessons/lesson.h"

namespace lab::lessons {

/// How many answers to `questions` could be copied on a worksheet with these numbers: a number that
/// is asked for stands, within its tolerance, in another cell of the same matrix; or a mix of
/// values is one of them, so that nobody needs the weights. Only for questions whose answer is one
/// cell. Throws BadInput like asked_cell().
std::size_t count_given_away(std::span<const Question* const> questions, const Snapshot& live);

}  // namespace lab::lessons
