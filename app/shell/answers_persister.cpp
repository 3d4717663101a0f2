#include "app/shell/answers_persister.h"

#include <filesystem>
#include <utility>

#include "app/document/training/training_document.h"
#include "app/view/session/recovery_actions.h"

namespace lab::shell {
namespace {

// Answers that no file holds, what was typed and not judged yet, or edits.
bool has_something_to_lose(const view::LessonState& lesson, const Document& document) {
  if (!lesson.run) return false;
  if (lesson.unsaved || lesson.run->is_edited(document)) return true;
  const std::size_t step = lesson.run->step_index();
  for (std::size_t i = 0; i < lesson.run->questions().size(); ++i)
    if (lesson.given[step][i] != lessons::AnswerInput() && !lesson.run->state(i).judgement)
      return true;
  return false;
}

std::string absolute_lesson_path(const std::string& path) {
  std::error_code none;
  return std::filesystem::absolute(path, none).string();
}

bool is_trained(const Document& document) {
  return document.layer.model && training_of(*document.layer.model) != nullptr;
}

// The steps of a training are previewed while they are taken.
const Document& kept_document(const Workspace& workspace) {
  const History& history = workspace.history();
  return is_trained(history.document()) ? history.document() : history.committed();
}

}  // namespace

bool AnswersPersister::is_kept(const view::LessonState& lesson, const Document& document) const {
  return kept_ && kept_->run == lesson.run && kept_->changes == lesson.run->changes() &&
         kept_->inputs == lesson.given && same_document(kept_->document, document);
}

void AnswersPersister::keep(view::ViewState& state, const Workspace& workspace,
                            files::JournalWriter& writer) {
  view::LessonState& lesson = state.lesson;
  const Document& document = kept_document(workspace);
  if (!workspace.work_suspended() || !has_something_to_lose(lesson, document)) {
    if (std::exchange(kept_, std::nullopt)) writer.keep_answers(nullptr);
    return;
  }
  if (is_kept(lesson, document)) return;
  const auto now = std::chrono::steady_clock::now();
  if (workspace.history().previewing() && kept_ && kept_->inputs == lesson.given && now < next_)
    return;
  next_ = now + kBetweenSteps;
  kept_ = Kept{lesson.run, lesson.run->changes(), lesson.given, document};
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
