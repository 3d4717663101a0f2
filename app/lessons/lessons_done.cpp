#include "app/lessons/lessons_done.h"

#include <algorithm>

namespace lab::lessons {

void note_progress(LessonsDone& progress, const LessonInfo& lesson, std::size_t answered) {
  if (answered > answered_of(progress, lesson)) progress[lesson.name] = answered;
}

std::size_t answered_of(const LessonsDone& progress, const LessonInfo& lesson) {
  const auto found = progress.find(lesson.name);
  return found == progress.end() ? 0 : std::min(found->second, lesson.questions);
}

bool is_done(const LessonsDone& progress, const LessonInfo& lesson) {
  return lesson.questions > 0 && answered_of(progress, lesson) == lesson.questions;
}

}  // namespace lab::lessons
