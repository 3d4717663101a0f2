#include "app/view/session/file_actions.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/base/visible_text.h"
#include "app/files/document_session.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/journal/journal.h"
#include "app/files/opened_model.h"
#include "app/files/problem/document_format.h"
#include "app/translation/words.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/maps/model_heads.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/get_model.h"
#include "app/view/session/import_actions.h"
#include "app/view/session/view_memory.h"

namespace lab::view {
namespace {

void start_anew(Ui& ui) {
  ui.state.requests.withdraw<request::ShowView>();
  ui.state.file_change.reset();
  ui.queue(intent::Replace{new_session(), {}});
  ui.state.notice = tr("A new session: 2 heads with random weights. Type your sentence.");
  ui.state.requests.ask(request::GiveKeyboard{TextField::kSentence});
  ui.state.sentence.caret = CaretTo::kAll;  // what is typed replaces the placeholder
}

// The result of reading, for the thread that draws.
struct Arrival {
  files::Opened opened;

  void show(Ui& ui) const { ui.queue(show_opened(ui.state, opened)); }
};

// A file that no longer exists is removed from the list of recent ones.
Job::Finish missing_or_wrong(const std::string& source, const Error& error) {
  std::error_code none;
  const bool there = std::filesystem::exists(source, none);
  return [source, there, report = report_failure(error)](Ui& ui) {
    report(ui);
    if (!there) ui.state.recent.missing = source;
  };
}

// True when no other dialog would be closed by a question about a file that could not be opened.
bool can_ask(const Ui& ui) {
  const Dialog open = ui.state.dialog.open;
  return open == Dialog::kNone || open == Dialog::kOpen || open == Dialog::kOpenModel;
}

// Why a session of a model could not be opened, and the question where its model is.
Job::Finish ask_for_model(const std::string& session, const std::string& folder,
                          const Error& error) {
  return [session, folder, error, report = report_failure(error)](Ui& ui) {
    if (!can_ask(ui)) return report(ui);
    open_dialog(ui, Dialog::kOpenModel, folder);
    ui.state.dialog.problem = error.message;
    ui.state.dialog.lost_model = LostModel{session, error.remedy == Remedy::kFolderOrOpen};
  };
}

// What is shown once a file was read.
using ShowArrival = std::function<void(Ui&, const std::shared_ptr<const Arrival>&)>;

void read_source(Ui& ui, const std::string& source, const ShowArrival& then,
                 const files::ModelChoice& choice = {}) {
  const auto work = [source, then, choice](attention::WorkWatch& watch) -> Job::Finish {
    auto opened = files::open_anything(source, &watch, choice);
    if (!opened && opened.error().remedy != Remedy::kNone)
      return ask_for_model(source, choice.folder, opened.error());
    if (!opened) return missing_or_wrong(source, opened.error());
    auto arrival = std::make_shared<const Arrival>(Arrival{std::move(*opened)});
    return [then, arrival](Ui& after) { then(after, arrival); };
  };
  ui.state.notice.clear();
  ui.jobs.start(ui, {tr("opening {}", {files::file_name_of(source)}), work});
}

void show_when_free(Ui& ui, const std::shared_ptr<const Arrival>& arrival) {
  leave_document(ui, destination::Ready{[arrival](Ui& after) { arrival->show(after); }});
}

}  // namespace

// Small enough to be visible completely.
Document new_session() {
  attention::Config config;
  config.d_model = config.d_out = 8;
  config.n_heads = 2;
  config.d_k = config.d_v = 4;
  Document document = make_document(tr("Type a sentence here"), config, 1);
  document.title = tr("New session");
  return document;
}

intent::Replace show_opened(ViewState& state, const files::Opened& opened,
                            std::shared_ptr<const ShownArrays> arrays) {
  for (const std::string& note : opened.notes)
    state.notice += (state.notice.empty() ? "" : "  ") + note;
  state.requests.withdraw<request::ShowView>();
  if (opened.view) state.requests.ask(request::ShowView{*opened.view});
  forget_choices(state);
  state.arrays = {};
  state.file_change = opened.change;
  if (!opened.path.empty()) state.recent.newest = opened.path;
  return {opened.document, opened.path, opened.is_session, std::move(arrays)};
}

void open_source(Ui& ui, const std::string& source) { read_source(ui, source, show_when_free); }

void open_with_model(Ui& ui, const std::string& session, const files::ModelChoice& choice) {
  if (commit_pending(ui)) read_source(ui, session, show_when_free, choice);
}

void save_session(Ui& ui, const std::string& path, const Job::Finish& then) {
  const auto state = std::make_shared<std::size_t>(0);
  ui.queue(intent::NoteState{state});
  const auto saved = [path, state, then](Ui& after) {
    after.state.error.clear();  // of an earlier attempt
    after.state.notice = tr("Saved to {}", {path});
    after.state.file_change = files::last_change(path);
    after.state.recent.newest = path;
    after.queue(intent::MarkSaved{path, state});
    if (then) then(after);
  };
  const auto work = [path, saved, document = ui.edited(),
                     view = view_of(ui.state)](attention::WorkWatch&) -> Job::Finish {
    const auto session = files::save_document(document, path, view);
    if (!session) return report_failure(session.error());
    const auto written = files::write_bytes(path, *session);
    if (!written) return report_failure(written.error());
    return saved;
  };
  ui.jobs.start(ui, {tr("saving {}", {files::file_name_of(path)}), work, false});
}

void save_problem(Ui& ui, const std::string& path) {
  const auto work = [path, document = ui.edited()](attention::WorkWatch&) -> Job::Finish {
    const auto written = files::write_document(document, files::ending_of(path));
    if (!written) return report_failure(written.error());
    if (auto done = files::write_bytes(path, written->bytes); !done)
      return report_failure(done.error());
    const std::string& lost = written->lost;
    return [notice = lost.empty() ? tr("Wrote the tensors to {}", {path})
                                  : tr("Wrote the tensors to {}; {}", {path, lost})](Ui& after) {
      after.state.notice = notice;
    };
  };
  ui.jobs.start(ui, {tr("writing {}", {files::file_name_of(path)}), work, false});
}

std::string heading_of(const Workspace& workspace) {
  const Document& document = workspace.document();
  if (!document.title.empty()) return printable(document.title);
  const std::string& path = workspace.path();
  return printable(path.empty() ? document.sentence : files::file_name_of(path));
}

std::string session_path(const Ui& ui) {
  std::string path = ui.workspace.saves_to();
  return files::check_session_path(path) && !changed_elsewhere(ui) ? path : std::string();
}

bool changed_elsewhere(const Ui& ui) {
  const auto change = files::last_change(ui.workspace.path());
  return change && ui.state.file_change && *change != *ui.state.file_change;
}

void ask_session_path(Ui& ui) {
  const std::filesystem::path path = ui.workspace.path();
  ask_file(ui, Dialog::kSaveAs,
           path.empty() ? "session.json" : std::filesystem::path(path).replace_extension(".json"));
  if (changed_elsewhere(ui))
    ui.state.dialog.problem =
        tr("{} was changed by another program meanwhile.", {files::file_name_of(path)});
}

void leave_now(Ui& ui, const Destination& next) {
  if (std::holds_alternative<destination::Quit>(next)) {
    ui.state.quit = true;
  } else if (const auto* source = std::get_if<destination::Source>(&next)) {
    open_source(ui, source->name);
  } else if (const auto* ready = std::get_if<destination::Ready>(&next)) {
    ready->show(ui);
  } else if (std::holds_alternative<destination::NewSession>(next)) {
    start_anew(ui);
  }
}

void leave_document(Ui& ui, const Destination& next) {
  if (!commit_pending(ui)) return;
  if (const auto* source = std::get_if<destination::Source>(&next)) {
    if (files::missing_model(source->name)) return open_get_model(ui, source->name);
    if (!open_lesson_source(ui, source->name) && !import_source(ui, source->name))
      open_source(ui, source->name);
    return;
  }
  if (lesson_is_open(ui.state)) return leave_lesson(ui, next);
  if (ui.jobs.busy()) {
    ui.state.requests.ask(request::Leave{next});
    ui.state.notice = tr("This continues once {} is done; Ctrl+. stops that", {ui.jobs.name()});
  } else if (keeps_own_work(next) || !ui.workspace.modified()) {
    leave_now(ui, next);
  } else {
    open_dialog(ui, Dialog::kUnsaved);
    ui.state.dialog.then_go = next;
  }
}

bool can_revert(const Ui& ui) {
  const Workspace& workspace = ui.workspace;
  if (!workspace.modified()) return changed_elsewhere(ui);
  return !workspace.path().empty() || workspace.history().has_past(workspace.saved_state());
}

void revert(Ui& ui) {
  if (!commit_pending(ui) || !can_revert(ui)) return;
  if (!ui.workspace.modified()) return revert_now(ui);
  if (!ui.workspace.path().empty()) return open_dialog(ui, Dialog::kRevert);
  ui.queue(intent::BackTo{ui.workspace.saved_state()});
  ui.state.notice = tr("Reverted to its state when it was opened; redo restores the changes");
}

// What was changed while the file was read is asked about again.
void revert_now(Ui& ui) {
  const std::size_t asked_in = ui.workspace.history().state_id();
  read_source(ui, ui.workspace.path(),
              [asked_in](Ui& after, const std::shared_ptr<const Arrival>& arrival) {
                const bool same = after.workspace.history().state_id() == asked_in;
                if (!same) return show_when_free(after, arrival);
                arrival->show(after);
              });
}

void open_dropped(Ui& ui, const std::vector<std::string>& files) {
  const auto is_file = [](const std::string& path) {
    std::error_code none;
    return !std::filesystem::is_directory(path, none);
  };
  const auto found = std::ranges::find_if(files, is_file);
  const std::string& chosen = found == files.end() ? files.front() : *found;
  leave_document(ui, destination::Source{chosen});
  if (files.size() == 1 || !ui.state.error.empty() || !ui.state.notice.empty()) return;
  ui.state.notice = tr("One file is shown at a time: {} of {}",
                       {files::file_name_of(chosen), std::to_string(files.size())});
}

void open_dialog(Ui& ui, Dialog dialog, const std::string& path) {
  ui.state.dialog.open = dialog;
  ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
  ++ui.state.dialog.number;
  ui.state.dialog.path = path;
  ui.state.dialog.problem.clear();
  ui.state.dialog.replace.clear();
  ui.state.dialog.search.clear();
  ui.state.dialog.choice = 0;
  ui.state.dialog.then_leave = false;
  ui.state.dialog.drawn = 0;
  ui.state.dialog.asking = false;
  ui.state.dialog.lost_model.reset();
}

bool may_write(Ui& ui, const std::string& path) {
  DialogState& dialog = ui.state.dialog;
  std::error_code none;
  const bool own =
      std::filesystem::equivalent(path, ui.workspace.path(), none) && !changed_elsewhere(ui);
  if (own || dialog.replace == path || !std::filesystem::exists(path, none)) return true;
  if (!std::filesystem::is_regular_file(path, none)) {
    dialog.problem = tr("{} is a folder or device, not a file.", {files::file_name_of(path)});
    return false;
  }
  dialog.replace = path;
  dialog.problem = tr("{} exists. Replace?", {files::file_name_of(path)});
  return false;
}

}  // namespace lab::view
