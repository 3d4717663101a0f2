#include "app/document/workspace.h"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "app/document/arrays/shown_arrays.h"
#include "app/document/model/layer_command.h"
#include "app/document/model/model_command.h"
#include "app/document/model/shown_layer.h"
#include "app/document/recent_steps.h"
#include "app/document/training/training_document.h"
#include "app/translation/words.h"
#include "core/analysis/cost.h"

namespace lab {

bool Work::has_unsaved_steps() const {
  const auto& model = history.committed().layer.model;
  const TrainingPosition* const training = model ? training_of(*model) : nullptr;
  const std::size_t state = history.state_id();
  const bool is_saved = state == saved || std::ranges::find(saved_too, state) != saved_too.end();
  return !is_saved || (arrays && arrays->other_layer_has_unsaved_steps()) ||
         (training != nullptr && training->run->has_unsaved_steps());
}

using attention::network::LayerId;

namespace {

// The error message for the user.
std::string message_of(const std::exception& problem) {
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr) {
    return tr("There is not enough memory for this; nothing was changed.");
  }
  return problem.what();
}

// More threads than this would each get too little work.
int evaluation_threads() {
  constexpr unsigned kMost = 8;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMost));
}

// Multiply-adds that take less time than any sync timeout.
constexpr std::int64_t kQuick = 1'000'000;
// An evaluation that has run this long is stopped for a newer edit. A shorter one may finish:
// otherwise the steps of a drag would stop each other, and nothing would be shown before it ends.
constexpr std::chrono::milliseconds kStoppedForNewerEdit{500};

bool is_quick(const Document& document) {
  return !document.layer.model &&
         cost_of(document.problem).multiply_adds.at(document.problem.seq_len()) < kQuick;
}

// What the report of a crash may say of an intent: the name of its command; nothing for what is no
// edit.
template <typename Type>
std::string_view step_name(const Type& requested) {
  if constexpr (requires { requested.command; })
    return std::visit([](const auto& command) { return command.kName; }, requested.command);
  if constexpr (std::is_same_v<Type, intent::Undo>) return "undo";
  if constexpr (std::is_same_v<Type, intent::Redo>) return "redo";
  if constexpr (std::is_same_v<Type, intent::Replace>) return "open";
  return {};
}

// True when both have the same results.
bool same_results(const Document& a, const Document& b) {
  const bool same_layer = a.layer.model == b.layer.model && a.layer.at == b.layer.at;
  return same_layer && (a.layer.model || same_problem(a.problem, b.problem));
}

// Replaces `at_layer` by `completed`, whose X is known, if it is the same document.
void complete(std::shared_ptr<const Document>& at_layer,
              const std::shared_ptr<const Document>& completed) {
  if (at_layer && completed && same_results(*at_layer, *completed)) at_layer = completed;
}

}  // namespace

Workspace::Workspace(Document document, std::string path, bool saves_there)
    : Workspace(History(std::move(document)), std::move(path), saves_there) {}

Workspace::Workspace(History history, std::string path, bool saves_there)
    : now_{std::move(history), std::move(path), saves_there},
      shown_(now_),
      evaluator_(std::make_unique<BackgroundEvaluator>(evaluation_threads())) {
  look();
  evaluate_now();
}

void Workspace::set_sync_timeout(std::chrono::milliseconds sync_timeout,
                                 std::function<void()> on_ready) {
  sync_timeout_ = sync_timeout;
  on_ready_ = std::move(on_ready);
}

void Workspace::stop_background() {
  evaluator_->stop();
  evaluator_->wait();
  if (behind()) {
    go_back();
    settle();
  }
  sync_timeout_.reset();
  on_ready_ = nullptr;
}

bool Workspace::drain() {
  if (queue_.empty()) return false;
  message_.clear();
  for (const Intent& requested : std::exchange(queue_, {})) execute_or_explain(requested);
  if (!behind()) {
    catch_up();
  } else if (evaluator_->running_for() > kStoppedForNewerEdit &&
             !same_results(edited(),
                           running_at_layer_ ? *running_at_layer_ : running_->history.document())) {
    evaluator_->stop();
  }
  return true;
}

bool Workspace::settle() {
  if (!behind() || !evaluator_->finished()) return false;
  const Work done = *std::exchange(running_, std::nullopt);
  const auto at_layer = std::exchange(running_at_layer_, nullptr);
  try {
    const Evaluation evaluation = evaluator_->take();
    // An edit that was abandoned or undone is not shown, even if it had finished before.
    if (!same_results(edited(), document())) {
      take_results(evaluation);
      show(done, evaluation.completed ? evaluation.completed : at_layer);
    }
  } catch (const attention::WorkStopped&) {
    // The current edit is evaluated next.
  } catch (const std::exception& problem) {
    // An evaluation that an edit has superseded is not needed.
    if (same_results(edited(), at_layer ? *at_layer : done.history.document())) {
      message_ = message_of(problem);
      go_back();
    }
  }
  catch_up();
  return true;
}

