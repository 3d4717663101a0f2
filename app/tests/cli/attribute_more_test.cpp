// Differences of answers, patching from another text, and exploring a longer one.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> attribute(const std::vector<std::string>& more) {
  std::vector<std::string> all = {"attribute", "words", "--text", "a small"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

double sum_of_all(const json& numbers) {
  double sum = 0;
  for (const json& value : numbers)
    sum += value.is_array() ? sum_of_all(value) : value.get<double>();
  return sum;
}

TEST(AttributeMinus, EverythingIsAboutTheDifference) {
  const json one = json_of(attribute({"--answer", "animal", "--json"}));
  const json other = json_of(attribute({"--answer", "form", "--json"}));
  const json both = json_of(attribute({"--answer", "animal", "--minus", "form", "--json"}));
  const double difference =
      one["answer"]["logit"].get<double>() - other["answer"]["logit"].get<double>();
  EXPECT_NEAR(both["answer"]["difference"].get<double>(), difference, 1e-5);
  EXPECT_EQ(both["answer"]["minus"]["token"], "Ġform");
  const json& direct = both["direct"];
  const double sum = sum_of_all(direct["heads"]) + sum_of_all(direct["mlps"]) +
                     direct["embedding"].get<double>() + direct["biases"].get<double>();
  EXPECT_NEAR(sum, difference, 1e-4);
  EXPECT_NEAR(both["knock_out"][2][1].get<double>(),
              one["knock_out"][2][1].get<double>() - other["knock_out"][2][1].get<double>(), 1e-4);
  EXPECT_NEAR(both["lens"][3]["answer"]["difference"].get<double>(),
              one["lens"][3]["answer"]["logit"].get<double>() -
                  other["lens"][3]["answer"]["logit"].get<double>(),
              1e-4);
  EXPECT_THAT(run(attribute({"--answer", "animal", "--minus", "form"})).out,
              AllOf(HasSubstr("minus \"·form\""), HasSubstr("difference of logits")));
}

TEST(AttributeMinus, RefusesWhatIsNoOtherToken) {
  for (const auto& [minus, reason] :
       {std::pair("animal", "the answer itself"), std::pair("", "--minus is empty"),
        std::pair("no such token", "should be one token of the vocabulary")}) {
    const Outcome outcome = run(attribute({"--answer", "animal", "--minus", minus}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  }
  EXPECT_THAT(run(attribute({"--minus-id", "9999999"})).err, HasSubstr("--minus-id 9999999"));
}

TEST(AttributePatching, IsPartOfTheSummaryWhereThereIsAnotherText) {
  const json report =
      json_of(attribute({"--answer", "animal", "--patch-from", "the big", "--json"}));
  ASSERT_TRUE(report.contains("patching"));
  EXPECT_EQ(report["patching"].size(), 4U);
  const json there = json_of({"attribute", "words", "--text", "the big", "--answer", "animal",
                              "--kind", "lens", "--json"});
  EXPECT_EQ(report["answer_there"]["logit"], there["answer"]["logit"]);
  EXPECT_THAT(run(attribute({"--kind", "patching", "--patch-from", "the big"})).out,
              HasSubstr("patching: how the logit changes"));
}

TEST(AttributePatching, FromTheSameTextChangesNothing) {
  const json report =
      json_of(attribute({"--kind", "patching", "--patch-from", "a small", "--json"}));
  for (const json& layer : report["patching"])
    for (const json& change : layer) EXPECT_NEAR(change.get<double>(), 0, 1e-4);
}

TEST(AttributePatching, NeedsAsManyTokens) {
  const Outcome outcome = run(attribute({"--kind", "patching", "--patch-from", "a"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--patch-from: the texts have 2 and 1 tokens"));
  EXPECT_THAT(run(attribute({"--kind", "patching"})).err, HasSubstr("--patch-from is missing"));
  EXPECT_EQ(run({"attribute", small_model("gpt2"), "--ids", "1,2,3", "--kind", "patching",
                 "--patch-from-ids", "3,2,1"})
                .code,
            0);
}

TEST(AttributeExplore, ListsTheStrongestPairsOfAHeadInTheirContext) {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 30; ++i) text += "The small animal is a big tree and not a small form. ";
  const std::string path = folder.write("text.txt", text);
  const std::vector<std::string> explore = {"attribute",   "words", "--kind", "explore",
                                            "--text-file", path,    "--head", "L1H2"};
  EXPECT_THAT(run(explore).out, AllOf(HasSubstr("L1H2"), HasSubstr("⟨"), HasSubstr("weight")));
  const json all =
      json_of({"attribute", "words", "--kind", "explore", "--text-file", path, "--json"});
  ASSERT_EQ(all["heads"].size(), 16U);
  EXPECT_GT(all["tokens"].get<int>(), 300);
  std::vector<std::string> as_json = explore;
  as_json.emplace_back("--json");
  const json one = json_of(as_json)["heads"][0];
  EXPECT_EQ(one["pairs"][0]["query"], all["heads"][6]["pairs"][0]["query"]);
  EXPECT_THAT(one["pairs"][0]["key"]["context"].get<std::string>(), HasSubstr("⟨"));
}

// However an editor writes the ends of lines and the start of a file.
TEST(AttributeExplore, ReadsTheSameTextFromEveryKindOfTextFile) {
  const TempFolder folder;
  const std::string lf = "The small animal\nis a big tree.\nThe small animal is.\n";
  std::string crlf, utf16 = "\xFF\xFE";
  for (const char c : lf) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    utf16 += std::string(1, c) + '\0';
  }
  const auto explored = [&](const std::string& name, const std::string& bytes) {
    return json_of({"attribute", "words", "--kind", "explore", "--text-file",
                    folder.write(name, bytes), "--head", "L1H2", "--json"});
  };
  const json expected = explored("lf.txt", lf);
  EXPECT_GT(expected["tokens"].get<int>(), 8);
  EXPECT_EQ(explored("crlf.txt", crlf), expected);
  EXPECT_EQ(explored("bom.txt", "\xEF\xBB\xBF" + lf), expected);
  EXPECT_EQ(explored("utf16.txt", utf16), expected);
}

TEST(AttributeExplore, SaysWhatIsMissing) {
  EXPECT_THAT(run({"attribute", "words", "--kind", "explore"}).err,
              HasSubstr("--text-file is missing"));
  EXPECT_THAT(run(attribute({"--kind", "explore", "--text-file", "x"})).err,
              HasSubstr("leave out --text"));
  EXPECT_THAT(run(attribute({"--head", "L0H0"})).err, HasSubstr("are for --kind explore"));
  const Outcome head =
      run({"attribute", "words", "--kind", "explore", "--text-file", "x", "--head", "first"});
  EXPECT_EQ(head.code, 2);
  EXPECT_THAT(head.err, HasSubstr("--head \"first\": should be a head"));
}

}  // namespace
}  // namespace lab::test
