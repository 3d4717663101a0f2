#include "app/document/workspace.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace lab {

namespace {

// What went wrong, for a person.
std::string message_of(const std::exception& problem) {
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr) {
    return "There is not enough memory for this; nothing was changed.";
  }
  return problem.what();
}

// More threads than this share too little work to be worth waking.
int evaluation_threads() {
  constexpr unsigned kMost = 8;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMost));
}

}  // namespace

Workspace::Workspace(Document document, std::string path)
    : history_(std::move(document)),
      evaluator_(std::make_unique<attention::Evaluator>(evaluation_threads())),
      path_(std::move(path)),
      saved_state_(history_.state_id()) {
  evaluate();
}

bool Workspace::drain() {
  if (queue_.empty()) return false;
  const std::vector<Intent> queue = std::exchange(queue_, {});
  History history_before = history_;
  std::string path_before = path_;
  const std::size_t saved_before = saved_state_;
  message_.clear();
  for (const Intent& wanted : queue) carry_out_or_explain(wanted);
  try {
    if (!same_problem(history_before.document().problem, document().problem)) evaluate();
  } catch (const std::exception& problem) {
    history_ = std::move(history_before);
    path_ = std::move(path_before);
    saved_state_ = saved_before;
    lines_.clear();
    message_ = message_of(problem);
    // Short of memory the evaluator let go of the trace; the document from before did fit.
    if (trace().heads.empty()) evaluate();
  }
  for (const std::string& line : std::exchange(lines_, {})) {
    if (recorder_) recorder_(line);
  }
  return true;
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
  return history_.preview(wanted.command);
}

Expected<void> Workspace::carry_out(const intent::Commit& wanted) {
  note(history_.commit(wanted.label));
  return {};
}

Expected<void> Workspace::carry_out(const intent::Cancel&) {
  history_.cancel();
  return {};
}

Expected<void> Workspace::carry_out(const intent::Apply& wanted) {
  if (auto shown = history_.preview(wanted.command); !shown) return shown;
  note(history_.commit(command_label(wanted.command)));
  return {};
}

Expected<void> Workspace::carry_out(const intent::ApplyMerged& wanted) {
  if (auto shown = history_.preview(wanted.command); !shown) return shown;
  note(history_.commit_merged(command_label(wanted.command), wanted.merge_key));
  return {};
}

Expected<void> Workspace::carry_out(const intent::Undo&) {
  const std::size_t commands = history_.undo_commands();
  if (history_.undo()) lines_.insert(lines_.end(), commands, R"({"do":"undo"})");
  return {};
}

Expected<void> Workspace::carry_out(const intent::Redo&) {
  const std::size_t commands = history_.redo_commands();
  if (history_.redo()) lines_.insert(lines_.end(), commands, R"({"do":"redo"})");
  return {};
}

Expected<void> Workspace::carry_out(const intent::BackTo& wanted) {
  if (!history_.has_past(wanted.state)) return {};
  while (history_.state_id() != wanted.state) {
    if (auto undone = carry_out(intent::Undo{}); !undone) return undone;
  }
  return {};
}

Expected<void> Workspace::carry_out(const intent::JumpTo& wanted) {
  if (history_.has_past(wanted.state)) return carry_out(intent::BackTo{wanted.state});
  const auto states = history_.entries();
  if (std::ranges::find(states, wanted.state, &HistoryEntry::state) == states.end()) return {};
  while (history_.state_id() != wanted.state) {
    if (auto redone = carry_out(intent::Redo{}); !redone) return redone;
  }
  return {};
}

Expected<void> Workspace::carry_out(const intent::Replace& wanted) {
  history_ = History(wanted.document);
  path_ = wanted.path;
  saved_state_ = history_.state_id();
  return {};
}

Expected<void> Workspace::carry_out(const intent::MarkSaved& wanted) {
  path_ = wanted.path;
  saved_state_ = history_.state_id();
  return {};
}

void Workspace::note(const std::optional<Command>& committed) {
  if (committed) lines_.push_back(to_json_line(*committed));
}

void Workspace::evaluate() {
  const auto start = std::chrono::steady_clock::now();
  evaluator_->evaluate(document().problem);
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  report_ = {evaluator_->recomputed(), taken.count()};
}

}  // namespace lab
