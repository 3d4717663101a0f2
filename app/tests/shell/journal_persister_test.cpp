// What a window's journal holds, whatever is done in the window.
#include "app/shell/journal_persister.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "app/base/unicode_text.h"
#include "app/files/io/bytes.h"
#include "app/files/session/session.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/view/session/recovery_actions.h"
#include "app/view/session/view_memory.h"

namespace lab {
namespace {

using samples::fingerprint;
using samples::RandomCommands;

// A command as the window gives it: what is typed there is UTF-8, all that a session can hold.
Command typed(RandomCommands& commands) {
  for (;;) {
    Command command = commands.next();
    const auto* sentence = std::get_if<SetSentence>(&command);
    const auto* kv_sentence = std::get_if<SetKvSentence>(&command);
    if ((!sentence || is_utf8(sentence->text)) && (!kv_sentence || is_utf8(kv_sentence->text)))
      return command;
  }
}

class KeptWorkspace : public ::testing::Test {
 protected:
  // Executes what is asked for and ends the frame.
  void frame(std::vector<Intent> intents) {
    for (Intent& intent : intents) workspace.queue(std::move(intent));
    workspace.drain();
    persister->keep(state);
    persister->wait();
  }
  void set_temperature(float value) { frame({intent::Apply{SetTemperature{value}}}); }

  std::vector<std::string> journals() const {
    std::vector<std::string> paths;
    for (const auto& file : std::filesystem::directory_iterator(folder))
      if (file.path().extension() == ".journal") paths.push_back(file.path().string());
    return paths;
  }
  Journal journal() const {
    EXPECT_EQ(journals().size(), 1u);
    return read_journal(read_bytes(journals().front()).value()).value();
  }
  Replayed restored() const { return replay(journal()).value(); }
  // What a crash would leave now is what is edited, or nothing where that is saved.
  void expect_nothing_is_lost() const {
    const Work& own = workspace.own();
    const bool held =
        own.history.previewing() && !same_document(own.history.document(), own.history.committed());
    ASSERT_EQ(!journals().empty(), own.has_unsaved_steps() || held);
    if (journals().empty()) return;
    const Replayed replayed = restored();
    ASSERT_EQ(replayed.damage, "");
    ASSERT_EQ(fingerprint(replayed.history.document()), fingerprint(own.history.document()));
  }

