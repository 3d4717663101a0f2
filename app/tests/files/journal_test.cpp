// The format of a journal: what is written reads back, and nothing that was changed is believed.
#include "app/files/journal/journal.h"

#include <numeric>

#include "app/document/workspace.h"
#include "app/files/session/session.h"
#include "app/tests/document/samples.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using samples::fingerprint;
using ::testing::HasSubstr;

RecordLine set_temperature(float value, bool grows = false) {
  return {to_json_line(SetTemperature{value}), grows};
}

const RecordLine kUndo{std::string(kUndoLine)}, kRedo{std::string(kRedoLine)};
const std::vector<RecordLine> kEdits{
    set_temperature(2), set_temperature(3, true), kUndo, kRedo, set_temperature(4), kUndo};

// The lines of a journal of a small document, each with its end.
std::vector<std::string> lines_of(const JournalHead& head, const std::vector<RecordLine>& edits) {
  JournalLines lines;
  const std::string begin = lines.begin(head, value_of(read_session(small_session())));
  const std::size_t first = begin.find('\n') + 1;
  std::vector<std::string> texts{begin.substr(0, first), begin.substr(first)};
  for (const RecordLine& edit : edits) texts.push_back(lines.edit(edit));
  return texts;
}

std::string joined(const std::vector<std::string>& lines) {
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

// What is left of the first `count` edits once undo and redo are executed.
std::vector<RecordLine> left_of(std::size_t count) {
  std::vector<RecordLine> done, undone;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<RecordLine>&from = kEdits[i] == kRedo ? undone : done,
    &to = kEdits[i] == kUndo ? undone : done;
    if (kEdits[i] == kUndo || kEdits[i] == kRedo) {
      to.push_back(from.back());
      from.pop_back();
    } else {
      done.push_back(kEdits[i]);
    }
  }
  return done;
}

bool is_beginning(const std::vector<RecordLine>& commands) {
  for (std::size_t count = 0; count <= kEdits.size(); ++count)
    if (commands == left_of(count)) return true;
  return false;
}

TEST(Journal, ReadsBack) {
  const JournalHead head{"a title", "/a/path.json", 3, 1234567890123456789, false};
  const Journal journal = value_of(read_journal(joined(lines_of(head, kEdits))));
  EXPECT_EQ(journal.head.title, head.title);
  EXPECT_EQ(journal.head.path, head.path);
  EXPECT_EQ(journal.head.edits, head.edits);
  EXPECT_EQ(journal.head.file_time, head.file_time);
  EXPECT_EQ(journal.damage, "");
  EXPECT_EQ(journal.commands, (std::vector<RecordLine>{kEdits[0], kEdits[1]}));
  EXPECT_EQ(edits_in(journal), 4u) << "a command that joined the step before it is no edit";
  expect_same(value_of(read_session(journal.base)), value_of(read_session(small_session())));
}

TEST(Journal, KeepsAPathThatIsNoText) {
  const std::string path = "/tmp/\xff\xfe.json";
  EXPECT_EQ(value_of(read_journal(joined(lines_of({"", path, 0, {}}, {})))).head.path, path);
}

TEST(Journal, CutAnywhereHasTheEditsBeforeTheCut) {
  const std::vector<std::string> lines = lines_of({"t", "/p", 0, {}}, kEdits);
  const std::string whole = joined(lines);
  std::size_t end = lines[0].size() + lines[1].size();
  for (std::size_t size = 0; size + 1 < end; ++size)
    EXPECT_FALSE(read_journal(whole.substr(0, size))) << size;
  for (std::size_t count = 0; count < kEdits.size(); ++count) {
    for (std::size_t cut = 0; cut + 1 < lines[count + 2].size(); ++cut) {
      const Journal journal = value_of(read_journal(whole.substr(0, end + cut)));
      EXPECT_EQ(journal.commands, left_of(count)) << end + cut;
      EXPECT_EQ(journal.damage, "") << end + cut;
    }
    end += lines[count + 2].size();
  }
}

