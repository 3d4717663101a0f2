#include "app/view/session/training_actions.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/base/wording.h"
#include "app/document/model/shown_layer.h"
#include "app/document/training/task_title.h"
#include "app/files/training/run_folder.h"
#include "app/translation/words.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/training_lines.h"
#include "app/view/session/file_actions.h"

namespace lab::view {
namespace {

using attention::training::SharedState;
using attention::training::TrainingOptions;

Expected<Document> training_document(const TrainingOptions& options) {
  try {
    auto run = std::make_shared<TrainingRun>(options);
    const std::string text = example_text(*run, 0);
    auto source = files::run_source(std::move(run), task_title(options.task.type));
    if (!source) return tl::make_unexpected(source.error());
    auto model = make_model_document(std::move(*source), ModelText{text, {}});
    if (!model) return tl::make_unexpected(model.error());
    return shown_layer(std::make_shared<const ModelDocument>(std::move(*model)), {});
  } catch (const std::invalid_argument& problem) {
    return tl::make_unexpected(Error{ErrorType::kBadInput, problem.what()});
  }
}

void show_training(Ui& ui, const Document& document) {
  ui.state.requests.withdraw<request::ShowView>();
  forget_choices(ui.state);
  ui.state.file_change.reset();
  ui.state.training = {};
  ui.queue(intent::Replace{document, {}});
}

// True when what is previewed is a step of training, and no edit of the user.
bool previews_step(const Ui& ui) {
  const auto& command = ui.workspace.history().previewed_command();
  return command && std::holds_alternative<TrainTo>(*command);
}

StepLabel training_label(std::uint64_t step) {
  return [step] { return tr("Train to step {}", {grouped(static_cast<attention::Index>(step))}); };
}

// Makes what was followed a step of the history, which can be undone and edited.
void commit_followed(Ui& ui) {
  if (!previews_step(ui)) return;
  const TrainingPosition& position = *edited_training(ui);
  position.run->pin(position.branch, position.state);
  ui.queue(intent::Commit{training_label(position.state->step)});
}

// The options of the run, with the learning rate of the step.
TrainingOptions options_now(const Ui& ui) {
  const TrainingPosition& position = *edited_training(ui);
  TrainingOptions options = position.run->options();
  options.learning_rate = position.state->learning_rate;
  return options;
}

// Begins at what is edited.
void order_steps(Ui& ui, std::optional<std::uint64_t> count) {
  const auto begin = branch_to_train(*edited_model(ui), next_options(ui).learning_rate);
  if (!begin) {
    ui.state.training.requested = false;
    ui.state.error = tr(begin.error().message);
    return;
  }
  TrainingOrder order{edited_training(ui)->run, begin->branch, begin->from, {}};
  if (count) order.last_step = begin->from->step + *count;
  ui.trainer.start(std::move(order));
  ui.state.training.followed = ui.edited().layer.model;
}

// True while what is edited is what training goes on from: what was ordered, or a step that the
// window followed to. Texts and heads may change meanwhile.
bool is_followed(const Ui& ui) {
  const auto& model = ui.edited().layer.model;
  if (model == ui.state.training.followed) return true;
  const TrainingPosition& position = *training_of(*model);
  const auto& order = ui.trainer.order();
  return order && position.run == order->run && position.branch == order->branch &&
         !has_edited_weights(*model);
}

// Shows the newest step that the trainer took. Returns false when it is shown already.
bool show_newest(Ui& ui) {
  const TrainingOrder& order = *ui.trainer.order();
  const SharedState newest = order.run->newest(order.branch);
  const TrainingPosition& position = *edited_training(ui);
  if (newest == order.from || (position.branch == order.branch && position.state == newest))
    return false;
  const TrainTo command{order.branch, static_cast<int>(newest->step)};
  const auto dry_run = ui.attempt(command);
  if (!dry_run) return false;
  ui.queue(intent::Preview{command, *dry_run});
  ui.state.training.followed = dry_run->after->layer.model;
  return true;
}

// The trainer has ended and all its steps are shown.
void end_order(Ui& ui) {
  commit_followed(ui);
  ui.state.training.followed.reset();
  const std::string problem = ui.trainer.problem();
  if (problem.empty()) return;
  ui.state.error = tr(problem);
  ui.state.training.requested = false;
}

void pause(Ui& ui) {
  ui.state.training.requested = false;
  ui.trainer.stop();
}

// The same when the user goes to another step, so that the newest one is not shown any more.
void stop_following(Ui& ui) {
  pause(ui);
  ui.state.training.followed.reset();
}

// True, with a message, when the step of a lesson does not let the network be trained.
bool is_locked(Ui& ui) {
  if (!lesson_is_open(ui.state)) return false;
  if (!ui.state.lesson.view.locked.contains(lessons::Control::kTraining)) return false;
  ui.state.error = tr("Locked in this step: {}", {tr("the training##kept")});
  return true;
}

// True for intents that replace what is previewed or go elsewhere.
bool replaces_preview(const Intent& intent) {
  if (const auto* preview = std::get_if<intent::Preview>(&intent))
    return !std::holds_alternative<TrainTo>(preview->command);
  return std::holds_alternative<intent::Apply>(intent) ||
         std::holds_alternative<intent::ApplyMerged>(intent) ||
         std::holds_alternative<intent::Undo>(intent) ||
         std::holds_alternative<intent::BackTo>(intent) ||
         std::holds_alternative<intent::JumpTo>(intent) ||
         std::holds_alternative<intent::SuspendWork>(intent) ||
         std::holds_alternative<intent::NoteState>(intent);
}

bool goes_elsewhere(const Intent& intent) {
  return std::holds_alternative<intent::Undo>(intent) ||
         std::holds_alternative<intent::Redo>(intent) ||
         std::holds_alternative<intent::BackTo>(intent) ||
         std::holds_alternative<intent::JumpTo>(intent) ||
         std::holds_alternative<intent::Replace>(intent) ||
         std::holds_alternative<intent::Resume>(intent) ||
         std::holds_alternative<intent::SuspendWork>(intent) ||
         std::holds_alternative<intent::RestoreWork>(intent);
}

}  // namespace

void open_training(Ui& ui, const TrainingOptions& options) {
  if (!commit_pending(ui)) return;
  const auto document = training_document(options);
  if (!document) {
    ui.state.error = tr(document.error().message);
    return;
  }
  leave_document(ui, destination::Ready{
                         [document = *document](Ui& after) { show_training(after, document); }});
}

TrainingOptions next_options(const Ui& ui) {
  return ui.state.training.next.value_or(options_now(ui));
}

void use_training_options(Ui& ui, const TrainingOptions& options) {
  const TrainingPosition& position = *edited_training(ui);
  const bool other_rate = options.learning_rate != next_options(ui).learning_rate;
  if (other_rate) ui.trainer.stop();  // what is requested goes on with it
  if (options == options_now(ui)) return ui.state.training.next.reset();
  ui.state.training.next = options;
  const bool began = position.run->branches() > 1 || position.run->last_step(0) > 0;
  if (!began && !ui.workspace.modified()) start_over(ui);
}

void start_over(Ui& ui) {
  pause(ui);
  open_training(ui, next_options(ui));
}

void toggle_training(Ui& ui) {
  if (!commit_pending(ui) || is_locked(ui)) return;
  if (ui.state.training.requested) return pause(ui);
  ui.state.training.requested = true;
}

void take_training_step(Ui& ui) {
  if (!commit_pending(ui) || is_locked(ui)) return;
  if (ui.trainer.running() || ui.state.training.followed) return pause(ui);
  order_steps(ui, 1);
}

void scrub_to(Ui& ui, std::uint64_t step) {
  if (is_locked(ui)) return;
  stop_following(ui);
  const TrainingPosition& position = *edited_training(ui);
  const SharedState near = position.run->nearest(position.branch, step);
  ui.state.training.scrubbing = true;
  if (near == position.state) return;
  ui.queue(intent::Preview{TrainTo{position.branch, static_cast<int>(near->step)}});
}

void end_scrub(Ui& ui) {
  if (!std::exchange(ui.state.training.scrubbing, false) || !previews_step(ui)) return;
  const TrainingPosition& position = *edited_training(ui);
  position.run->pin(position.branch, position.state);
  ui.queue(intent::Commit{});
}

void go_to_next_kept(Ui& ui, bool after) {
  if (is_locked(ui)) return;
  stop_following(ui);
  const TrainingPosition& position = *edited_training(ui);
  const SharedState next = position.run->next_to(position.branch, position.state->step, after);
  if (!next) return;
  position.run->pin(position.branch, next);
  ui.queue(intent::ApplyMerged{TrainTo{position.branch, static_cast<int>(next->step)},
                               "steps of training by keys"});
}

void another_example(Ui& ui) {
  const TrainingPosition& position = *edited_training(ui);
  ui.queue(intent::Apply{SetSentence{example_text(*position.run, ++ui.state.training.example)}});
}

void follow_training(Ui& ui) {
  TrainingState& state = ui.state.training;
  const TrainingPosition* const position = edited_training(ui);
  if (position == nullptr) {
    if (state.followed || state.requested) state = {};
    return ui.trainer.stop();
  }
  if (ui.workspace.behind() || state.scrubbing) return;
  if (ui.workspace.history().previewing() && !previews_step(ui)) return ui.trainer.stop();
  if (!state.followed) {
    if (state.requested) order_steps(ui, {});
    return;
  }
  if (!is_followed(ui)) {
    ui.trainer.stop();
    state.followed.reset();
    return;
  }
  const bool ended = !ui.trainer.running();
  if (!show_newest(ui) && ended) end_order(ui);
}

void keep_followed_steps(Ui& ui) {
  auto& intents = ui.intents;
  if (std::ranges::any_of(intents, goes_elsewhere)) stop_following(ui);
  if (!previews_step(ui) || ui.state.training.scrubbing) return;
  const auto first = std::ranges::find_if(intents, replaces_preview);
  if (first == intents.end()) return;
  const TrainingPosition& position = *edited_training(ui);
  position.run->pin(position.branch, position.state);
  intents.insert(first, intent::Commit{training_label(position.state->step)});
}

}  // namespace lab::view
