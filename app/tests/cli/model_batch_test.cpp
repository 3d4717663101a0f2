// Several texts of a model on the command line.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/tests/cli/run_cli.h"

namespace lab::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kBatchLines = R"({"do":"add_sentence","text":"the old man"}
{"layer":"1","do":"set_override","stage":"weights","head":2,"row":2,"col":0,"value":1}
{"do":"go_to_sentence","sentence":1}
)";

TEST(ModelBatch, LinesAddTextsAndTheSessionShowsTheOneThatIsGoneTo) {
  const TempFolder folder;
  const std::string lines = folder.write("lines.jsonl", kBatchLines), out = folder / "out.json";
  const Outcome outcome = run({"apply", "words", lines, "--text", "a small dog", "-o", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "") << "nothing is detached for good";
  const json session = json::parse(bytes_of(out));
  EXPECT_EQ(session["text"]["typed"], "a small dog");
  EXPECT_FALSE(session.contains("overrides"));
  EXPECT_EQ(session["batch"]["sentences"][1]["text"]["typed"], "the old man");
  EXPECT_EQ(session["batch"]["sentences"][1]["overrides"].size(), 1U);
  EXPECT_EQ(run({"predict", out, "--json"}).out,
            run({"predict", "words", "--text", "a small dog", "--json"}).out);
}

TEST(ModelBatch, LinesThatCannotBeCarriedOutAreNamed) {
  const TempFolder folder;
  const auto complaint = [&](const std::string& line) {
    const std::string lines = folder.write("lines.jsonl", line);
    return run({"apply", "words", lines, "--text", "a dog", "-o", folder / "out.json"}).err;
  };
  EXPECT_THAT(complaint(R"({"do":"go_to_sentence","sentence":2})"),
              HasSubstr("line 1: there is no sentence 2; the last one is 1"));
  EXPECT_THAT(complaint(R"({"do":"go_to_sentence","sentence":0})"), HasSubstr("from 1"));
  EXPECT_THAT(complaint(R"({"do":"set_padding","on":true})"), HasSubstr("nothing to pad"));
}

class SavedModelBatch : public ::testing::Test {
 protected:
  SavedModelBatch() {
    const std::string lines = folder.write("lines.jsonl", kBatchLines);
    run({"apply", "words", lines, "--text", "a small dog", "-o", session});
  }

  const TempFolder folder;
  const std::string session = folder / "session.json";
};

TEST_F(SavedModelBatch, ShowsTheSentenceThatIsAskedFor) {
  const auto explained = [&](const std::string& sentence) {
    return run({"explain", session, "--sentence", sentence, "--layer", "1", "--head", "2", "--row",
                "2", "--col", "0"})
        .out;
  };
  EXPECT_THAT(explained("2"), HasSubstr("man"));
  EXPECT_THAT(explained("2"), HasSubstr("put there by hand"));
  EXPECT_THAT(explained("1"), HasSubstr("dog"));
  const auto weights = [&](const std::string& sentence) {
    const std::string out = folder / "out.json";
    run({"compute", session, "--sentence", sentence, "-o", out});
    return json::parse(bytes_of(out))["tensors"]["input_ids"];
  };
  EXPECT_NE(weights("1"), weights("2"));
}

TEST_F(SavedModelBatch, ExportsAFileForEachSentence) {
  const Outcome outcome = run({"export", session, "--sentence", "all", "--layer", "1", "--head",
                               "2", "-o", folder / "w.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bytes_of(folder / "w-1.csv"), HasSubstr("dog"));
  EXPECT_THAT(bytes_of(folder / "w-2.csv"), HasSubstr("man"));
}

TEST_F(SavedModelBatch, RefusesSentencesThatThereAreNot) {
  const auto refused = [&](const std::string& input, const std::string& sentence) {
    return run({"compute", input, "--sentence", sentence, "-o", folder / "out.npz"}).err;
  };
  EXPECT_THAT(refused(session, "3"), HasSubstr("1 to 2"));
  EXPECT_THAT(refused(session, "all"), HasSubstr("sessions made by hand"));
  const std::string out = folder / "out.npz";
  EXPECT_THAT(run({"compute", "words", "--text", "a", "--sentence", "2", "-o", out}).err,
              HasSubstr("there is only one"));
}

}  // namespace
}  // namespace lab::test
