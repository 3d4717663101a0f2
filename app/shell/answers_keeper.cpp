#include "app/shell/answers_keeper.h"

#include <filesystem>
#include <utility>

#include "app/view/session/recovery_actions.h"

namespace lab::shell {
namespace {

// Answers that no file holds, what was typed and not judged yet, or edits.
bool has_something_to_lose(const view::LessonState& lesson, const Document& document) {
  if (!lesson.run) return false;
  if (lesson.unsaved || lesson.run->is_edited(document)) return true;
  const std::size_t place = lesson.run->place();
  for (std::size_t i = 0; i < lesson.run->questions().size(); ++i)
    if (lesson.given[place][i] != lessons::Given() && !lesson.run->state(i).judgement) return true;
  return false;
}

std::string absolute_lesson_path(const std::string& path) {
  std::error_code none;
  return std::filesystem::absolute(path, none).string();
}

}  // namespace

bool AnswersKeeper::is_kept(const view::LessonState& lesson, const Document& document) const {
  return seen_ && seen_->run == lesson.run && seen_->changes == lesson.run->changes() &&
         seen_->given == lesson.given && same_document(seen_->document, document);
}

void AnswersKeeper::keep(view::ViewState& state, const Workspace& workspace,
                         files::JournalWriter& writer) {
  view::LessonState& lesson = state.lesson;
  const Document& document = workspace.history().committed();
  if (!workspace.work_suspended() || !has_something_to_lose(lesson, document)) {
    if (std::exchange(seen_, std::nullopt)) writer.keep_answers(nullptr);
    return;
  }
  if (is_kept(lesson, document)) return;
  seen_ = Seen{lesson.run, lesson.run->changes(), lesson.given, document};
  lessons::LessonProgress progress = lesson.run->progress(document, lesson.given);
  progress.path = absolute_lesson_path(lesson.path);
  std::function<void()> then;
  if (const auto recovered = std::exchange(lesson.recovered, nullptr))
    then = [recovered] { view::end_answers_recovery(*recovered); };
  writer.keep_answers(
      [progress = std::move(progress)] { return lessons::write_progress(progress); },
      std::move(then));
}

}  // namespace lab::shell
