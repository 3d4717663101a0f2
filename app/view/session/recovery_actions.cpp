#include "app/view/session/recovery_actions.h"

#include <utility>

#include "app/base/bad_input.h"
#include "app/base/visible_text.h"
#include "app/base/wording.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/session/file_actions.h"

namespace lab::view {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

struct Found {
  std::vector<std::shared_ptr<LostWork>> work;
  std::string problem;  // with what could not be read

  void show(Ui& ui) {
    RecoveryState& recovery = ui.state.recovery;
    recovery.offers = std::move(work);
    recovery.count = recovery.offers.size();
    if (!problem.empty()) ui.state.error = problem;
  }
};

std::string sentence_about_damage(const std::string& path, const std::string& why) {
  return tr("The recovery data of a crash is damaged: {}. It was moved to {}",
            {why, printable(path)});
}

// A file that a crash left behind.
struct LeftFile {
  std::string bytes;
  std::int64_t changed = 0;
};

// Nothing when there is no such file, or it cannot be read.
std::optional<LeftFile> left_file(const std::string& path, attention::WorkWatch& watch,
                                  Found& found) {
  const auto changed = files::last_change(path);
  if (!changed) return std::nullopt;
  auto bytes = files::read_bytes(path, files::kLargestFile, &watch);
  if (bytes) return LeftFile{std::move(*bytes), *changed};
  found.problem = bytes.error().message;
  return std::nullopt;
}

void read_lost_edits(LostWork& work, attention::WorkWatch& watch, Found& found) {
  const auto left = left_file(work.location->journal(), watch, found);
  if (!left) return;
  auto journal = files::read_journal(left->bytes);
  if (!journal) {
    found.problem =
        sentence_about_damage(work.location->move_journal_away(), journal.error().message);
    return;
  }
  // A crash during the first edit lost only that edit.
  if (files::edits_in(*journal) == 0 && journal->damage.empty())
    return (void)work.location->remove_journal();
  work.journal = std::move(*journal);
  work.last_edit = left->changed;
  work.damaged = !work.journal.damage.empty();
}

void read_lost_answers(LostWork& work, attention::WorkWatch& watch, Found& found) {
  const auto left = left_file(work.location->answers(), watch, found);
  if (!left) return;
  auto progress = lessons::read_progress(left->bytes);
  if (!progress) {
    found.problem =
        sentence_about_damage(work.location->move_answers_away(), progress.error().message);
    return;
  }
  work.lesson = std::move(*progress);
  work.last_answer = left->changed;
}

void go_to(std::unique_ptr<files::JournalLocation> location, attention::WorkWatch& watch,
           Found& found) {
  auto work = std::make_shared<LostWork>();
  work->location = std::move(location);
  read_lost_edits(*work, watch, found);
  read_lost_answers(*work, watch, found);
  if (work->has_edits() || work->lesson) found.work.push_back(std::move(work));
}

Job::Finish find_lost_work(const std::string& folder, attention::WorkWatch& watch) {
  const auto found = std::make_shared<Found>();
  for (auto& location : files::left_journals(folder)) go_to(std::move(location), watch, *found);
  return [found](Ui& ui) { found->show(ui); };
}

void look_for_lost_work(Ui& ui) {
  const std::string folder = std::exchange(ui.state.recovery.folder, {});
  ui.jobs.start(ui, {tr("looking for lost work"), [folder](attention::WorkWatch& watch) {
                       return find_lost_work(folder, watch);
                     }});
}

// True when the file is no longer the one that the journal continues.
bool file_changed(const LostWork& work) {
  const files::JournalHead& head = work.journal.head;
  return files::last_change(head.path) != head.file_time;
}

std::string file_sentence(const LostWork& work) {
  const files::JournalHead& head = work.journal.head;
  if (!file_changed(work)) return {};
  return files::last_change(head.path)
             ? tr("The file has changed since then; it is not touched until you save.")
             : tr("The file no longer exists.");
}

std::string count_sentence(const LostWork& work, std::time_t now) {
  const std::size_t edits = files::edits_in(work.journal);
  const auto last = static_cast<std::time_t>(work.last_edit / kNanoseconds);
  return tr_count("{} edit is not saved, the last one made {}.",
                  "{} edits are not saved, the last one made {}.", static_cast<long>(edits),
                  {time_in_words(last, now)});
}

std::string notice_of_restoring(const RecoveryState& recovery) {
  std::string restored =
      recovery.others == 0
          ? tr("Restored; it is not saved yet.")
          : tr("Restored; it is not saved yet. {} more will be offered at the next "
               "start.",
               {std::to_string(recovery.others)});
  if (recovery.left_lesson.empty()) return restored;
  return restored + " " +
         tr("The lesson “{}” was left; Help → Lessons… or Open goes back to it.",
            {recovery.left_lesson});
}

void resume_next(Ui& ui, const std::shared_ptr<LostWork>& work) {
  ui.state.requests.ask(
      request::Leave{destination::Ready{[work](Ui& after) { resume_lesson(after, work); }, true}});
}

// The work as it was, for the thread that draws.
struct Restoration {
  std::shared_ptr<LostWork> work;
  std::shared_ptr<const History> history;
  std::string damage;

