#include "app/document/workspace.h"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "core/analysis/cost.h"

#include "app/translation/words.h"

namespace lab {

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

// Multiply-adds that take less time than any patience.
constexpr std::int64_t kQuick = 1'000'000;
// An evaluation that has run this long is stopped for a newer edit. A shorter one may finish:
// otherwise the steps of a drag would stop each other, and nothing would be shown before it ends.
constexpr std::chrono::milliseconds kStoppedForNewerEdit{500};

// A History::state_id that no state has.
constexpr std::size_t kNoState = static_cast<std::size_t>(-1);

bool is_quick(const attention::Problem& problem) {
  return cost_of(problem).multiply_adds.at(problem.seq_len()) < kQuick;
}

}  // namespace

Workspace::Workspace(Document document, std::string path, bool saves_there)
    : now_{History(std::move(document)), std::move(path), saves_there},
      shown_(now_),
      evaluator_(std::make_unique<BackgroundEvaluator>(evaluation_threads())) {
  evaluate_now();
}

void Workspace::set_patience(std::chrono::milliseconds patience, std::function<void()> on_ready) {
  patience_ = patience;
  on_ready_ = std::move(on_ready);
}

void Workspace::stop_background() {
  evaluator_->stop();
  evaluator_->wait();
  if (behind()) {
    go_back();
    settle();
  }
  patience_.reset();
  on_ready_ = nullptr;
}

bool Workspace::drain() {
  if (queue_.empty()) return false;
  message_.clear();
  for (const Intent& wanted : std::exchange(queue_, {})) carry_out_or_explain(wanted);
  if (!behind()) {
    catch_up();
  } else if (evaluator_->running_for() > kStoppedForNewerEdit &&
             !same_problem(edited().problem, running_->history.document().problem)) {
    evaluator_->stop();
  }
  return true;
}

bool Workspace::settle() {
  if (!behind() || !evaluator_->finished()) return false;
  const Work done = *std::exchange(running_, std::nullopt);
  try {
    const EvaluationReport report = evaluator_->take();
    // An edit that was abandoned or undone is not shown, even if it had finished before.
    if (!same_problem(edited().problem, document().problem)) {
      report_ = report;
      trace_ = evaluator_->trace();
      show(done);
    }
  } catch (const attention::WorkStopped&) {
    // The current edit is evaluated next.
  } catch (const std::exception& problem) {
    // An evaluation that an edit has superseded is not needed.
    if (same_problem(edited().problem, done.history.document().problem)) {
      message_ = message_of(problem);
      go_back();
    }
  }
  catch_up();
  return true;
}

// Shows what is edited, or starts to evaluate it.
void Workspace::catch_up() {
  if (same_problem(edited().problem, document().problem)) return show(now_);
  try {
    const bool waits = !patience_ || (patience_->count() > 0 && is_quick(edited().problem));
    if (waits) return evaluate_now();
    evaluate_in_background();
  } catch (const std::exception& problem) {
    message_ = message_of(problem);
    go_back();
  }
}

// Releases the trace first, so that its matrices can be overwritten.
void Workspace::evaluate_now() {
  trace_ = {};
  report_ = evaluator_->run(edited().problem);
  trace_ = evaluator_->trace();
  show(now_);
}

void Workspace::evaluate_in_background() {
  running_ = now_;
  evaluator_->start(edited().problem, on_ready_);
  if (patience_->count() > 0 && evaluator_->wait_for(*patience_)) settle();
}

void Workspace::show(const Work& work) {
  shown_ = work;
  if (!same_document(edited(), document())) return;
  for (const std::string& line : std::exchange(lines_, {})) {
    if (recorder_) recorder_(line);
  }
}

// Returns to what is shown, as if nothing had been requested since.
void Workspace::go_back() {
  now_ = shown_;
  lines_.clear();
  note_break();
  if (!trace_.heads.empty()) return;
  evaluator_->run(edited().problem);
  trace_ = evaluator_->trace();
}

// Its current state is what is saved.
void Workspace::open(Work work, std::shared_ptr<const Work> suspended) {
  work.saved = work.history.state_id();
  work.opened = now_.opened + 1;
  work.suspended = std::move(suspended);
  now_ = std::move(work);
}