  TemporaryFolder temporary;
  const std::string folder = temporary / "journal";
  ViewState state;
  Workspace workspace{samples::small_document(), "relative.json"};
  std::unique_ptr<JournalPersister> persister =
      std::make_unique<JournalPersister>(workspace, folder, nullptr);
};

TEST_F(KeptWorkspace, HasNoJournalUntilTheFirstEdit) {
  frame({});
  frame({intent::Preview{SetTemperature{workspace.document().problem.config.temperature}}});
  EXPECT_TRUE(journals().empty());
  frame({intent::Preview{SetTemperature{2}}, intent::Commit{}});
  EXPECT_EQ(journals().size(), 1u);
}

TEST_F(KeptWorkspace, ADragThatIsHeldIsKeptAndGoesWithIt) {
  frame({intent::Preview{SetTemperature{2}}});
  frame({intent::Preview{SetTemperature{3}}});
  EXPECT_EQ(edits_in(journal()), 1u);
  EXPECT_EQ(restored().history.document().problem.config.temperature, 3.0f);
  frame({intent::Cancel{}});
  EXPECT_TRUE(journals().empty());
}

TEST_F(KeptWorkspace, ADragAfterAnEditIsOneStepMoreUntilItIsGivenUp) {
  set_temperature(2);
  for (const float value : {3.0f, 4.0f, 5.0f}) frame({intent::Preview{SetTemperature{value}}});
  EXPECT_EQ(edits_in(journal()), 2u);
  EXPECT_EQ(restored().history.document().problem.config.temperature, 5.0f);
  frame({intent::Cancel{}});
  EXPECT_EQ(edits_in(journal()), 1u);
  expect_nothing_is_lost();
  frame({intent::Preview{SetTemperature{6}}});
  frame({intent::Commit{}});
  set_temperature(7);
  EXPECT_EQ(edits_in(journal()), 3u);
  expect_nothing_is_lost();
}

TEST_F(KeptWorkspace, KeepsEveryStepAsOneThatCanBeUndone) {
  set_temperature(2);
  set_temperature(3);
  frame({intent::ApplyMerged{SetSentence{"a b"}, "typing"}});
  frame({intent::ApplyMerged{SetSentence{"a b c"}, "typing"}});
  expect_nothing_is_lost();
  EXPECT_EQ(edits_in(journal()), 3u);
  History history = restored().history;
  while (history.undo()) {
  }
  EXPECT_EQ(fingerprint(history.document()), fingerprint(samples::small_document()));
}

TEST_F(KeptWorkspace, SaysWhoseTheJournalIs) {
  set_temperature(2);
  EXPECT_EQ(journal().head.path, std::filesystem::absolute("relative.json").string());
  EXPECT_EQ(journal().head.title, workspace.document().title);
}

TEST_F(KeptWorkspace, HasNoneOnceItIsSaved) {
  set_temperature(2);
  frame({intent::MarkSaved{"elsewhere.json"}});
  EXPECT_TRUE(journals().empty());
  set_temperature(3);
  EXPECT_EQ(edits_in(journal()), 1u);
  EXPECT_TRUE(journal().head.path.ends_with("/elsewhere.json"));
}

TEST_F(KeptWorkspace, HasNoneOnceItIsUndoneToWhatIsSaved) {
  set_temperature(2);
  frame({intent::Undo{}});
  EXPECT_TRUE(journals().empty());
  frame({intent::Redo{}});
  expect_nothing_is_lost();
  EXPECT_EQ(edits_in(journal()), 1u);
}

TEST_F(KeptWorkspace, UndoneToBeforeItWasSavedIsKeptFromThere) {
  set_temperature(2);
  set_temperature(3);
  frame({intent::MarkSaved{"a.json"}});
  frame({intent::Undo{}});
  frame({intent::Undo{}});
  expect_nothing_is_lost();
  EXPECT_EQ(edits_in(journal()), 2u);
}

TEST_F(KeptWorkspace, SavedWhileItWasEditedKeepsWhatIsNotInTheFile) {
  set_temperature(2);
  const auto noted = std::make_shared<std::size_t>(0);
  frame({intent::NoteState{noted}});
  set_temperature(3);
  frame({intent::MarkSaved{"a.json", noted}});
  expect_nothing_is_lost();
  EXPECT_EQ(edits_in(journal()), 1u);
}

TEST_F(KeptWorkspace, HasNoneOnceAnotherDocumentIsOpened) {
  set_temperature(2);
  frame({intent::Apply{SetTemperature{3}}, intent::Replace{samples::file_document(), "b.json"}});
  EXPECT_TRUE(journals().empty());
  frame({intent::Replace{samples::small_document(), ""}, intent::Apply{SetTemperature{4}}});
  expect_nothing_is_lost();
}

TEST_F(KeptWorkspace, KeepsSuspendedWorkAndNothingOfWhatReplacesIt) {
  const Document start = workspace.document();
  set_temperature(2);
  frame({intent::Apply{SetTemperature{3}}, intent::SuspendWork{start}});
  set_temperature(7);
  EXPECT_EQ(restored().history.document().problem.config.temperature, 3.0f);
  frame({intent::Replace{start, {}}});
  EXPECT_EQ(restored().history.document().problem.config.temperature, 3.0f);
  frame({intent::RestoreWork{}, intent::Apply{SetTemperature{4}}});
  EXPECT_EQ(restored().history.document().problem.config.temperature, 4.0f);
  expect_nothing_is_lost();
}

TEST_F(KeptWorkspace, BeginsAnewAfterManyEdits) {
  const int count = static_cast<int>(JournalPersister::kMostLines) + 5;
  for (int i = 0; i < count; ++i) {
    workspace.queue(intent::Apply{SetTemperature{1 + static_cast<float>(i + 1) / 4096}});
    workspace.drain();
    persister->keep(state);
  }
  persister->wait();
  expect_nothing_is_lost();
  EXPECT_LT(journal().commands.size(), 10u);
  EXPECT_EQ(edits_in(journal()), std::size_t(count)) << "the history forgot one before then";
}

TEST_F(KeptWorkspace, KeepsThePinsOfTheUsersOwnWork) {
  const auto pins = [&] { return journal().view ? journal().view->pins.size() : 0; };
  set_temperature(2);
  EXPECT_EQ(pins(), 0u);
  state.inspection.pins = {{"weights", 0, 1, 1}};
  frame({});
  EXPECT_EQ(pins(), 1u) << "without another edit";
  state.inspection.pins.push_back({"scores", 0, 1, 0});
  frame({intent::Preview{SetTemperature{3}}});
  EXPECT_EQ(pins(), 2u);
  state.inspection.pins.pop_back();
  frame({});
  EXPECT_EQ(pins(), 1u);
  expect_nothing_is_lost();  // of the drag
  frame({intent::Cancel{}, intent::Undo{}});
  frame({intent::Redo{}});
  EXPECT_EQ(pins(), 1u) << "in a journal that begins anew";
  state.lesson.outside.view = view_of(state);
  state.inspection.pins.clear();
  frame({intent::SuspendWork{workspace.document()}});
  EXPECT_EQ(pins(), 1u) << "a lesson has its own";
}

TEST_F(KeptWorkspace, LosesNothingWhateverIsDone) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    RandomCommands commands(seed);
    const auto noted = std::make_shared<std::size_t>(0);
    for (int i = 0; i < 120; ++i) {
      std::vector<Intent> intents;
      for (int many = commands.pick(3); many >= 0; --many) {
        const int type = commands.pick(24);
        if (type < 8) intents.push_back(intent::Apply{typed(commands)});
        if (type >= 8 && type < 12) intents.push_back(intent::ApplyMerged{typed(commands), "a"});
        if (type >= 12 && type < 16) intents.push_back(intent::Undo{});
        if (type >= 16 && type < 18) intents.push_back(intent::Redo{});
        if (type == 18) intents.push_back(intent::MarkSaved{"a.json"});
        if (type == 19) intents.push_back(intent::NoteState{noted});
        if (type == 20) intents.push_back(intent::MarkSaved{"b.json", noted});
        if (type == 21) intents.push_back(intent::Preview{typed(commands)});
        if (type == 22) intents.push_back(intent::JumpTo{std::size_t(commands.pick(20))});
        if (type == 23 && commands.pick(3) == 0)
          intents.push_back(intent::Replace{samples::file_document(), ""});
      }
      frame(std::move(intents));
      expect_nothing_is_lost();
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(KeptWorkspace, LeavesTheJournalUnlessTheUserEndsIt) {
  set_temperature(2);
  persister.reset();
  EXPECT_EQ(journals().size(), 1u);
}

TEST_F(KeptWorkspace, LeavesNothingWhenTheUserEndsIt) {
  set_temperature(2);
  persister->finish();
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(KeptWorkspace, SaysOnceThatEditsCannotBeKept) {
  std::filesystem::remove_all(folder);
  set_temperature(2);
  frame({});
  EXPECT_THAT(state.error, ::testing::StartsWith("Edits cannot be kept for a crash: "));
  EXPECT_FALSE(state.recovery.edits_kept);
  state.error.clear();
  set_temperature(3);
  frame({});
  EXPECT_EQ(state.error, "");
  EXPECT_FALSE(state.recovery.edits_kept) << "said once, but shown for as long as it is so";
}

TEST_F(KeptWorkspace, TriesAgainWithTheNextEdit) {
  const std::string path = folder + "/" +
                           std::filesystem::directory_iterator(folder)->path().stem().string() +
                           ".journal";
  std::filesystem::create_directory(path);
  set_temperature(2);
  std::filesystem::remove(path);
  set_temperature(3);
  expect_nothing_is_lost();
  frame({});
  EXPECT_TRUE(state.recovery.edits_kept);
}

TEST_F(KeptWorkspace, WithoutAFolderIsSaidOnce) {
  Workspace other(samples::small_document());
  JournalPersister homeless(other, "", nullptr);
  homeless.keep(state);
  EXPECT_THAT(state.error, ::testing::HasSubstr("XDG_STATE_HOME"));
  state.error.clear();
  homeless.keep(state);
  homeless.finish();
  EXPECT_EQ(state.error, "");
  EXPECT_FALSE(state.recovery.edits_kept);
}

class RestoredWindow : public KeptWorkspace {
 protected:
  // What another window left, which was restored here.
  std::shared_ptr<LostWork> lost() const {
    auto place = std::make_unique<JournalLocation>(JournalLocation::take_new(folder).value());
    const std::string text = JournalLines().begin({"lost", "", 2, {}}, workspace.document());
    EXPECT_TRUE(write_bytes(place->journal(), text));
    return std::make_shared<LostWork>(
        LostWork{std::move(place), read_journal(text).value(), 0, false});
  }
  intent::Resume resume(const LostWork& work) const {
    return {std::make_shared<const History>(replay(work.journal)->history), "", false};
  }
};

TEST_F(RestoredWindow, TakesOverWhatItRestored) {
  state.recovery.restored = {lost(), workspace.opened()};
  frame({resume(*state.recovery.restored->work)});
  expect_nothing_is_lost();
  EXPECT_EQ(journal().head.title, workspace.document().title) << "its own, the other one is gone";
  EXPECT_FALSE(state.recovery.restored);
}

TEST_F(RestoredWindow, LeavesTheOtherJournalWhenNothingWasRestored) {
  state.recovery.restored = {lost(), workspace.opened()};
  frame({});
  EXPECT_EQ(journal().head.title, "lost");
}

TEST_F(RestoredWindow, LeavesTheOtherJournalWhenItCannotKeepItsOwn) {
  const auto work = lost();
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().stem() != std::filesystem::path(work->location->journal()).stem())
      std::filesystem::remove(file);
  state.recovery.restored = {work, workspace.opened()};
  frame({resume(*work)});
  EXPECT_EQ(journal().head.title, "lost");
}

}  // namespace
}  // namespace lab
