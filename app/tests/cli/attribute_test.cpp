// What a model's answer comes from.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

double sum_of(const json& numbers) {
  double sum = 0;
  for (const json& value : numbers) sum += value.is_array() ? sum_of(value) : value.get<double>();
  return sum;
}

TEST(Attribute, DirectPartsSumToTheLogitThatPredictPrints) {
  const json top =
      json_of({"predict", "words", "--text", "a small", "--json"})["predictions"][0]["top"][0];
  const json report = json_of({"attribute", "words", "--text", "a small", "--json"});
  EXPECT_EQ(report["answer"]["token"], top["token"]);
  const json& direct = report["direct"];
  const double sum = sum_of(direct["heads"]) + sum_of(direct["mlps"]) +
                     direct["embedding"].get<double>() + direct["biases"].get<double>();
  EXPECT_NEAR(sum, top["logit"].get<double>(), 1e-4);
  EXPECT_NEAR(direct["logit"].get<double>(), top["logit"].get<double>(), 1e-4);
  EXPECT_EQ(direct["heads"].size(), 4U);
  EXPECT_EQ(report["lens"].size(), 5U);
  EXPECT_EQ(report["lens"][4]["top"]["token"], top["token"]);
  EXPECT_NEAR(report["lens"][4]["answer"]["logit"].get<double>(), top["logit"].get<double>(), 1e-4);
}

TEST(Attribute, KnockOutIsWhatMutingEachHeadChanges) {
  const json report =
      json_of({"attribute", "words", "--text", "a small", "--kind", "knock-out", "--json"});
  EXPECT_FALSE(report.contains("direct"));
  const json& answer = report["answer"];
  const std::string id = std::to_string(answer["id"].get<int>());
  for (const char* head : {"L0H1", "L2H0", "L3H3"}) {
    const json muted = json_of({"attribute", "words", "--text", "a small", "--mute", head,
                                "--answer-id", id, "--kind", "lens", "--json"});
    const double change = report["knock_out"][head[1] - '0'][head[3] - '0'].get<double>();
    EXPECT_NEAR(muted["answer"]["logit"].get<double>() - answer["logit"].get<double>(), change,
                1e-4)
        << head;
  }
}

TEST(Attribute, AsksAboutAnyTokenInAnyRow) {
  const auto asked = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"attribute", "words", "--text", "a small",
                                    "--kind",    "lens",  "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return json_of(all)["answer"];
  };
  EXPECT_EQ(asked({"--answer", "animal"})["token"], "Ġanimal");
  EXPECT_EQ(asked({"--answer", "Ġanimal"}), asked({"--answer", "animal"}));
  // "form" within a word is a token too, and less probable after a word.
  EXPECT_EQ(asked({"--answer", "form"})["token"], "Ġform");
  EXPECT_EQ(asked({"--answer-id", "701"})["token"], "form");
  EXPECT_EQ(asked({"--answer", "."})["token"], ".");
  EXPECT_EQ(asked({"--row", "0"})["row"], 0);
  EXPECT_EQ(asked({"--row", "a"})["row"], 0);
  EXPECT_EQ(asked({})["rank"], 1);
}

TEST(Attribute, ARowOfIdsIsAPositionAndNotAnId) {
  const auto row = [](const std::string& asked) {
    return json_of({"attribute", small_model("gpt2"), "--ids", "2,0,1", "--row", asked, "--kind",
                    "lens", "--json"})["answer"]["row"];
  };
  EXPECT_EQ(row("0"), 0);
  EXPECT_EQ(row("1"), 1);
  EXPECT_EQ(row("2"), 2);
}

TEST(Attribute, SaysByNameWhereALogitIsNoSum) {
  for (const char* model : {"bert", "gemma2", "opt"}) {
    const std::vector<std::string> all = {
        "attribute", small_model(model), "--ids", "1,2,3", "--row", "1"};
    const bool sum = model == std::string("opt");
    const Outcome summary = run(all);
    EXPECT_EQ(summary.code, 0) << summary.err;
    EXPECT_THAT(summary.out, AllOf(HasSubstr("logit lens"), HasSubstr("knock-out")));
    std::vector<std::string> direct = all;
    direct.insert(direct.end(), {"--kind", "direct"});
    const Outcome outcome = run(direct);
    EXPECT_EQ(outcome.code, sum ? 0 : 5) << model;
    if (sum) continue;
    EXPECT_THAT(summary.out, HasSubstr("no direct logit attribution: " + std::string(model)));
    EXPECT_THAT(outcome.err, HasSubstr(std::string(model) + ": the logits of this network"));
  }
}

