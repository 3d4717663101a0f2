#include "app/lessons/lessons_done.h"

#include <algorithm>

namespace lab::lessons {

void note_progress(LessonsDone& progress, const LessonInfo& lesson, std::size_t solved) {
  if (solved > solved_of(progress, lesson)) progress[lesson.name] = solved;
}

std::size_t solved_of(const LessonsDone& progress, const LessonInfo& lesson) {
  const auto found = progress.find(lesson.name);
  return found == progress.end() ? 0 : std::min(found->second, lesson.questions);
}

bool is_done(const LessonsDone& progress, const LessonInfo& lesson) {
  return lesson.questions > 0 && solved_of(progress, lesson) == lesson.questions;
}

}  // namespace lab::lessons
