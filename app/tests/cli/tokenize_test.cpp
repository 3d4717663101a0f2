#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(TokenizeVerb, ShowsEachTokenWithItsTextAndPlace) {
  const Outcome outcome = run({"tokenize", "english", "--text", "It was tired."});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("characters"));
  EXPECT_THAT(outcome.out, HasSubstr("Ġtired"));
  EXPECT_THAT(outcome.out, HasSubstr("6–12"));
}

TEST(TokenizeVerb, AnswersEachLineAndGivesItBack) {
  const Outcome encoded =
      run_with_input({"tokenize", "english"}, "\"It was\"\n\"caf\\u00e9\\n\"\n");
  ASSERT_EQ(encoded.code, 0) << encoded.err;
  std::string ids;
  std::vector<json> lines;
  std::istringstream answers(encoded.out);
  for (std::string line; std::getline(answers, line);) {
    lines.push_back(json::parse(line));
    ids += lines.back().at("ids").dump() + "\n";
  }
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("tokens"), (json{"It", "Ġwas"}));
  EXPECT_EQ(lines[0].at("offsets"), json::parse("[[0,2],[2,6]]"));
  const Outcome decoded = run_with_input({"tokenize", "english", "--decode"}, ids);
  EXPECT_EQ(decoded.out, "\"It was\"\n\"café\\n\"\n") << decoded.err;
}

TEST(TokenizeVerb, NamesTheLineThatIsNoText) {
  for (const char* bad : {"7", "\"\\ud800\"", "\"", "[\"a\"]"}) {
    const Outcome outcome =
        run_with_input({"tokenize", "english"}, "\"a\"\n" + std::string(bad) + "\n");
    EXPECT_EQ(outcome.code, 5) << bad;
    EXPECT_THAT(outcome.err, HasSubstr("standard input, line 2")) << bad;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\"ids\"")) << "the first line was answered";
  }
  const Outcome unknown = run_with_input({"tokenize", "english", "--decode"}, "[0, 4000000]\n");
  EXPECT_THAT(unknown.err, HasSubstr("no token with the id 4000000"));
}

TEST(TokenizeVerb, SaysWhereThereIsNoTokenizer) {
  const TempFolder folder;
  EXPECT_EQ(run({"tokenize", "nowhere", "--text", "a"}).code, 6);
  EXPECT_THAT(run({"tokenize", folder.path().string(), "--text", "a"}).err,
              HasSubstr("no tokenizer.json"));
  folder.write("tokenizer.json", "{}");
  const Outcome damaged = run({"tokenize", folder.path().string(), "--text", "a"});
  EXPECT_EQ(damaged.code, 5);
  EXPECT_THAT(damaged.err, HasSubstr("tokenizer.json: the member \"model\" is missing"));
}

}  // namespace
}  // namespace lab::test
