#pragma once

#include <string>
#include <vector>

#include "app/handout/handout.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::handout {

/// A page that opens with this lesson, in its language, and brings along the sessions of its folder
/// and the built-in models that it opens; examples are in every page. Fails with kBadInput, naming
/// the line, when the lesson opens a file outside of its folder, or a session that is not of the
/// kind that travels; with kIo when a file cannot be read.
Expected<Handout> lesson_handout(const lessons::OpenedLesson& lesson);

/// Adds the lesson and what it opens to the list of lessons of the page, at its end. Fails as
/// lesson_handout() does, and with kBadInput when a session is named like one of the built-in
/// lessons.
Expected<void> add_lesson(Handout& given, const lessons::OpenedLesson& lesson);

}  // namespace lab::handout
