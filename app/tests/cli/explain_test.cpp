#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"
#include "core/analysis/reference.h"
#include "core/layer/trace.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The numbers of the line that starts with `name` and " =".
std::vector<double> numbers_of(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t equals = line.find(" =", name.size());
    if (line.find_first_not_of(' ', name.size()) != equals + 1) continue;
    std::istringstream rest(line.substr(equals + 2));
    std::vector<double> numbers;
    for (double number = 0; rest >> number;) numbers.push_back(number);
    return numbers;
  }
  ADD_FAILURE() << "no line " << name << " in\n" << text;
  return {};
}

double sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

class Explain : public testing::Test {
 protected:
  // Standard output of `explain` on the session; the verb must succeed in silence.
  std::string explain(const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"explain", in_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  json explain_json(std::vector<std::string> options) const {
    options.push_back("--json");
    return json::parse(explain(options));
  }

  TempFolder folder_;
  std::string in_ = small_session(folder_);
  attention::ReferenceTrace reference_ = reference_trace(small_document().problem);
};

TEST_F(Explain, NumbersHaveTheDigitsThatAreAskedFor) {
  const auto first_line = [&](const char* digits) {
    return explain({"--row", "cat", "--col", "1", "--stage", "Q", "--digits", digits});
  };
  EXPECT_THAT(first_line("6"), testing::ContainsRegex("= -?[0-9]+\\.[0-9]{6}\n"));
  EXPECT_EQ(run({"explain", in_, "--row", "0", "--col", "0", "--digits", "1"}).code, 2);
  EXPECT_EQ(run({"explain", in_, "--row", "0", "--col", "0", "--digits", "3", "--json"}).code, 2);
}

TEST_F(Explain, APictureStandsForTheSessionItWasMadeOf) {
  const std::vector<std::string> cell = {"--row", "cat", "--col", "dog", "--head", "2"};
  const std::string expected = explain(cell);
  for (const char* name : {"figure.png", "figure.pdf", "figure.svg", "figure.html"}) {
    const std::string picture = folder_ / name;
    EXPECT_EQ(run({"export", in_, "-o", picture}).code, 0);
    std::vector<std::string> arguments = {"explain", picture};
    arguments.insert(arguments.end(), cell.begin(), cell.end());
    EXPECT_EQ(run(arguments).out, expected) << name;
    EXPECT_EQ(run({"export", in_, "-o", picture, "--bare"}).code, 0);
    const Outcome without = run(arguments);
    EXPECT_EQ(without.code, 5);
    EXPECT_THAT(without.err, HasSubstr("without a session"));
    EXPECT_TRUE(is_one_message(without.err)) << without.err;
  }
}

TEST_F(Explain, TheHeadMakesNoDifferenceWhereAllHaveOne) {
  const std::vector<std::string> cell = {"--stage", "output", "--row", "cat", "--col", "0"};
  std::vector<std::string> of_head_7 = cell;
  of_head_7.insert(of_head_7.end(), {"--head", "7"});
  EXPECT_EQ(explain(of_head_7), explain(cell));
}

TEST_F(Explain, AScoreIsTheSumOfTheProductsShown) {
  const std::string text =
      explain({"--stage", "scores", "--head", "2", "--row", "cat", "--col", "dog"});
  EXPECT_THAT(text, testing::StartsWith("scores[cat, dog] = "));
  const auto Q = numbers_of(text, "Q[cat]");
  const auto K = numbers_of(text, "K[dog]");
  const auto products = numbers_of(text, "products");
  ASSERT_EQ(Q.size(), 2u);
  ASSERT_EQ(K.size(), 2u);
  ASSERT_EQ(products.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(Q[i] * K[i], products[i], 1e-3);
  EXPECT_NEAR(sum(products), reference_.heads[1].scores(1, 4), 1e-3);
  EXPECT_NEAR(numbers_of(text, "score").at(0), reference_.heads[1].scores(1, 4), 1e-4);
}

TEST_F(Explain, AWeightIsTheRatioShown) {
  const std::string text = explain({"--row", "cat", "--col", "dog"});
  EXPECT_THAT(text, HasSubstr("How much of “dog” flows into “cat” in head 1."));
  const double weight = reference_.heads[0].weights(1, 4);
  EXPECT_THAT(text, testing::ContainsRegex("weight +=.* ÷ .* = "));
  const std::size_t last = text.rfind("= ");
  EXPECT_NEAR(std::stod(text.substr(last + 2)), weight, 1e-4);
  EXPECT_NEAR(std::stod(text.substr(text.find("] = ") + 4)), weight, 1e-4);
}

TEST_F(Explain, EveryCellOfEveryStageHasItsValueInTheHeadline) {
  for (const attention::Stage stage : attention::kAllStages) {
    const bool computed = stage >= attention::Stage::kX && stage != attention::Stage::kEmbeddingKv;
    if (!computed || stage_shape(small_document().problem, stage) == attention::Shape{}) continue;
    const auto& matrix = stage_matrix(reference_, stage, 1);
    for (const attention::Index col : {attention::Index{0}, matrix.cols() - 1}) {
      const std::string text = explain({"--stage", std::string(stage_name(stage)), "--head", "2",
                                        "--row", "3", "--col", std::to_string(col)});
      EXPECT_NEAR(std::stod(text.substr(text.find("] = ") + 4)), matrix(3, col), 1e-4)
          << stage_name(stage) << "\n"
          << text;
    }
  }
}

TEST_F(Explain, AStageThatTheModelDoesNotHaveIsWrongUsage) {
  for (const char* stage : {"position", "embedding_kv", "position_kv"}) {
    const Outcome outcome = run({"explain", in_, "--stage", stage, "--row", "0", "--col", "0"});
    EXPECT_EQ(outcome.code, 2) << stage;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(std::string("there is no ") + stage));
  }
}

TEST_F(Explain, DimensionsWithNamesStandAboveTheirNumbers) {
  const std::string text = explain({"--stage", "Q", "--row", "cat", "--col", "1"});
  const std::size_t names = text.find("alpha");
  ASSERT_NE(names, std::string::npos) << text;
  EXPECT_LT(names, text.find("X[cat]"));
  EXPECT_NEAR(sum(numbers_of(text, "products")), reference_.heads[0].Q(1, 1), 1e-3);
}

TEST_F(Explain, LongSumsAreWrittenBelowEachOther) {
  // Ten keys are more than fit side by side.
  const std::string text = explain({"--stage", "head_output", "--row", "cat", "--col", "2"});
  std::istringstream lines(text);
  double products = 0;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string label;
    double a = 0, b = 0, product = 0;
    if (!(words >> label >> a >> b >> product)) continue;
    EXPECT_NEAR(a * b, product, 1e-3) << line;
    products += product;
    ++rows;
  }
  EXPECT_EQ(rows, 10) << text;
  EXPECT_NEAR(products, reference_.heads[0].head_output(1, 2), 1e-3);
}