TEST(Attribute, NamesTheHeadsOfTheInductionModel) {
  const json heads = json_of({"attribute", "induction", "--kind", "labels", "--json"})["labels"];
  ASSERT_EQ(heads.size(), 8U);
  EXPECT_EQ(heads[0]["head"], "L0H0");
  const auto count = [&](const char* label) {
    return std::ranges::count_if(heads, [&](const json& head) { return head["label"] == label; });
  };
  EXPECT_EQ(count("previous token"), 1);
  EXPECT_GE(count("induction"), 2);
  for (const json& head : heads)
    EXPECT_TRUE(head["label"] != "induction" || head["head"].get<std::string>()[1] == '1') << head;
}

TEST(Attribute, RolloutHasRowsThatSumToOne) {
  const json report = json_of({"attribute", small_model("bart"), "--ids", "1,2,3,4",
                               "--decoder-ids", "2,5", "--kind", "rollout", "--json"});
  for (const char* stack : {"encoder_rollout", "decoder_rollout"})
    for (const json& row : report[stack]) EXPECT_NEAR(sum_of(row), 1, 1e-5);
  EXPECT_EQ(report["encoder_rollout"].size(), 4U);
  EXPECT_EQ(report["decoder_rollout"][0][1], 0);
}

TEST(Attribute, AModelWithoutAReadOutAnswersNothing) {
  const Outcome outcome =
      run({"attribute", small_model("bert-without-head"), "--ids", "1,2", "--row", "0"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("without a read-out"));
  EXPECT_EQ(
      run({"attribute", small_model("bert-without-head"), "--ids", "1,2", "--kind", "rollout"})
          .code,
      0);
}

TEST(Attribute, AnAnswerAndARowAreSpeltTheSameWays) {
  const auto answer = [](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"attribute", "words", "--text", "a small animal",
                                    "--kind",    "lens",  "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return json_of(all)["answer"];
  };
  for (const char* spelling : {"animal", "Ġanimal", "·animal"}) {
    EXPECT_EQ(answer({"--answer", spelling})["token"], "Ġanimal") << spelling;
    EXPECT_EQ(answer({"--row", spelling})["row"], 2) << spelling;
  }
  const std::vector<std::string> explain = {
      "explain", "words", "--text", "a small animal", "--layer", "0", "--col", "0", "--json"};
  for (const char* spelling : {"animal", "Ġanimal", "·animal"}) {
    std::vector<std::string> all = explain;
    all.insert(all.end(), {"--row", spelling});
    EXPECT_EQ(json_of(all)["row"]["position"], 2) << spelling;
  }
}

TEST(Attribute, AnEmptyAnswerIsRefused) {
  const Outcome outcome = run({"attribute", "words", "--text", "a small", "--answer", ""});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--answer is empty"));
}

TEST(Attribute, KnocksOutTheHeadsOfBothStacks) {
  const std::vector<std::string> of_t5 = {"attribute", small_model("t5"), "--ids",
                                          "1,2,3",     "--decoder-ids",   "3,4"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = of_t5;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const json report = json_of(with({"--kind", "knock-out", "--json"}));
  const json& answer = report["answer"];
  const std::string id = std::to_string(answer["id"].get<int>());
  const std::pair<const char*, const char*> maps[] = {{"knock_out", "L0H1"},
                                                      {"cross_knock_out", "cross.L0H1"},
                                                      {"encoder_knock_out", "encoder.L0H1"}};
  for (const auto& [map, head] : maps) {
    const json muted =
        json_of(with({"--mute", head, "--answer-id", id, "--kind", "lens", "--json"}));
    const double change = report[map][0][1].get<double>();
    EXPECT_NEAR(muted["answer"]["logit"].get<double>() - answer["logit"].get<double>(), change,
                1e-4)
        << head;
    EXPECT_NE(change, 0) << head;
  }
  EXPECT_THAT(run(with({"--kind", "knock-out"})).out,
              AllOf(HasSubstr("cross.0"), HasSubstr("encoder.0")));
}

TEST(Attribute, LabelsTheHeadsOfAnEncoderToo) {
  const std::vector<std::string> labels = {"attribute", small_model("t5"), "--kind", "labels"};
  const Outcome text = run(labels);
  EXPECT_THAT(text.out, AllOf(HasSubstr("\nL0H0"), HasSubstr("\nencoder.L1H0"),
                              HasSubstr("cross-attention have no labels")));
  const json heads =
      json_of({"attribute", small_model("t5"), "--kind", "labels", "--json"})["labels"];
  EXPECT_EQ(heads.back()["head"].get<std::string>().rfind("encoder.L1H", 0), 0U);
  EXPECT_THAT(run({"attribute", "induction", "--kind", "labels"}).out, Not(HasSubstr("cross")));
}

TEST(Attribute, SaysThatBiasesOfMlpsCountWithThem) {
  EXPECT_THAT(run({"attribute", "words", "--text", "a small", "--kind", "direct"}).out,
              HasSubstr("MLP with its biases"));
}

}  // namespace
}  // namespace lab::test