// Shows what is edited, or starts to evaluate it.
void Workspace::catch_up() {
  if (same_results(edited(), document())) return show(now_, now_at_layer_);
  try {
    const bool waits = !sync_timeout_ || (sync_timeout_->count() > 0 && is_quick(edited()));
    if (waits) return evaluate_now();
    evaluate_in_background();
  } catch (const std::exception& problem) {
    message_ = message_of(problem);
    go_back();
  }
}

void Workspace::take_results(const Evaluation& done) {
  report_ = done.report;
  trace_ = evaluator_->trace();
  network_trace_ = done.network;
}

// Releases the trace first, so that its matrices can be overwritten.
void Workspace::evaluate_now() {
  trace_ = {};
  const Evaluation done = evaluator_->run(edited());
  take_results(done);
  show(now_, done.completed ? done.completed : now_at_layer_);
}

void Workspace::evaluate_in_background() {
  running_ = now_;
  running_at_layer_ = now_at_layer_;
  evaluator_->start(edited(), on_ready_);
  if (sync_timeout_->count() > 0 && evaluator_->wait_for(*sync_timeout_)) settle();
}

void Workspace::show(const Work& work, const std::shared_ptr<const Document>& at_layer) {
  shown_ = work;
  shown_at_layer_ = at_layer;
  complete(now_at_layer_, shown_at_layer_);
  complete(committed_at_layer_, shown_at_layer_);
  if (!same_document(edited(), document())) return;
  for (const std::string& line : std::exchange(lines_, {})) {
    if (recorder_) recorder_(line);
  }
}

// Returns to what is shown, as if nothing had been requested since.
void Workspace::go_back() {
  now_ = shown_;
  now_at_layer_ = shown_at_layer_;
  committed_at_layer_.reset();
  lines_.clear();
  note_break();
  if (!trace_.heads.empty()) return;
  take_results(evaluator_->run(edited()));
}

// Sees what is edited at the current layer.
void Workspace::look() {
  const auto see = [&](const Document& document, std::shared_ptr<const Document>& at_layer) {
    const auto& model = document.layer.model;
    if (!model) return at_layer.reset();
    const LayerId& layer = document.layer.at;
    const auto at = nearest_layer(model->network, now_.go_to.value_or(layer));
    const auto is_requested = [&](const std::shared_ptr<const Document>& other) {
      return other && other->layer.model == model && other->layer.at == at;
    };
    if (is_requested(at_layer)) return;
    if (is_requested(shown_at_layer_)) return void(at_layer = shown_at_layer_);
    at_layer = std::make_shared<const Document>(
        at == layer ? document : shown_layer(model, at, at_layer.get()));
  };
  see(now_.history.document(), now_at_layer_);
  if (!now_.history.previewing())
    committed_at_layer_ = now_at_layer_;
  else
    see(now_.history.committed(), committed_at_layer_);
}

// Its current state is what is saved.
void Workspace::open(Work work, std::shared_ptr<const Work> suspended) {
  work.saved = work.history.state_id();
  work.opened = now_.opened + 1;
  work.suspended = std::move(suspended);
  now_ = std::move(work);
}

void Workspace::execute_or_explain(const Intent& requested) {
  note_step(std::visit([](const auto& type) { return step_name(type); }, requested));
  try {
    const auto done = std::visit([this](const auto& type) { return execute(type); }, requested);
    if (!done) message_ = done.error().message;
    look();
  } catch (const std::exception& problem) {
    message_ = message_of(problem);
  }
}

Expected<Attempt> Workspace::attempt(const Command& command,
                                     const std::optional<LayerId>& layer) const {
  if (!committed_at_layer_) return now_.history.attempt(command);
  return now_.history.attempt(committed_at_layer_, [&](const Document& at_layer) {
    return apply_at(at_layer, command, layer);
  });
}

Expected<void> Workspace::preview(const Command& command, const Attempt& dry_run,
                                  const std::optional<LayerId>& layer) {
  edited_layer_ = layer;
  if (!layer && committed_at_layer_) edited_layer_ = committed_at_layer_->layer.at;
  if (dry_run.before.get() == &now_.history.committed() && dry_run.at_layer == committed_at_layer_)
    return now_.history.preview(command, dry_run);
  const auto now = attempt(command, layer);
  return now ? now_.history.preview(command, *now) : tl::make_unexpected(now.error());
}

std::string Workspace::record_line(const Command& command) const {
  const ModelLayer& layer = edited().layer;
  if (!layer.model) return to_json_line(command);
  if (is_of_whole_model(command)) return to_json_line(ModelCommand{std::nullopt, command});
  return to_json_line(ModelCommand{edited_layer_.value_or(layer.at), command});
}

void Workspace::note(const std::optional<Command>& committed) {
  if (committed) note({record_line(*committed), now_.history.undo_commands() > 1});
}

void Workspace::note(const RecordLine& line) {
  if (work_suspended()) return;
  lines_.push_back(line.text);
  if (follower_) follower_(line);
}

void Workspace::note_break() {
  if (follower_ && !work_suspended()) follower_({});
}

}  // namespace lab
