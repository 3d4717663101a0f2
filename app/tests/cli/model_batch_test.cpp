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
  EXPECT_EQ(outcome.err, "") << "nothing is set aside for good";
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

}  // namespace
}  // namespace lab::test
