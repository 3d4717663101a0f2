// The arithmetic of a cell in words.
#include "app/explain/explain_text.h"

#include <gtest/gtest.h>

#include "app/base/text_direction.h"
#include "app/base/unicode_text.h"
#include "app/explain/stage_text.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::Stage;

Sample with_distant_scores() {
  Sample made = sample("", "one two three", 1);
  auto& parameters = made.document.problem.parameters;
  for (auto* weight : {&parameters.heads[0].W_Q, &parameters.kv_heads[0].W_K})
    weight->edit([](attention::Matrix& W) { W *= 100; });
  attention::Evaluator evaluator;
  made.trace = evaluator.evaluate(made.document.problem);
  return made;
}

TEST(ExplainText, AScoreFarBelowTheMaximumIsStillANumber) {
  const Sample s = with_distant_scores();
  const auto& weights = *s.trace.heads[0].weights;
  int seen = 0;
  for (attention::Index i = 0; i < weights.rows(); ++i) {
    for (attention::Index j = 0; j < weights.cols(); ++j) {
      for (const ExplainLine& line : explain_lines(s.document, s.trace, Stage::kWeights, 0, i, j)) {
        if (line.name != "exp") continue;
        EXPECT_EQ(line.before.find("∞"), std::string::npos) << line.before;
        seen += weights(i, j) == 0;
      }
    }
  }
  EXPECT_GT(seen, 0) << "the sample has such scores";
}

TEST(ExplainText, EveryTemperatureIsToldAsPeopleWriteIt) {
  for (const auto& [temperature, text] :
       {std::pair(1000.0f, "1000"), std::pair(0.001f, "0.001"), std::pair(0.75f, "0.75")}) {
    Sample s = sample("", "one two", 1);
    s.document.problem.config.temperature = temperature;
    s.document.problem.config.scale = false;
    attention::Evaluator evaluator;
    s.trace = evaluator.evaluate(s.document.problem);
    const auto lines = explain_lines(s.document, s.trace, Stage::kScaledScores, 0, 0, 1);
    const std::string words = std::string("÷ ") + text;
    EXPECT_TRUE(lines.back().after == words || lines.back().after == words + ", rounded");
  }
}

TEST(ExplainText, AMaskedScoreIsMinusInfinity) {
  const Sample s = sample("", "one two three", 1, true);
  for (const ExplainLine& line : explain_lines(s.document, s.trace, Stage::kWeights, 0, 0, 2)) {
    if (line.name == "exp") {
      EXPECT_EQ(line.before, "e^(−∞) =");
    }
  }
}

Sample with_every_reason() {
  Sample made = sample("", "one two three four five", 3);
  attention::Problem& problem = made.document.problem;
  problem.config.mask = {true, 4, 2};
  problem.config.dropout_rate = 0.5f;
  problem.head_mix = {{.mute = true}, {.solo = true}, {.scale = 0.0f}};
  problem.allowed = attention::SharedMatrix(attention::Matrix::Identity(5, 5));
  attention::Evaluator evaluator;
  made.trace = evaluator.evaluate(problem);
  return made;
}

TEST(ReasonText, SaysEveryReasonInWords) {
  const Sample s = with_every_reason();
  const auto words = [&](Stage stage, attention::Index head, attention::Index row,
                         attention::Index col) {
    return reason_words(
        attention::explain(s.document.problem, s.trace, stage, head, row, col).reasons);
  };
  EXPECT_EQ(words(Stage::kMaskedScores, 0, 0, 4),
            "causal mask: key 4 comes after query 0; padding: key 4 is none of the first 4; "
            "window: key 4 is 4 away from query 0, it must be less than 2; "
            "the mask forbids query 0 from attending to key 4");
  EXPECT_EQ(words(Stage::kMaskedScores, 1, 3, 1),
            "window: key 1 is 2 away from query 3, it must be less than 2; "
            "the mask forbids query 3 from attending to key 1");
  EXPECT_EQ(words(Stage::kMaskedScores, 2, 3, 3), "");
  const attention::Index d_v = s.document.problem.config.d_v;
  EXPECT_EQ(words(Stage::kConcat, 0, 0, 0), "head 1 is muted");
  EXPECT_EQ(words(Stage::kConcat, 0, 0, d_v), "");
  EXPECT_EQ(words(Stage::kConcat, 0, 0, 2 * d_v), "head 3 is silent while others are solo");
}

