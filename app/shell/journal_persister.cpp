#include "app/shell/journal_persister.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/view/session/recovery_actions.h"
#include "app/view/session/view_memory.h"

namespace lab::shell {
namespace {

// As another process, in another working folder, would find it.
std::string absolute_path(const std::string& path) {
  std::error_code none;
  return path.empty() ? path : std::filesystem::absolute(path, none).string();
}

// The number of steps between the saved and the present state; if the saved state is no longer in
// the history, all steps that can be undone, and at least one.
std::size_t unsaved_steps(const Work& work) {
  const std::vector<HistoryEntry> states = work.history.entries();
  const auto position = [&](std::size_t state) {
    return std::ranges::find(states, state, &HistoryEntry::state) - states.begin();
  };
  const auto saved = position(work.saved), now = position(work.history.state_id());
  const bool known = saved < std::ssize(states);
  return static_cast<std::size_t>(known ? std::abs(now - saved) : std::max<std::ptrdiff_t>(now, 1));
}

// The document of a preview that changes something; null when there is none.
std::shared_ptr<const Document> changed_by_preview(const History& history) {
  const auto& previewed = history.previewed();
  return previewed && !same_document(*previewed, history.committed()) ? previewed : nullptr;
}

// How the user's work is viewed, also while a lesson covers it and before it is shown.
files::SessionView users_view(const view::ViewState& state, const Workspace& workspace) {
  if (workspace.work_suspended()) return state.lesson.outside.view;
  const auto* coming = state.requests.waiting<view::request::ShowView>();
  return coming ? coming->view : view::view_of(state);
}

bool same_pins(const files::SessionView& one, const files::SessionView& other) {
  return one.pins == other.pins && one.detached_pins == other.detached_pins;
}

}  // namespace

JournalPersister::JournalPersister(Workspace& workspace, const std::string& folder,
                                   std::function<void()> on_problem)
    : workspace_(workspace),
      saved_(workspace.own().saved),
      path_(workspace.own().path),
      clean_(workspace.own().history.committed()) {
  if (folder.empty()) {
    problem_ = "neither XDG_STATE_HOME nor HOME is set";
    return;
  }
  auto location = files::JournalLocation::take_new(folder);
  if (!location) {
    problem_ = location.error().message;
    return;
  }
  writer_ = std::make_unique<files::JournalWriter>(std::move(*location), std::move(on_problem));
  workspace_.set_follower([this](const RecordLine& line) {
    if (line.text.empty()) broken_ = true;
    lines_.push_back(line);
  });
}

JournalPersister::~JournalPersister() { workspace_.set_follower(nullptr); }

void JournalPersister::wait() {
  if (writer_) writer_->wait();
}

bool JournalPersister::keeps_something() const {
  return workspace_.own().has_unsaved_steps() || answers_.keeps();
}

void JournalPersister::finish() {
  workspace_.set_follower(nullptr);
  if (writer_) writer_->finish();
  writer_.reset();
}

void JournalPersister::keep(view::ViewState& state) {
  if (writer_) {
    const files::SessionView view = users_view(state, workspace_);
    follow(view);
    take_over(state);
    if (begun_ && !view_) keep_view(view);
    answers_.keep(state, workspace_, *writer_);
    problem_ = writer_->take_problem();
  }
  state.recovery.edits_kept = writer_ && !writer_->failed();
  if (!problem_.empty())
    state.error = "Edits cannot be kept for a crash: " + std::exchange(problem_, {});
}

void JournalPersister::follow(const files::SessionView& view) {
  std::vector<RecordLine> lines = std::exchange(lines_, {});
  bool broken = std::exchange(broken_, false);
  if (saved_ != workspace_.own().saved || path_ != workspace_.own().path) broken = true;
  auto previewed = changed_by_preview(workspace_.own().history);
  const bool pinned = begun_ && view_ && !same_pins(*view_, view);
  if (lines.empty() && !broken && previewed == previewed_ && !pinned) return;
  saved_ = workspace_.own().saved;
  path_ = workspace_.own().path;
  const bool held = std::exchange(previewed_, std::move(previewed)) != nullptr;
  if (!workspace_.own().has_unsaved_steps() && !previewed_) {
    if (std::exchange(begun_, false)) writer_->clear();
    done_ = undone_ = count_ = bytes_ = 0;
    clean_ = workspace_.own().history.committed();
    return;
  }
  if (broken || writer_->failed() || !leads_on(lines)) {
    begin_anew();
  } else {
    write_on(std::move(lines));
  }
  keep_view(view);
  if (previewed_) {
    writer_->hold(workspace_.record_line(*workspace_.own().history.previewed_command()));
  } else if (held) {
    writer_->hold({});
  }
}

void JournalPersister::keep_view(const files::SessionView& view) {
  if (view_ == view) return;
  writer_->keep_view(view);
  view_ = view;
  ++count_;
}

// Counts the lines as if they were in the journal. False when replaying them there would not lead
// to this document, or the journal becomes too long.
bool JournalPersister::leads_on(const std::vector<RecordLine>& lines) {
  for (const RecordLine& line : lines) {
    const bool undo = line.text == kUndoLine, redo = line.text == kRedoLine;
    if ((undo && done_ == 0) || (redo && undone_ == 0)) return false;
    done_ = undo ? done_ - 1 : done_ + 1;
    undone_ = undo ? undone_ + 1 : redo ? undone_ - 1 : 0;
    bytes_ += line.text.size();
  }
  count_ += lines.size();
  return count_ <= kMostLines && bytes_ <= kMostBytes;
}

files::JournalHead JournalPersister::head(std::size_t edits) const {
  return {workspace_.own().history.document().title,
          absolute_path(path_),
          edits,
          {},
          !workspace_.own().saves_to().empty()};
}

void JournalPersister::begin_anew(std::function<void()> then) {
  writer_->begin(head(unsaved_steps(workspace_.own())), workspace_.own().history.committed(), {},
                 std::move(then));
  begun_ = true;
  view_.reset();
  done_ = undone_ = count_ = bytes_ = 0;
}

void JournalPersister::write_on(std::vector<RecordLine> lines) {
  if (std::exchange(begun_, true)) {
    if (!lines.empty()) writer_->append(std::move(lines));
  } else {
    view_.reset();
    writer_->begin(head(0), clean_, std::move(lines));
  }
}

// The other journal is removed once this one holds its content and the document is shown: a
// document that could not be evaluated was not restored.
void JournalPersister::take_over(view::ViewState& state) {
  if (!state.recovery.restored || workspace_.behind()) return;
  const view::RestoredWork restored = *std::exchange(state.recovery.restored, std::nullopt);
  if (workspace_.opened() == restored.opened_before) return;
  const auto remove = [work = restored.work] { view::end_recovery(*work); };
  if (workspace_.own().has_unsaved_steps()) {
    begin_anew(remove);
  } else {
    remove();
  }
}

}  // namespace lab::shell
