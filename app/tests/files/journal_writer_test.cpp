// The writer of a journal and its thread.
#include "app/files/journal/journal_writer.h"

#include <atomic>
#include <memory>

#include "app/document/commands/reducer.h"
#include "app/files/io/bytes.h"
#include "app/tests/document/samples.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

RecordLine edit(int number) {
  return {to_json_line(SetTemperature{1 + static_cast<float>(number) / 1000})};
}

class JournalFile : public ::testing::Test {
 protected:
  JournalFile() {
    JournalLocation place = value_of(JournalLocation::take_new(folder / "journal"));
    path = place.journal();
    writer = std::make_unique<JournalWriter>(std::move(place), [this] { ++told; });
  }
  void begin(std::vector<RecordLine> edits = {}) {
    writer->begin({"t", "", 0, {}}, samples::small_document(), std::move(edits));
  }
  Journal read() {
    writer->wait();
    return value_of(read_journal(value_of(read_bytes(path))));
  }

  TemporaryFolder folder;
  std::string path;
  std::atomic<int> told = 0;
  std::unique_ptr<JournalWriter> writer;
};

TEST_F(JournalFile, HoldsTheBaseAndEveryEditInOrder) {
  begin({edit(0)});
  for (int i = 1; i < 300; ++i) writer->append({edit(i)});
  const Journal journal = read();
  ASSERT_EQ(journal.commands.size(), 300u);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(journal.commands[std::size_t(i)], edit(i));
  EXPECT_EQ(value_of(replay(journal)).history.document().problem.config.temperature, 1.299f);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(JournalFile, BegunAnewHoldsNothingOfBefore) {
  begin({edit(0)});
  writer->wait();
  writer->append({edit(1)});
  begin({edit(2)});
  writer->append({edit(3)});
  EXPECT_EQ(read().commands, (std::vector<RecordLine>{edit(2), edit(3)}));
}

TEST_F(JournalFile, IsThereOnlyWhileThereIsSomethingToLose) {
  writer->wait();
  EXPECT_FALSE(fs::exists(path));
  begin();
  writer->wait();
  EXPECT_TRUE(fs::exists(path));
  writer->append({edit(1)});
  writer->clear();
  writer->wait();
  EXPECT_FALSE(fs::exists(path));
  begin({edit(4)});
  EXPECT_EQ(read().commands.size(), 1u);
}

TEST_F(JournalFile, WhatIsHeldIsAtTheEndOnceHoweverOftenItChanges) {
  begin({edit(0)});
  writer->wait();
  const auto size = fs::file_size(path);
  for (int i = 1; i < 20; ++i) {
    writer->hold(to_json_line(SetTemperature{1 + static_cast<float>(i) / 1000}));
    writer->wait();
  }
  EXPECT_EQ(read().commands, (std::vector<RecordLine>{edit(0), edit(19)}));
  EXPECT_LT(fs::file_size(path), size + 100);
  writer->append({edit(20)});
  EXPECT_EQ(read().commands, (std::vector<RecordLine>{edit(0), edit(20)}));
  writer->hold(to_json_line(SetTemperature{2}));
  writer->wait();
  writer->hold({});
  EXPECT_EQ(read().commands, (std::vector<RecordLine>{edit(0), edit(20)}));
}

TEST_F(JournalFile, AnswersAreAFileOfTheirOwn) {
  const std::string answers = path.substr(0, path.rfind('.')) + ".answers";
  bool notified = false;
  writer->keep_answers([] { return "one"; });
  writer->keep_answers([] { return "two"; }, [&] { notified = true; });
  writer->wait();
  EXPECT_EQ(value_of(read_bytes(answers)), "two");
  EXPECT_EQ(fs::status(answers).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(notified);
  EXPECT_FALSE(fs::exists(path));
  writer->keep_answers(nullptr);
  writer->wait();
  EXPECT_FALSE(fs::exists(answers));
}

TEST_F(JournalFile, EverythingAskedForIsWrittenBeforeTheWriterEnds) {
  begin();
  for (int i = 0; i < 50; ++i) writer->append({edit(i)});
  writer.reset();
  EXPECT_EQ(value_of(read_journal(value_of(read_bytes(path)))).commands.size(), 50u);
  EXPECT_EQ(left_journals(folder / "journal").size(), 1u);
}

TEST_F(JournalFile, LeavesNothingWhenTheWindowIsClosed) {
  begin({edit(1)});
  writer->finish();
  EXPECT_TRUE(fs::is_empty(folder / "journal"));
}

TEST_F(JournalFile, TellsOnceThatItCannotBeWrittenAndTriesAgainWithTheNextBase) {
  fs::create_directory(path);
  begin();
  writer->wait();
  EXPECT_TRUE(writer->failed());
  EXPECT_THAT(writer->take_problem(), ::testing::HasSubstr("cannot write"));
  writer->append({edit(1)});
  begin();
  writer->wait();
  EXPECT_EQ(writer->take_problem(), "");
  EXPECT_EQ(told, 1);
  fs::remove(path);
  begin({edit(2)});
  EXPECT_EQ(read().commands.size(), 1u);
  EXPECT_FALSE(writer->failed());
}

TEST_F(JournalFile, ThatWasRemovedByAnotherIsSaid) {
  begin();
  writer->wait();
  fs::remove(path);
  writer->append({edit(1)});
  writer->wait();
  EXPECT_TRUE(writer->failed());
  EXPECT_NE(writer->take_problem(), "");
}

TEST_F(JournalFile, IsNotWrittenWhereTheLockIsGone) {
  fs::remove_all(folder / "journal");
  fs::create_directory(folder / "journal");
  begin();
  writer->wait();
  EXPECT_TRUE(writer->failed());
  EXPECT_TRUE(fs::is_empty(folder / "journal"));
}

TEST_F(JournalFile, CallsBackOnceTheNewBaseIsThere) {
  std::atomic<bool> was_there = false;
  writer->begin({}, samples::small_document(), {}, [&] { was_there = fs::exists(path); });
  begin();  // which makes up for it, and for what was to be done then
  writer->wait();
  EXPECT_TRUE(was_there);
}

TEST_F(JournalFile, NotesWhenTheFileOfTheSessionWasChangedLast) {
  const std::string session = folder.write("session.json", "…");
  writer->begin({"t", session, 0, {}}, samples::small_document(), {});
  EXPECT_EQ(read().head.file_time, last_change(session));
}

// Documents share their matrices with what the window goes on to edit.
TEST_F(JournalFile, IsWrittenWhileTheDocumentIsEdited) {
  Document document = samples::small_document();
  for (int i = 0; i < 200; ++i) {
    const Command command = SetCell{{MatrixId::kWQ, 0}, i % 6, i % 4, static_cast<float>(i)};
    writer->begin({"t", "", 0, {}}, document, {{to_json_line(command)}});
    document = samples::after(document, command);
    writer->append({edit(i)});
    (void)writer->failed();
  }
  const Replayed replayed = value_of(replay(read()));
  EXPECT_EQ(*replayed.history.document().problem.parameters.heads[0].W_Q,
            *document.problem.parameters.heads[0].W_Q);
}

}  // namespace
}  // namespace lab