void Workspace::carry_out_or_explain(const Intent& wanted) {
  try {
    const auto done = std::visit([this](const auto& kind) { return carry_out(kind); }, wanted);
    if (!done) message_ = done.error().message;
  } catch (const std::exception& problem) {
    message_ = message_of(problem);
  }
}

Expected<void> Workspace::carry_out(const intent::Preview& wanted) {
  return now_.history.preview(wanted.command, wanted.tried);
}

Expected<void> Workspace::carry_out(const intent::Commit& wanted) {
  note(now_.history.commit(wanted.label));
  return {};
}

Expected<void> Workspace::carry_out(const intent::Cancel&) {
  now_.history.cancel();
  return {};
}

Expected<void> Workspace::carry_out(const intent::Apply& wanted) {
  if (auto shown = now_.history.preview(wanted.command, wanted.tried); !shown) return shown;
  note(now_.history.commit());
  return {};
}

Expected<void> Workspace::carry_out(const intent::ApplyMerged& wanted) {
  if (auto shown = now_.history.preview(wanted.command); !shown) return shown;
  note(now_.history.commit_merged(wanted.merge_key, wanted.label));
  return {};
}

Expected<void> Workspace::carry_out(const intent::Undo&) {
  const std::size_t commands = now_.history.undo_commands();
  if (!now_.history.undo()) return {};
  for (std::size_t i = 0; i < commands; ++i) note({std::string(kUndoLine)});
  return {};
}

Expected<void> Workspace::carry_out(const intent::Redo&) {
  const std::size_t commands = now_.history.redo_commands();
  if (!now_.history.redo()) return {};
  for (std::size_t i = 0; i < commands; ++i) note({std::string(kRedoLine)});
  return {};
}

Expected<void> Workspace::carry_out(const intent::BackTo& wanted) {
  if (!now_.history.has_past(wanted.state)) return {};
  while (now_.history.state_id() != wanted.state) {
    if (auto undone = carry_out(intent::Undo{}); !undone) return undone;
  }
  return {};
}

Expected<void> Workspace::carry_out(const intent::JumpTo& wanted) {
  if (now_.history.has_past(wanted.state)) return carry_out(intent::BackTo{wanted.state});
  const auto states = now_.history.entries();
  if (std::ranges::find(states, wanted.state, &HistoryEntry::state) == states.end()) return {};
  while (now_.history.state_id() != wanted.state) {
    if (auto redone = carry_out(intent::Redo{}); !redone) return redone;
  }
  return {};
}

Expected<void> Workspace::carry_out(const intent::Replace& wanted) {
  open({History(wanted.document), wanted.path, wanted.saves_there}, now_.suspended);
  note_break();
  return {};
}

Expected<void> Workspace::carry_out(const intent::Resume& wanted) {
  open({*wanted.history, wanted.path, wanted.saves_there}, now_.suspended);
  now_.saved = wanted.begins_saved ? 0 : kNoState;
  note_break();
  return {};
}

Expected<void> Workspace::carry_out(const intent::SuspendWork& wanted) {
  now_.history.cancel();
  open({History(wanted.document)},
       now_.suspended ? now_.suspended : std::make_shared<const Work>(now_));
  return {};
}

Expected<void> Workspace::carry_out(const intent::RestoreWork&) {
  if (!now_.suspended) return {};
  Work own = *now_.suspended;
  own.opened = now_.opened + 1;
  now_ = std::move(own);
  return {};
}

Expected<void> Workspace::carry_out(const intent::NoteState& wanted) {
  *wanted.state = now_.history.state_id();
  now_.history.keep_state();
  return {};
}

Expected<void> Workspace::carry_out(const intent::MarkSaved& wanted) {
  now_.path = wanted.path;
  now_.saves_there = true;
  now_.saved = wanted.state ? *wanted.state : now_.history.state_id();
  return {};
}

// By undo where possible, so that redo restores what was abandoned.
Expected<void> Workspace::carry_out(const intent::StopEvaluation&) {
  if (!behind()) return {};
  evaluator_->stop();
  now_.history.cancel();
  const bool same = now_.opened == shown_.opened && !shown_.history.previewing();
  if (same && now_.history.has_past(shown_.history.state_id()))
    return carry_out(intent::BackTo{shown_.history.state_id()});
  now_ = shown_;
  lines_.clear();
  note_break();
  return {};
}

void Workspace::note(const std::optional<Command>& committed) {
  if (committed) note({to_json_line(*committed), now_.history.undo_commands() > 1});
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