TEST(ReasonText, NamesThePairThatDropoutTakes) {
  const Sample s = with_every_reason();
  int taken = 0;
  for (attention::Index j = 0; j < 5; ++j) {
    const auto cell =
        attention::explain(s.document.problem, s.trace, Stage::kDroppedWeights, 1, 2, j);
    if (cell.reasons.empty()) continue;
    ++taken;
    EXPECT_EQ(reason_words(cell.reasons),
              "dropout takes the weight of query 2 and key " + std::to_string(j) + " in head 2");
  }
  EXPECT_GT(taken, 0);
}

TEST(ReasonText, AHeadMayBeScaledByZero) {
  EXPECT_EQ(reason_words({{.type = attention::ReasonType::kScaledByZero, .head = 2}}),
            "head 3 is scaled by 0");
}

TEST(ExplainText, TokensFromRightToLeftStandApart) {
  const Sample s = sample("", "قطة cat שלום", 1);
  EXPECT_EQ(cell_title(s.document, Stage::kWeights, 0, 2),
            "weights[\u2068قطة\u2069, \u2068שלום\u2069]");
  EXPECT_EQ(cell_title(s.document, Stage::kWeights, 1, 1), "weights[cat, cat]");
}

// A character that was cut in two: everything that names a token shows its bytes in hexadecimal.
TEST(ExplainText, BytesThatAreNoCharacterAreHexadecimal) {
  const Sample s = sample("", "cat \xE0\xB8", 1);
  ASSERT_EQ(s.document.tokens.size(), 3U);
  EXPECT_EQ(cell_title(s.document, Stage::kWeights, 1, 2), "weights[⟨E0⟩, ⟨B8⟩]");
  EXPECT_NE(cell_meaning(s.document, Stage::kWeights, 0, 1, 2).find("“⟨B8⟩” flows into “⟨E0⟩”"),
            std::string::npos);
  EXPECT_EQ(pair_text(row_label(s.document, 1), key_label(s.document, 2)), "⟨E0⟩ → ⟨B8⟩");
  for (const ExplainLine& line : explain_lines(s.document, s.trace, Stage::kWeights, 0, 1, 2))
    EXPECT_TRUE(is_utf8(line.name + line.before + line.after)) << line.name;
}

TEST(ExplainText, AStageThatIsOffIsDescribedAsWhatItRepeats) {
  const Sample s = sample("", "one two three", 2);
  const auto meaning = [&](Stage stage) { return cell_meaning(s.document, stage, 0, 1, 2); };
  EXPECT_EQ(meaning(Stage::kRotatedQ), "Off: the same as Q. " + meaning(Stage::kQ));
  EXPECT_EQ(meaning(Stage::kXKv), "The same as X. " + meaning(Stage::kX));
  EXPECT_EQ(meaning(Stage::kDroppedWeights),
            "Off: the same as weights. " + meaning(Stage::kWeights));
  EXPECT_EQ(meaning(Stage::kResidual), "Off: the same as output. " + meaning(Stage::kOutput));
  EXPECT_EQ(meaning(Stage::kLayerNorm), "Off: the same as output. " + meaning(Stage::kOutput));
  EXPECT_EQ(meaning(Stage::kQ).find("ff: "), std::string::npos);
}

TEST(ExplainText, AStageThatIsOnIsDescribedAsItself) {
  Sample s = sample("", "one two three", 2);
  auto& config = s.document.problem.config;
  config.layer_norm = config.residual = true;
  config.positions = attention::Positions::kRotary;
  for (const Stage stage : {Stage::kRotatedQ, Stage::kResidual, Stage::kLayerNorm})
    EXPECT_EQ(cell_meaning(s.document, stage, 0, 1, 2).find("the same as"), std::string::npos);
  EXPECT_EQ(stage_formula(s.document.problem, Stage::kLayerNorm), "(x − mean) ÷ σ");
  EXPECT_EQ(stage_formula(s.document.problem, Stage::kRotatedQ), "Q′: Q turned by position");
  EXPECT_EQ(stage_formula(s.document.problem, Stage::kScores), "Q′ K′<sup>T</sup>");
}

