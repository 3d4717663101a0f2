// Figures of whole models: export --layer all and export --show.

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/files/open.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kText = "the small dog";

Outcome show(const std::string& what, const std::vector<std::string>& more) {
  std::vector<std::string> all = {"export", "words", "--show", what};
  if (what != "labels") all.insert(all.end(), {"--text", kText});
  all.insert(all.end(), more.begin(), more.end());
  return run(all);
}

json attributed(const std::vector<std::string>& more) {
  std::vector<std::string> all = {"attribute", "words", "--json"};
  all.insert(all.end(), more.begin(), more.end());
  return json_of(all);
}

int times_in(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The lines of a table without quotes, split at commas.
std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream stream(csv);
  for (std::string line; std::getline(stream, line);) {
    auto& cells = lines.emplace_back();
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
  }
  return lines;
}

TEST(ExportShow, KnockOutAndDirectHaveTheNumbersOfAttribute) {
  for (const auto& [type, member] :
       {std::pair("knock-out", "knock_out"), std::pair("direct", "direct")}) {
    const Outcome outcome = show(type, {"-o", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    json expected = attributed({"--text", kText, "--kind", type})[member];
    if (expected.is_object()) expected = expected["heads"];
    const auto lines = cells_of(outcome.out);
    ASSERT_EQ(lines.size(), 17U);
    EXPECT_EQ(lines[0].back(), member);
    for (std::size_t i = 1; i < lines.size(); ++i)
      EXPECT_EQ(std::stof(lines[i][4]),
                expected.at(std::stoul(lines[i][0])).at(std::stoul(lines[i][2])).get<float>());
  }
}

TEST(ExportShow, JsonIsThatOfAttribute) {
  const TempFolder folder;
  const std::string file = folder / "numbers.json";
  for (const char* type : {"knock-out", "direct", "rollout", "labels"}) {
    ASSERT_EQ(show(type, {"-o", file}).code, 0) << type;
    std::vector<std::string> same = {"--kind", type};
    if (type != std::string("labels")) same.insert(same.end(), {"--text", kText});
    EXPECT_EQ(json::parse(bytes_of(file)), attributed(same)) << type;
  }
  ASSERT_EQ(show("lens", {"--row", "small", "-o", file}).code, 0);
  EXPECT_EQ(json::parse(bytes_of(file)),
            attributed({"--text", kText, "--kind", "lens", "--row", "small"}));
}

TEST(ExportShow, LabelsHaveTheScoresOfEachHead) {
  const auto lines = cells_of(show("labels", {"-o", "-"}).out);
  const json labels = attributed({"--kind", "labels"})["labels"];
  ASSERT_EQ(lines.size(), labels.size() + 1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(lines[i + 1][1] + lines[i + 1][3], labels[i]["head"].get<std::string>());
    EXPECT_EQ(std::stof(lines[i + 1][4]), labels[i]["previous"].get<float>());
    EXPECT_EQ(std::stof(lines[i + 1][7]), labels[i]["induction"].get<float>());
  }
}

TEST(ExportShow, TheLastRowOfTheLensIsWhatPredictPrints) {
  const TempFolder folder;
  ASSERT_EQ(show("lens", {"-o", folder / "lens.json"}).code, 0);
  const json lens = json::parse(bytes_of(folder / "lens.json"))["lens"];
  ASSERT_EQ(lens.size(), 3U);
  ASSERT_EQ(lens[2]["layers"].size(), 5U);
  const json top = json_of({"predict", "words", "--text", kText, "--json"});
  EXPECT_EQ(lens[2]["layers"][4]["top"]["id"], top["predictions"][0]["top"][0]["id"]);
  EXPECT_NEAR(lens[2]["layers"][4]["top"]["probability"].get<double>(),
              top["predictions"][0]["top"][0]["probability"].get<double>(), 1e-5);
}

// "before" is what predict prints without the edits.
TEST(ExportShow, NextHasTheProbabilitiesBeforeTheEdits) {
  const TempFolder folder;
  const std::string file = folder / "next.json";
  ASSERT_EQ(show("next", {"--top", "5", "-o", file}).code, 0);
  const json plain = json_of({"predict", "words", "--text", kText, "--top", "4000", "--json"});
  EXPECT_EQ(json::parse(bytes_of(file))["predictions"][0]["top"].size(), 5U);
  EXPECT_FALSE(json::parse(bytes_of(file))["predictions"][0]["top"][0].contains("before"));
  ASSERT_EQ(show("next", {"--mute", "L3H0", "-o", file}).code, 0);
  const json top = json::parse(bytes_of(file))["predictions"][0]["top"];
  ASSERT_EQ(top.size(), 10U);
  for (const json& token : top)
    for (const json& other : plain["predictions"][0]["top"])
      if (other["id"] == token["id"]) {
        EXPECT_NEAR(token["before"].get<double>(), other["probability"].get<double>(), 1e-6);
      }
}

TEST(ExportShow, EntropyIsThatOfTheWeights) {
  const TempFolder folder;
  ASSERT_EQ(show("entropy", {"-o", folder / "entropy.json"}).code, 0);
  const json entropy = json::parse(bytes_of(folder / "entropy.json"))["entropy"];
  const Outcome weights = run({"export", "words", "--text", kText, "--layer", "2", "--head", "L2H3",
                               "--stage", "weights", "-o", folder / "weights.npy"});
  ASSERT_EQ(weights.code, 0) << weights.err;
  const auto lines = cells_of(
      run({"export", "words", "--text", kText, "--layer", "2", "--head", "L2H3", "-o", "-"}).out);
  double sum = 0;
  for (std::size_t row = 1; row < lines.size(); ++row)
    for (std::size_t key = 1; key < lines[row].size(); ++key)
      if (const double w = std::stod(lines[row][key]); w > 0) sum -= w * std::log(w);
  EXPECT_NEAR(entropy[2][3].get<double>(), sum / 3, 1e-5);
}

TEST(ExportShow, FiguresSayWhatTheyAreOfAndCarryTheSession) {
  const TempFolder folder;
  for (const char* what : {"knock-out", "direct", "rollout", "entropy", "lens", "next"})
    for (const char* ending : {".svg", ".pdf", ".png", ".html", ".tex"}) {
      const std::string file = folder / (what + std::string(ending));
      const Outcome outcome = show(what, {"--mute", "L1H2", "-o", file});
      ASSERT_EQ(outcome.code, 0) << file << outcome.err;
      EXPECT_EQ(outcome.err, "");
      if (ending == std::string(".svg")) {
        EXPECT_THAT(bytes_of(file), HasSubstr("words · “the small dog” · L1H2 muted"));
      }
      if (ending == std::string(".tex")) continue;
      const Outcome again = run({"predict", file, "--json"});
      EXPECT_EQ(again.out,
                run({"predict", "words", "--text", kText, "--mute", "L1H2", "--json"}).out)
          << file;
    }
}

TEST(ExportShow, MutedHeadsAreHatched) {
  const TempFolder folder;
  ASSERT_EQ(show("knock-out", {"--mute", "L1H2", "-o", folder / "k.svg"}).code, 0);
  EXPECT_THAT(bytes_of(folder / "k.svg"), AllOf(HasSubstr("hatch-light"), HasSubstr(">muted<")));
}

TEST(ExportShow, SpeaksGerman) {
  const TempFolder folder;
  ASSERT_EQ(show("next", {"--language", "de", "--decimal-comma", "-o", folder / "n.svg"}).code, 0);
  EXPECT_THAT(bytes_of(folder / "n.svg"), HasSubstr("Die wahrscheinlichsten Tokens nach"));
}

TEST(ExportShow, OfTwoStacksHasAMapForEachKindOfLayer) {
  const TempFolder folder;
  const std::vector<std::string> texts = {"--ids", "5,6,7", "--decoder-ids", "2,8"};
  for (const char* what : {"knock-out", "entropy", "rollout", "lens", "next"}) {
    std::vector<std::string> all = {"export", small_model("bart"), "--show", what};
    all.insert(all.end(), texts.begin(), texts.end());
    all.insert(all.end(), {"-o", folder / "two.svg", "-o", folder / "two.csv"});
    const Outcome outcome = run(all);
    ASSERT_EQ(outcome.code, 0) << what << outcome.err;
  }
}

struct Refused {
  std::vector<std::string> arguments;
  int code;
  std::string message;
};

TEST(ExportShow, RefusesWhatItCannotShow) {
  const TempFolder folder;
  const std::string out = folder / "x.svg";
  const std::vector<Refused> all = {
      {{"words", "--text", "a", "--show", "nothing"}, 2, "should be lens, direct, knock-out"},
      {{"words", "--text", "a", "--show", "lens", "--row", "cat"}, 2, "--row"},
      {{"words", "--text", "a", "--show", "next", "--row", "7"}, 2, "--row"},
      {{"words", "--text", "a", "--show", "lens", "--layer", "1"}, 2, "leave out --layer"},
      {{"words", "--text", "a", "--show", "lens", "--head", "1"}, 2, "leave out --stage, --head"},
      {{"words", "--text", "a", "--show", "lens", "--kind", "lines"}, 2, "leave out"},
      {{"words", "--text", "a", "--show", "next", "--answer", "b"}, 2, "--answer"},
      {{"words", "--text", "a", "--show", "lens", "--top", "3"}, 2, "--top is for --show next"},
      {{"words", "--text", "a", "--show", "next", "--top", "0"}, 2, "--top"},
      {{"words", "--text", "a", "--show", "rollout", "--row", "a"}, 2, "--row is for"},
      {{"words", "--text", "a", "--answer", "b"}, 2, "are for --show"},
      {{"words", "--text", "a", "--show", "labels"}, 2, "random tokens"},
      {{"words", "--show", "next"}, 2, "--text or --ids is missing"},
      {{"refer", "--show", "next"}, 2, "is no model"},
      {{small_model("bert-without-head"), "--ids", "1,2", "--show", "lens"}, 5, "read-out"},
      {{small_model("t5"), "--ids", "5,6", "--show", "direct"}, 5, "not a sum"}};
  for (const Refused& refused : all) {
    std::vector<std::string> arguments = {"export", "-o", out};
    arguments.insert(arguments.end(), refused.arguments.begin(), refused.arguments.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, refused.code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(refused.message));
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  const Outcome numbers =
      run({"export", "words", "--text", "a", "--show", "next", "-o", folder / "x.npz"});
  EXPECT_EQ(numbers.code, 2);
  EXPECT_THAT(numbers.err, HasSubstr("--show writes"));
}

TEST(ExportLayers, AllHeadsHaveTheirNamesTheirTextAndTheirEdits) {
  const TempFolder folder;
  const std::string file = folder / "heads.svg";
  const Outcome outcome = run({"export", "words", "--text", kText, "--mute", "L2H1", "--layer",
                               "all", "--head", "all", "-o", file});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string svg = bytes_of(file);
  for (int layer = 0; layer < 4; ++layer) {
    EXPECT_THAT(svg, HasSubstr(">L" + std::to_string(layer) + "<"));
    EXPECT_THAT(svg, HasSubstr(">H" + std::to_string(layer) + "<"));
    EXPECT_THAT(svg, HasSubstr("<title>L" + std::to_string(layer) + "H3</title>"));
  }
  EXPECT_THAT(svg, HasSubstr("words · “the small dog” · L2H1 muted"));
  EXPECT_EQ(times_in(svg, "url(#hatch-light)"), 2);  // the head, and the legend
}

TEST(ExportLayers, APageHasAllHeadsOfAllLayers) {
  const TempFolder folder;
  const std::string file = folder / "page.html";
  const Outcome outcome =
      run({"export", "words", "--text", kText, "--mute", "L2H1", "--layer", "all", "-o", file});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = bytes_of(file);
  EXPECT_EQ(times_in(page, "\"values\":\""), 16);
  for (const char* part : {"\"L3H3\"", "\"layerHeads\":4", "\"muted\":[9]", "L2H1 muted"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(run({"predict", file, "--json"}).out,
            run({"predict", "words", "--text", kText, "--mute", "L2H1", "--json"}).out);
}

TEST(ExportMaximum, IsTheLargestOfTheHeadsThatAreHeard) {
  const std::vector<std::string> layer = {"export",  "words", "--text", kText,
                                          "--layer", "1",     "--mute", "L1H1"};
  const auto cells = [&](const std::string& head) {
    std::vector<std::string> all = layer;
    all.insert(all.end(), {"--head", head, "-o", "-"});
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return cells_of(outcome.out);
  };
  const auto largest = cells("max"), a = cells("L1H0"), b = cells("L1H2"), c = cells("L1H3");
  for (std::size_t row = 1; row < largest.size(); ++row)
    for (std::size_t key = 1; key < largest[row].size(); ++key)
      EXPECT_EQ(std::stof(largest[row][key]),
                std::max({std::stof(a[row][key]), std::stof(b[row][key]), std::stof(c[row][key])}));
}

TEST(ExportMaximum, IsAFigureOfSessionsAndOfModelsAndNotAPage) {
  const TempFolder folder;
  ASSERT_EQ(run({"export", "refer", "--head", "max", "-o", folder / "m.svg"}).code, 0);
  EXPECT_THAT(bytes_of(folder / "m.svg"), HasSubstr("maximum of all heads"));
  ASSERT_EQ(run({"export", "words", "--text", kText, "--layer", "all", "--head", "max", "-o",
                 folder / "m.svg"})
                .code,
            0);
  const Outcome page = run({"export", "refer", "--head", "max", "-o", folder / "m.html"});
  EXPECT_EQ(page.code, 2);
  EXPECT_THAT(page.err, HasSubstr("the maximum of heads"));
  const Outcome stage =
      run({"export", "refer", "--head", "max", "--stage", "scores", "-o", folder / "m.svg"});
  EXPECT_EQ(stage.code, 2);
  EXPECT_THAT(stage.err, HasSubstr("--head max is one map of weights"));
}

}  // namespace
}  // namespace lab::test
