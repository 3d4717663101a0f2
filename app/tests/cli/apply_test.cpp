#include <gmock/gmock.h>

#include "app/document/words/new_tokens.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::HasSubstr;

constexpr const char* kSetCell =
    R"({"do":"set_cell","matrix":"W_Q","head":2,"row":0,"col":1,"value":0.5})";
constexpr const char* kSetSentence = R"({"do":"set_sentence","text":"two words"})";
constexpr const char* kUndo = R"({"do":"undo"})";
constexpr const char* kRedo = R"({"do":"redo"})";

std::string lines(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  return text;
}

TEST(Apply, SavesTheEditedSession) {
  const TempFolder folder;
  const std::string out = folder / "out.json";
  const std::string commands = folder.write("commands", lines({kSetCell, kSetSentence}));
  const Outcome outcome = run({"apply", small_session(folder), commands, "-o", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");

  const auto saved = open_document(out);
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(saved->sentence, "two words");
  EXPECT_EQ(saved->problem.seq_len(), 2);
  attention::Matrix expected = *small_document().problem.parameters.heads[1].W_Q;
  EXPECT_NE(expected(0, 1), 0.5f);
  expected(0, 1) = 0.5f;
  EXPECT_EQ(*saved->problem.parameters.heads[1].W_Q, expected);
  EXPECT_EQ(*saved->problem.parameters.heads[0].W_Q,
            *small_document().problem.parameters.heads[0].W_Q);
}

TEST(Apply, SplitsTheSentenceByATokenizer) {
  const TempFolder folder;
  const std::string out = folder / "out.json";
  const std::string commands = folder.write(
      "commands",
      lines({kSetSentence, R"({"do":"set_token_mode","mode":"tokenizer","tokenizer":"english"})"}));
  const Outcome outcome = run({"apply", small_session(folder), commands, "-o", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto saved = open_document(out);
  ASSERT_TRUE(saved) << saved.error().message;
  ASSERT_EQ(saved->tokens.size(), 3u);
  EXPECT_EQ(token_label(saved->tokens[2]), "·words");
  EXPECT_TRUE(saved->tokens[2].id);
}

template <typename... Edits>
std::vector<std::string> names_of(const std::variant<Edits...>*) {
  return {std::string(Edits::kName)...};
}

TEST(Apply, ExplainsEveryCommand) {
  const std::string help = run({"apply", "--help"}).out;
  for (const std::string& name : names_of(static_cast<const Command*>(nullptr)))
    EXPECT_THAT(help, HasSubstr(" " + name)) << name;
}

TEST(Apply, KeepsHowTheSessionWasLookedAt) {
  const TempFolder folder;
  SessionView view;
  view.head = 1;
  view.pins = {{attention::Stage::kWeights, 1, 0, 0}};
  const std::string in = folder.write("in.json", write_session(small_document(), view));
  const std::string out = folder / "out.json";
  ASSERT_EQ(run({"apply", in, folder.write("commands", lines({kSetCell})), "-o", out}).code, 0);
  EXPECT_EQ(open_whole(out)->view, view);
}

TEST(Apply, SaysWhatBelongsToAWordThatIsGone) {
  const TempFolder folder;
  const std::string out = folder / "out.json";
  const std::string mask = R"({"do":"set_cell","matrix":"mask","row":1,"col":0,"value":0})";
  const std::string override_it =
      R"({"do":"set_override","stage":"scores","head":2,"row":0,"col":1,"value":4})";
  const auto apply = [&](const std::string& in, const std::vector<std::string>& commands) {
    const Outcome outcome =
        run({"apply", in, folder.write("commands", lines(commands)), "-o", out});
    EXPECT_EQ(outcome.code, 0);
    return outcome.err;
  };
  const std::string words = R"({"do":"set_sentence","text":"the cat"})";
  const std::string without = R"({"do":"set_sentence","text":"the dog"})";
  const std::string said = apply(small_session(folder), {words, mask, override_it, without});
  EXPECT_TRUE(is_one_message(said)) << said;
  EXPECT_THAT(said, HasSubstr("“cat”"));
  EXPECT_THAT(said, HasSubstr("override scores, head 2 · the, cat = 4, mask cell cat → the"));
  EXPECT_EQ(apply(out, {words}), "") << "it is back";
  EXPECT_EQ(open_document(out)->problem.overrides.size(), 1u);
  EXPECT_EQ((*open_document(out)->problem.allowed)(1, 0), 0);
}

TEST(Apply, UndoingEverythingGivesTheStart) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  const auto apply = [&](const std::vector<std::string>& commands) {
    return run({"apply", in, folder.write("commands", lines(commands)), "-o", "-"}).out;
  };
  const std::string start = apply({});
  EXPECT_EQ(start, write_session(small_document()));
  EXPECT_EQ(apply({kSetCell, kSetSentence, kUndo, kUndo}), start);
  EXPECT_NE(apply({kSetCell, kSetSentence, kUndo}), start);
  EXPECT_EQ(apply({kSetCell, kSetSentence, kUndo}), apply({kSetCell}));
  EXPECT_EQ(apply({kSetCell, kUndo, kRedo}), apply({kSetCell}));
}

TEST(Apply, SkipsEmptyLinesAndComments) {
  const TempFolder folder;
  const std::string text =
      std::string("\n# a comment\n  \t\r\n  # another\n") + kSetSentence + "\r\n";
  const Outcome outcome = run_with_input({"apply", small_session(folder), "-", "-o", "-"}, text);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("two words"));
}

TEST(Apply, TheLastLineNeedsNoEnd) {
  const TempFolder folder;
  const Outcome outcome =
      run_with_input({"apply", small_session(folder), "-", "-o", "-"}, kSetSentence);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("two words"));
}

TEST(Apply, NamesTheLineThatFailsAndSavesNothing) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  for (const std::string& bad :
       {std::string("nonsense"), std::string("{}"), std::string(R"({"do":"dance"})"),
        std::string(R"({"do":"undo","twice":true})"), std::string(R"({"do":"redo"})"),
        std::string(R"({"do":"set_cell","matrix":"W_Q","head":9,"row":0,"col":1,"value":0.5})"),
        std::string(R"({"do":"set_sentence","text":"  "})"), std::string(5000, '['),
        std::string("\xff\xfe\0", 3)}) {
    const std::string commands = folder.write("commands", lines({"# one", kSetCell, bad}));
    const Outcome outcome = run({"apply", in, commands, "-o", folder / "out.json"});
    EXPECT_EQ(outcome.code, 5) << bad;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("line 3"));
    EXPECT_THAT(folder.names(), testing::ElementsAre("commands", "small.json"));
  }
}