  void show(Ui& ui) const {
    const files::JournalHead& head = work->journal.head;
    if (!damage.empty()) {
      work->damaged = true;
      ui.state.error = tr("The rest is damaged: {}", {damage});
    } else {
      ui.state.notice = notice_of_restoring(ui.state.recovery);
    }
    ui.state.recovery.restored = {work, ui.workspace.opened()};
    ui.state.file_change = head.file_time;
    ui.state.requests.withdraw<request::ShowView>();
    if (const auto& view = work->journal.view) ui.state.requests.ask(request::ShowView{*view});
    ui.queue(intent::Resume{history, head.path, head.saves_there,
                            head.edits == 0 && !file_changed(*work)});
    if (work->lesson) resume_next(ui, work);
  }
};

Job::Finish restore_in_background(const std::shared_ptr<LostWork>& work,
                                  attention::WorkWatch& watch) {
  attention::expect_work(&watch, std::ssize(work->journal.base));
  auto replayed = files::replay(work->journal, &watch);
  if (!replayed && replayed.error().type == ErrorType::kIo)
    return report_failure(
        {ErrorType::kIo, tr("The unsaved work cannot be restored now: {}. It is kept, and offered "
                            "again at the next start",
                            {replayed.error().message})});
  if (!replayed) {
    const std::string path = work->location->move_journal_away();
    return report_failure(
        {replayed.error().type, sentence_about_damage(path, replayed.error().message)});
  }
  auto history = std::make_shared<const History>(std::move(replayed->history));
  const Restoration restoration{work, std::move(history), replayed->damage};
  return [restoration](Ui& ui) {
    leave_document(ui, destination::Ready{[restoration](Ui& after) { restoration.show(after); }});
  };
}

}  // namespace

void follow_recovery(Ui& ui) {
  RecoveryState& recovery = ui.state.recovery;
  if (!recovery.folder.empty()) look_for_lost_work(ui);
  const Dialog open = ui.state.dialog.open;
  if (recovery.asking && open != Dialog::kRecovery) {
    recovery.asking = false;
    if (!recovery.offers.empty()) recovery.offers.erase(recovery.offers.begin());
  }
  if (recovery.offers.empty() || recovery.asking || open != Dialog::kNone) return;
  open_dialog(ui, Dialog::kRecovery);
  recovery.asking = true;
  recovery.discards = false;
}

std::vector<std::string> about_lost_work(const LostWork& work, std::time_t now) {
  const files::Journal& journal = work.journal;
  std::vector<std::string> sentences{count_sentence(work, now)};
  if (std::string file = file_sentence(work); !file.empty()) sentences.push_back(std::move(file));
  if (!journal.damage.empty())
    sentences.push_back(tr("The recovery data is damaged after that: {}.", {journal.damage}));
  return sentences;
}

std::string about_lost_answers(const LostWork& work, std::time_t now) {
  const auto last = static_cast<std::time_t>(work.last_answer / kNanoseconds);
  const auto count = static_cast<long>(lessons::answered_count(*work.lesson));
  if (count == 0)
    return tr("What was edited in it is not saved, last changed {}.", {time_in_words(last, now)});
  return tr_count("{} answer is not saved, the last one given {}.",
                  "{} answers are not saved, the last one given {}.", count,
                  {time_in_words(last, now)});
}

std::string open_lesson_title(const ViewState& state) {
  return lesson_is_open(state) ? printable(state.lesson.run->lesson().title) : std::string();
}

void restore_lost_work(Ui& ui) {
  RecoveryState& recovery = ui.state.recovery;
  const std::shared_ptr<LostWork> work = recovery.offers.front();
  recovery.others = recovery.offers.size() - 1;
  recovery.left_lesson = open_lesson_title(ui.state);
  recovery.offers.clear();
  ui.state.dialog.open = Dialog::kNone;
  if (!work->has_edits()) return resume_next(ui, work);
  ui.jobs.start(ui, {tr("restoring"), [work](attention::WorkWatch& watch) {
                       return restore_in_background(work, watch);
                     }});
}

void discard_lost_work(Ui& ui) {
  const auto removed = ui.state.recovery.offers.front()->location->remove();
  if (!removed) ui.state.error = removed.error().message;
}

void end_recovery(LostWork& work) {
  if (work.damaged) {
    work.location->move_journal_away();
  } else {
    (void)work.location->remove_journal();
  }
}

void end_answers_recovery(LostWork& work) { (void)work.location->remove_answers(); }

}  // namespace lab::view