TEST(Journal, OneFlippedBitIsNeverBelieved) {
  const std::vector<std::string> lines = lines_of({"t", "/p", 0, {}}, kEdits);
  const std::string whole = joined(lines);
  std::size_t refused = 0, damaged = 0;
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const auto journal = read_journal(flipped);
    refused += !journal;
    damaged += journal && !journal->damage.empty();
    if (!journal) continue;
    ASSERT_TRUE(is_beginning(journal->commands)) << bit;
    ASSERT_EQ(journal->head.path, "/p") << bit;
    // The end of the last line says nothing.
    const bool last = bit / 8 == whole.size() - 1;
    ASSERT_EQ(journal->damage.empty(), last) << bit;
    ASSERT_TRUE(!last || journal->commands == left_of(kEdits.size())) << bit;
  }
  EXPECT_EQ(refused, (lines[0].size() + lines[1].size()) * 8);
  EXPECT_EQ(refused + damaged + 8, whole.size() * 8);
}

TEST(Journal, LinesThatAreMissingOrChangedPlacesAreDamage) {
  const std::vector<std::string> lines = lines_of({"t", "", 0, {}}, kEdits);
  for (std::size_t i = 2; i + 1 < lines.size(); ++i) {
    std::vector<std::string> without = lines, swapped = lines;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    std::swap(swapped[i], swapped[i + 1]);
    for (const auto& wrong : {without, swapped}) {
      const Journal journal = value_of(read_journal(joined(wrong)));
      EXPECT_EQ(journal.commands, left_of(i - 2));
      EXPECT_EQ(journal.damage, "line " + std::to_string(i + 1) + " is not as it was written");
    }
  }
}

TEST(Journal, OfAnotherKindOrVersionIsRefused) {
  const auto message = [](std::string_view content) {
    // The check sum of the line alone, as JournalLines makes it for an edit.
    const auto journal = read_journal(JournalLines().edit({std::string(content)}));
    return journal ? "" : journal.error().message;
  };
  EXPECT_THAT(message(R"({"type":"attention-lab journal","version":3})"), HasSubstr("version"));
  EXPECT_THAT(message(R"({"type":"attention-lab session","version":1})"), HasSubstr("type"));
  EXPECT_THAT(message("[]"), HasSubstr("object"));
  EXPECT_THAT(message("{"), HasSubstr("line 1"));
  EXPECT_THAT(read_journal("").error().message, HasSubstr("line 1"));
}

TEST(Journal, AnUndoOfNothingIsDamage) {
  const Journal journal = value_of(read_journal(joined(lines_of({}, {set_temperature(2), kRedo}))));
  EXPECT_EQ(journal.damage, "line 4 takes back what is not there");
  EXPECT_EQ(journal.commands.size(), 1u);
}

TEST(Journal, EndsWithTheCommandThatIsHeldUnlessAnEditFollows) {
  JournalLines lines;
  std::string text = lines.begin({"t", "", 0, {}}, value_of(read_session(small_session())));
  text += lines.edit(set_temperature(2));
  text += lines.held(to_json_line(SetTemperature{3}));
  EXPECT_EQ(value_of(read_journal(text)).commands,
            (std::vector<RecordLine>{set_temperature(2), set_temperature(3)}));
  EXPECT_EQ(edits_in(value_of(read_journal(text))), 2u);
  text += lines.edit(set_temperature(4));
  EXPECT_EQ(value_of(read_journal(text)).commands,
            (std::vector<RecordLine>{set_temperature(2), set_temperature(4)}));
}