TEST(Apply, CannotUndoWhatWasNeverDone) {
  const TempFolder folder;
  const Outcome outcome = run_with_input({"apply", small_session(folder), "-", "-o", "-"}, kUndo);
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("nothing to undo"));
}

TEST(Apply, AMissingCommandFileIsAFailedRead) {
  const TempFolder folder;
  EXPECT_EQ(run({"apply", small_session(folder), folder / "none", "-o", "-"}).code, 6);
}

TEST(Record, HoldsTheAppliedCommandsAndReplaysToTheSameSession) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  const std::string commands =
      folder.write("commands", lines({"# note", kSetCell, kSetSentence, kUndo, kRedo, kUndo}));
  const Outcome first = run({"apply", in, commands, "-o", "-", "--record", folder / "record"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(std::ranges::count(bytes_of(folder / "record"), '\n'), 5);
  EXPECT_EQ(run({"apply", in, folder / "record", "-o", "-"}).out, first.out);
}

TEST(Record, KeepsWhatWasAppliedBeforeAnError) {
  const TempFolder folder;
  const std::string commands = folder.write("commands", lines({kSetSentence, "nonsense"}));
  const Outcome outcome =
      run({"apply", small_session(folder), commands, "-o", "-", "--record", folder / "record"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(bytes_of(folder / "record"), HasSubstr("two words"));
}

TEST(Record, IsEmptyWhereNothingIsApplied) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"compute", in, "-o", folder / "out.json"},
                                             {"check", in},
                                             {"explain", in, "--row", "0", "--col", "0"},
                                             {"screenshot", in, "-o", folder / "out.png"}}) {
    std::vector<std::string> with_files = arguments;
    const std::string record = folder.write("record", "old");
    const std::string stats = folder / "stats";
    with_files.insert(with_files.end(), {"--record", record, "--stats", stats});
    EXPECT_EQ(run(with_files).code, 0) << arguments[0];
    EXPECT_EQ(bytes_of(record), "");
    EXPECT_EQ(bytes_of(stats), "{}\n");
  }
}

TEST(Record, ThatCannotBeWrittenIsAFailedWrite) {
  const TempFolder folder;
  const Outcome outcome = run({"check", small_session(folder), "--record", folder / "no/record"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
}

TEST(Apply, WritesNoSessionUnderTheNameOfAnotherFormat) {
  const TempFolder folder;
  const std::string commands = folder.write("commands", lines({kSetCell}));
  for (const char* name : {"x.png", "x.PNG", "x.npz", "x.safetensors", "x.csv"}) {
    const Outcome outcome = run({"apply", small_session(folder), commands, "-o", folder / name});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
}

TEST(Apply, NewWordsAreAsLongAsInTheWindow) {
  const TempFolder folder;
  const std::string out = folder / "out.json", record = folder / "record";
  const std::string line = R"({"do":"set_sentence","text":"Die Katze jagt den Hund"})";
  const std::string commands = folder.write("commands", line + "\n");
  const Outcome outcome = run({"apply", "refer", commands, "-o", out, "--record", record});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Document refer = *open_document("refer");
  const auto scale = fitting_new_token_scale(refer);
  ASSERT_TRUE(scale);
  EXPECT_EQ(open_document(out)->new_token_scale, *scale);
  EXPECT_THAT(bytes_of(record), HasSubstr("new_word_scale")) << "a record says it";
  const std::string one =
      folder.write("one", line.substr(0, line.size() - 1) + ",\"new_word_scale\":1}\n");
  ASSERT_EQ(run({"apply", "refer", one, "-o", out}).code, 0);
  EXPECT_EQ(open_document(out)->new_token_scale, 1);
}

}  // namespace
}  // namespace lab::test
