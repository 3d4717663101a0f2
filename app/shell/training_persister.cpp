#include "app/shell/training_persister.h"

#include <filesystem>
#include <utility>

#include "app/document/model/model_document.h"
#include "app/document/training/training_document.h"
#include "app/translation/words.h"

namespace lab::shell {

using Clock = std::chrono::steady_clock;

void RunPersister::keep(const Document& document, view::ViewState& state) {
  const auto& model = document.layer.model;
  const TrainingPosition* const position = model ? training_of(*model) : nullptr;
  if (position == nullptr) return;
  if (run_ != position->run) return begin(*position, model->source->folder, state);
  if (saving_.valid()) {
    if (saving_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    report(saving_.get(), state);
  }
  if (Clock::now() < next_ || run_->version() == saved_ || failed_) return;
  save_in_background();
}

void RunPersister::begin(const TrainingPosition& position, const std::string& folder,
                         view::ViewState& state) {
  finish();
  run_ = position.run;
  folder_.emplace(folder);
  failed_ = false;
  saved_ = run_->version();
  next_ = Clock::now() + kBetween;
  report(folder_->save(*run_, files::SavedStates::kEssential), state);
}

void RunPersister::save_in_background() {
  saved_ = run_->version();
  next_ = Clock::now() + kBetween;
  saving_ = std::async(std::launch::async, [run = run_, folder = &*folder_] {
    return folder->save(*run, files::SavedStates::kEssential);
  });
}

void RunPersister::report(const Expected<void>& saved, view::ViewState& state) {
  if (saved || std::exchange(failed_, true)) return;
  state.error =
      tr("The steps of this training would be lost in a crash: {}", {saved.error().message});
}

void RunPersister::wait() {
  if (saving_.valid()) (void)saving_.get();
}

void RunPersister::finish() {
  wait();
  if (!folder_) return;
  std::error_code error;
  std::filesystem::remove_all(folder_->folder(), error);
  folder_.reset();
  run_.reset();
}

void TrainingPersister::keep(view::ViewState& state) {
  users_.keep(workspace_.own().history.document(), state);
  if (workspace_.work_suspended())
    of_lesson_.keep(workspace_.history().document(), state);
  else
    of_lesson_.finish();
}

void TrainingPersister::finish() {
  users_.finish();
  of_lesson_.finish();
}

}  // namespace lab::shell