TEST(Journal, HasTheLastViewWhateverIsHeld) {
  SessionView view;
  JournalLines lines;
  std::string text = lines.begin({"t", "", 0, {}}, value_of(read_session(small_session())));
  EXPECT_FALSE(value_of(read_journal(text)).view);
  for (const int row : {1, 2}) {
    view.pins.push_back({attention::Stage::kWeights, 1, row, 0});
    view.detached_pins = {.queries = {{{"a\nb", "a"}, 0}}, .keys = {}, .pins = view.pins};
    text += lines.edit(set_temperature(2));
    text += lines.view(view);
  }
  text += lines.held(to_json_line(SetTemperature{3}));
  const Journal journal = value_of(read_journal(text));
  EXPECT_EQ(journal.view, view);
  EXPECT_EQ(journal.damage, "");
  EXPECT_EQ(edits_in(journal), 3u);
  JournalLines cut;
  const std::string begin = cut.begin({}, value_of(read_session(small_session())));
  EXPECT_FALSE(value_of(read_journal(begin + cut.edit({"@{"}))).view);
}

TEST(Journal, OfTheFirstVersionIsReadWithoutAView) {
  std::string session = small_session();
  std::erase(session, '\n');
  JournalLines lines;
  std::string text = lines.edit(
      {R"({"type":"attention-lab journal","version":1,"title":"t","path":"/p","edits":0})"});
  text += lines.edit({session});
  text += lines.edit(set_temperature(2));
  const Journal journal = value_of(read_journal(text));
  EXPECT_EQ(journal.head.path, "/p");
  EXPECT_EQ(value_of(replay(journal)).history.document().problem.config.temperature, 2);
  EXPECT_FALSE(journal.view);
}

TEST(JournalReplay, IsTheDocumentWithItsStepsToUndo) {
  const Journal journal = value_of(read_journal(joined(lines_of({}, kEdits))));
  History history = value_of(replay(journal)).history;
  EXPECT_EQ(history.document().problem.config.temperature, 3);
  EXPECT_EQ(history.undo_commands(), 2u);
  EXPECT_TRUE(history.undo());
  EXPECT_FALSE(history.can_undo());
  EXPECT_EQ(history.document().problem.config.temperature, 1);
}

TEST(JournalReplay, StopsAtACommandThatCannotBeCarriedOut) {
  const RecordLine impossible{to_json_line(SetCell{{MatrixId::kWQ, 0}, 99, 0, 1})};
  const Replayed replayed = value_of(replay(value_of(
      read_journal(joined(lines_of({}, {set_temperature(2), impossible, set_temperature(5)}))))));
  EXPECT_EQ(replayed.history.document().problem.config.temperature, 2);
  EXPECT_THAT(replayed.damage, HasSubstr("command 2"));
}

TEST(JournalReplay, OfABaseThatIsNoSessionIsRefused) {
  Journal journal;
  journal.base = "{}";
  EXPECT_THAT(replay(journal).error().message, HasSubstr("base"));
}

// Edits, merged steps, undo and redo at random: what a window's journal says of them leads to the
// same numbers, bit for bit.
TEST(JournalReplay, OfRandomEditsIsTheSameDocument) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    samples::RandomCommands commands(seed);
    const Document start = seed % 2 == 0 ? samples::small_document() : samples::file_document();
    Workspace workspace(start);
    JournalLines lines;
    std::string text = lines.begin({}, start);
    workspace.set_follower([&](const RecordLine& line) { text += lines.edit(line); });
    for (int i = 0; i < 150; ++i) {
      const int type = commands.pick(8);
      if (type < 3) workspace.queue(intent::Apply{commands.next()});
      if (type == 3 || type == 4) workspace.queue(intent::ApplyMerged{commands.next(), "a"});
      if (type == 5 || type == 6) workspace.queue(intent::Undo{});
      if (type == 7) workspace.queue(intent::Redo{});
      workspace.drain();
      if (i % 25 != 0) continue;
      const Replayed replayed = value_of(replay(value_of(read_journal(text))));
      ASSERT_EQ(replayed.damage, "");
      ASSERT_EQ(fingerprint(replayed.history.document()), fingerprint(workspace.document()));
      ASSERT_EQ(replayed.history.undo_label(), workspace.history().undo_label());
      ASSERT_EQ(replayed.history.undo_commands(), workspace.history().undo_commands());
    }
  }
}

}  // namespace
}  // namespace lab