TEST(ExplainText, NormedAndRotatedQueriesAreToldApart) {
  Sample s = sample("", "one two three", 2);
  attention::Problem& problem = s.document.problem;
  problem.config.head_norm = true;
  EXPECT_EQ(stage_formula(problem, Stage::kNormedQ), "Q′: Q ÷ RMS");
  problem.parameters.norm_K =
      attention::SharedMatrix(attention::Matrix::Ones(1, problem.config.d_k));
  EXPECT_EQ(stage_formula(problem, Stage::kNormedK), "K′: K ÷ RMS · norm<sub>K</sub>");
  EXPECT_EQ(stage_formula(problem, Stage::kScores), "Q′ K′<sup>T</sup>");
  problem.config.positions = attention::Positions::kRotary;
  EXPECT_EQ(stage_formula(problem, Stage::kRotatedK), "K′′: K′ turned by position");
  EXPECT_EQ(stage_formula(problem, Stage::kScores), "Q′′ K′′<sup>T</sup>");
  problem.config.score_cap = 50;
  EXPECT_EQ(stage_formula(problem, Stage::kCappedScores), "50 · tanh(s ÷ 50)");
  EXPECT_EQ(stage_formula(problem, Stage::kMaskedScores), "off: the same as capped_scores");
}

Sample with_scores_by_distance() {
  Sample made = sample("", "one two three", 2);
  attention::Problem& problem = made.document.problem;
  attention::RelativePositions& relative = problem.relative.emplace();
  relative.embedding =
      attention::SharedMatrix(attention::Matrix::Constant(2, problem.config.d_model, 0.5f));
  relative.embedding.edit([](attention::Matrix& rows) { rows.row(1) *= -2; });
  relative.distances = {{0, 0, 0, 1, 1}, 2};
  relative.content_to_position = relative.position_to_content = true;
  attention::Evaluator evaluator;
  made.trace = evaluator.evaluate(problem);
  return made;
}

std::vector<std::string> names_of(const std::vector<ExplainLine>& lines) {
  std::vector<std::string> names;
  for (const ExplainLine& line : lines) names.push_back(line.name);
  return names;
}

TEST(ExplainText, AScoreByDistanceIsProductsWithTheRowOfTheDistance) {
  const Sample s = with_scores_by_distance();
  const auto lines = explain_lines(s.document, s.trace, Stage::kContentToPosition, 1, 2, 0);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].name.starts_with("Q[") && lines[0].name.find("three") != std::string::npos);
  EXPECT_EQ(lines[1].name, "P_K");
  EXPECT_EQ(lines[3].name, "content_to_position");
  EXPECT_TRUE(lines[3].after.starts_with("distance 2 − 0 = 2")) << lines[3].after;
  EXPECT_EQ(cell_meaning(s.document, Stage::kContentToPosition, 1, 2, 0).find("off"),
            std::string::npos);
}

TEST(ExplainText, ScoresByDistanceAreAddedInSight) {
  const Sample s = with_scores_by_distance();
  const auto lines = explain_lines(s.document, s.trace, Stage::kScaledScores, 0, 0, 1);
  const std::vector<std::string> names = names_of(lines);
  const std::vector<std::string> last(names.end() - 5, names.end());
  EXPECT_EQ(last, (std::vector<std::string>{"score", "content_to_position", "position_to_content",
                                            "summed", "scaled"}));
  EXPECT_EQ(lines[lines.size() - 4].after, "distance 0 − 1 = −1");
  EXPECT_EQ(stage_formula(s.document.problem, Stage::kSummedScores),
            "scores + content → position + position → content");
}

TEST(ExplainText, FormulasOfStagesThatAreOffSaySo) {
  Sample s = sample("", "one two three", 2);
  attention::Problem& problem = s.document.problem;
  EXPECT_EQ(stage_formula(problem, Stage::kRotatedK), "off: the same as K");
  EXPECT_EQ(stage_formula(problem, Stage::kMaskedScores), "off: the same as scaled_scores");
  EXPECT_EQ(stage_formula(problem, Stage::kDroppedWeights), "off: the same as weights");
  EXPECT_EQ(stage_formula(problem, Stage::kLayerNorm), "off: the same as output");
  EXPECT_EQ(stage_formula(problem, Stage::kX), "embeddings");
  problem.overrides.push_back({Stage::kResidual, 0, 0, 0, 3.0f});
  EXPECT_EQ(stage_formula(problem, Stage::kResidual),
            "off: the same as output except for overrides");
  EXPECT_EQ(stage_formula(problem, Stage::kLayerNorm), "off: the same as residual");
}

}  // namespace
}  // namespace lab