TEST_F(Explain, JsonHoldsEveryStepToTheWeight) {
  const json explanation = explain_json({"--head", "2", "--row", "cat", "--col", "dog"});
  EXPECT_EQ(explanation.at("stage"), "weights");
  EXPECT_EQ(explanation.at("head"), 2);
  EXPECT_EQ(explanation.at("row"), json({{"position", 1}, {"label", "cat"}}));
  EXPECT_EQ(explanation.at("col"), json({{"position", 4}, {"label", "dog"}}));
  EXPECT_NEAR(explanation.at("value"), reference_.heads[1].weights(1, 4), 1e-6);

  const json& steps = explanation.at("steps");
  ASSERT_EQ(steps.size(), 3u) << "no masked_scores without a mask";
  double products = 0;
  for (const json& term : steps[0].at("terms")) {
    EXPECT_EQ(term.at("a").at("matrix"), "Q");
    EXPECT_EQ(term.at("a").at("head"), 2);
    EXPECT_DOUBLE_EQ(float(term["a"]["value"]) * double(float(term["b"]["value"])),
                     term.at("product"));
    products += double(term.at("product"));
  }
  EXPECT_NEAR(products, steps[0].at("value"), 1e-6);
  EXPECT_NEAR(products * double(steps[1].at("factor")), steps[1].at("value"), 1e-6);
  const json& softmax = steps[2].at("softmax");
  EXPECT_NEAR(sum(softmax.at("exponentials")), softmax.at("denominator"), 1e-9);
  EXPECT_NEAR(double(softmax.at("exponentials").at(4)) / double(softmax.at("denominator")),
              explanation.at("value"), 1e-6);
}

TEST_F(Explain, ACellThatIsMaskedSaysWhy) {
  Document document = small_document();
  document.problem.config.mask.causal = true;
  const std::string in = folder_.write("causal.json", write_session(document));
  const Outcome text = run({"explain", in, "--row", "cat", "--col", "dog"});
  EXPECT_THAT(text.out, HasSubstr("−∞"));
  EXPECT_THAT(text.out, HasSubstr("causal mask"));
  const json explanation =
      json::parse(run({"explain", in, "--row", "cat", "--col", "dog", "--json"}).out);
  EXPECT_EQ(explanation.at("value"), 0);
  EXPECT_EQ(explanation.at("steps").at(2).at("value"), "-Infinity");
  EXPECT_THAT(std::string(explanation.at("steps").at(2).at("masked_because")), HasSubstr("causal"));
}

TEST_F(Explain, ADimensionIsFoundByItsName) {
  const json explanation = explain_json({"--stage", "X", "--row", "dog", "--col", "gamma"});
  EXPECT_EQ(explanation.at("col").at("position"), 2);
  EXPECT_FALSE(explanation.contains("head"));
  EXPECT_EQ(float(explanation.at("value")), (*small_document().problem.embedding)(4, 2));
}

TEST_F(Explain, ANumberIsAPositionAlsoWhereATokenIsWrittenSo) {
  // The tokens are The cat saw the dog 7 7 2 and it.
  const Outcome outcome = run({"explain", in_, "--row", "2", "--col", "0", "--json"});
  EXPECT_EQ(json::parse(outcome.out).at("row").at("label"), "saw");
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("at position 7: write token:2"));
  EXPECT_EQ(explain_json({"--row", "token:2", "--col", "0"}).at("row").at("position"), 7);
  EXPECT_EQ(explain_json({"--row", "9", "--col", "0"}).at("row").at("label"), "it");
}

TEST_F(Explain, ATokenThatStandsInTwoPlacesIsTheFirstAndSaysSo) {
  const Outcome outcome = run({"explain", in_, "--row", "token:7", "--col", "0", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(json::parse(outcome.out).at("row").at("position"), 5);
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("position 5"));
}

TEST_F(Explain, APlaceThatIsNotThereIsWrongUsageAndSaysWhatIs) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--row", "10", "--col", "0"}, "1 cat, 2 saw"},
      {{"--row", "-1", "--col", "0"}, "--row"},
      {{"--row", "unicorn", "--col", "0"}, "--row"},
      {{"--row", "0", "--col", "unicorn"}, "--col"},
      {{"--row", "0", "--col", "99999999999999999999"}, "--col"},
      {{"--row", "", "--col", "0"}, "--row"},
      {{"--stage", "Q", "--row", "0", "--col", "2"}, "one of 0, 1"},
      {{"--stage", "weighs", "--row", "0", "--col", "0"}, "weights"},
      {{"--head", "3", "--row", "0", "--col", "0"}, "1 to 2"},
      {{"--head", "0", "--row", "0", "--col", "0"}, "1 to 2"},
      {{"--head", "all", "--row", "0", "--col", "0"}, "1 to 2"}};
  for (const auto& [options, hint] : wrong) {
    std::vector<std::string> arguments = {"explain", in_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(options);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(hint));
  }
}

TEST(ExplainCross, RowsOfKeysAreTheKeys) {
  const std::string in = golden("cross.problem.safetensors");  // 5 queries, 8 keys
  EXPECT_EQ(run({"explain", in, "--stage", "K", "--row", "7", "--col", "0"}).code, 0);
  EXPECT_EQ(run({"explain", in, "--stage", "Q", "--row", "7", "--col", "0"}).code, 2);
  EXPECT_EQ(run({"explain", in, "--row", "4", "--col", "7"}).code, 0);
}

}  // namespace
}  // namespace lab::test
