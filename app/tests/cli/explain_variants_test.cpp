#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/document/commands/reducer.h"
#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"
#include "core/analysis/reference.h"

// What `explain` and `check` say of the variants of the layer.

namespace lab::test {
namespace {

using attention::Positions;
using attention::Stage;
using nlohmann::json;
using testing::HasSubstr;

// Ten tokens, none of them a number.
Document plain() {
  return lab::apply(small_document(), SetSentence{"the cat saw the dog and it ran far away"})
      .value();
}

Document with(const std::vector<Command>& commands) {
  Document document = plain();
  for (const Command& command : commands) document = lab::apply(document, command).value();
  return document;
}

class ExplainVariant : public testing::Test {
 protected:
  std::string explain(const Document& document, const std::string& stage, int row, int col,
                      const std::vector<std::string>& options = {}) const {
    const std::string in = folder_.write("in.json", write_session(document));
    std::vector<std::string> arguments = {
        "explain",           in,      "--stage",          stage, "--row",
        std::to_string(row), "--col", std::to_string(col)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  json explain_json(const Document& document, const std::string& stage, int row, int col) const {
    return json::parse(explain(document, stage, row, col, {"--json"}));
  }

  TempFolder folder_;
};

// Everything that adds a stage, in self-attention and in cross-attention.
std::vector<Document> everything_on() {
  const std::vector<Command> common = {SetMask{.causal = true, .window = 4},
                                       SetCell{{MatrixId::kScoreBias, 0}, 3, 1, 0.5f},
                                       SetDropout{0.3f, 4},
                                       SetResidual{true},
                                       SetLayerNorm{true},
                                       SetCell{{MatrixId::kGamma}, 0, 1, 2},
                                       SetHeadNorm{true},
                                       SetCell{{MatrixId::kNormK}, 0, 1, 2},
                                       SetScoreCap{2},
                                       SetSink{true},
                                       SetCell{{MatrixId::kSink, 1}, 0, 0, 1.5f},
                                       SetHeadMix{.head = 0, .scale = 0.5f}};
  std::vector<Document> documents;
  for (const Positions positions :
       {Positions::kSinusoidal, Positions::kLearned, Positions::kRotary, Positions::kAlibi}) {
    for (const char* keys : {"", "le chat a vu le chien"}) {
      std::vector<Command> commands = common;
      commands.insert(commands.begin(), SetKvSentence{keys});
      commands.push_back(SetPositions{.type = positions});
      documents.push_back(with(commands));
    }
  }
  return documents;
}

TEST_F(ExplainVariant, EveryStageHasItsValueInTheHeadline) {
  for (const Document& document : everything_on()) {
    const auto reference = reference_trace(document.problem);
    for (const Stage stage : attention::kAllStages) {
      const bool input = stage == Stage::kEmbedding || stage == Stage::kEmbeddingKv;
      if (input || stage_shape(document.problem, stage) == attention::Shape{}) continue;
      const std::string name(stage_name(stage));
      const double value = stage_matrix(reference, stage, 1)(3, 1);
      const std::string text = explain(document, name, 3, 1, {"--head", "2"});
      const std::string shown = text.substr(text.find("] = ") + 4);
      if (std::isinf(value)) {
        EXPECT_TRUE(shown.starts_with("−∞")) << text;
      } else {
        EXPECT_NEAR(std::stod(shown), value, 1e-4) << name << "\n" << text;
      }
    }
  }
}

TEST_F(ExplainVariant, ASinusoidalPositionShowsItsAngle) {
  const Document document = with({SetPositions{.type = Positions::kSinusoidal}});
  const std::string even = explain(document, "position", 3, 2);
  EXPECT_THAT(even, HasSubstr("3 ÷ 10000^(2/4) = 0.0300"));
  EXPECT_THAT(even, HasSubstr("sin(angle)"));
  EXPECT_THAT(explain(document, "position", 3, 3), HasSubstr("cos(angle)"));
  const std::string sum = explain(document, "X", 3, 2);
  EXPECT_THAT(sum, testing::ContainsRegex("embedding +="));
  EXPECT_THAT(sum, testing::ContainsRegex("position +="));
  EXPECT_NEAR(explain_json(document, "position", 3, 2).at("steps")[0].at("angle"), 0.03, 1e-6);
}

TEST_F(ExplainVariant, ALearnedPositionIsARowOfItsTable) {
  const Document document = with({SetPositions{.type = Positions::kLearned},
                                  SetCell{{MatrixId::kPositionTable}, 3, 2, 0.25f}});
  const std::string text = explain(document, "position", 3, 2);
  EXPECT_THAT(text, HasSubstr("0.2500  row 3 of position_table"));
}

TEST_F(ExplainVariant, ARotationShowsItsPairAndItsAngle) {
  const Document document = with({SetPositions{.type = Positions::kRotary}});
  const std::string text = explain(document, "rotated_Q", 3, 0);
  EXPECT_THAT(text, HasSubstr("3 · 10000^(−0/2) = 3.0000"));
  EXPECT_THAT(text, HasSubstr("Q[the, 0 and 1]"));
  EXPECT_THAT(text, HasSubstr("cos, −sin"));
  EXPECT_THAT(explain(document, "rotated_K", 3, 1), HasSubstr("sin, cos"));
  EXPECT_THAT(explain(document, "scores", 3, 1), HasSubstr("rotated_Q[the]"));
}

TEST_F(ExplainVariant, AlibiShowsSlopeAndDistance) {
  const Document document =
      with({SetPositions{.type = Positions::kAlibi}, SetCell{{MatrixId::kScoreBias, 0}, 3, 1, 2}});
  EXPECT_THAT(explain(document, "masked_scores", 3, 1),
              HasSubstr("plus bias 2.0000, minus slope 0.0625 · distance 2"));
}

TEST_F(ExplainVariant, DropoutSaysWhatItTakesAndWhatItKeeps) {
  const Document document = with({SetDropout{0.5f, 1}});
  const auto reference = reference_trace(document.problem);
  bool taken = false, kept = false;
  for (int col = 0; col < 10; ++col) {
    const std::string text = explain(document, "dropped_weights", 2, col);
    if (reference.heads[0].dropped_weights(2, col) == 0) {
      EXPECT_THAT(text, HasSubstr("dropout takes the weight"));
      taken = true;
    } else {
      EXPECT_THAT(text, HasSubstr("kept, times 2"));
      kept = true;
    }
  }
  EXPECT_TRUE(taken && kept);
}

TEST_F(ExplainVariant, AMutedHeadSaysSo) {
  const Document muted = with({SetHeadMix{.head = 1, .mute = true}});
  EXPECT_THAT(explain(muted, "concat", 0, 4), HasSubstr("head 2 is muted"));
  const Document halved = with({SetHeadMix{.head = 1, .scale = 0.5f}});
  EXPECT_THAT(explain(halved, "concat", 0, 4), HasSubstr("times gain 0.5"));
  EXPECT_THAT(explain(halved, "concat", 0, 0), HasSubstr("head_output of head 1, column 0"));
}

TEST_F(ExplainVariant, LayerNormShowsMeanAndVariance) {
  const Document document = with({SetResidual{true}, SetLayerNorm{true, 0.5f}});
  const std::string text = explain(document, "layer_norm", 2, 1);
  for (const char* name : {"residual", "mean", "variance", "normalised"}) {
    EXPECT_THAT(text, testing::ContainsRegex(std::string(name) + " +=")) << text;
  }
  EXPECT_THAT(text, HasSubstr(" + 0.5) = "));
  EXPECT_THAT(text, HasSubstr("times gamma 1.0000, plus beta 0.0000"));
  EXPECT_THAT(explain(document, "residual", 2, 1), HasSubstr("sum of both"));
  EXPECT_EQ(explain_json(document, "layer_norm", 2, 1).at("steps")[0].at("layer_norm").at("gamma"),
            1);
}

TEST_F(ExplainVariant, ANormedQueryShowsTheMeanSquareOfItsRow) {
  const Document document = with({SetHeadNorm{true, 0.5f}, SetCell{{MatrixId::kNormQ}, 0, 1, 3}});
  const std::string text = explain(document, "normed_Q", 2, 1);
  for (const char* name : {"Q", "mean square", "normalised", "normed_Q"}) {
    EXPECT_THAT(text, testing::ContainsRegex(std::string(name) + " +=")) << text;
  }
  EXPECT_THAT(text, HasSubstr(" + 0.5) = "));
  EXPECT_THAT(text, HasSubstr("times norm_Q 3.0000"));
  EXPECT_THAT(explain(document, "normed_K", 2, 1), HasSubstr("times norm_K 1.0000"));
  const auto step = explain_json(document, "normed_Q", 2, 1).at("steps").back();
  EXPECT_EQ(step.at("head_norm").at("weight"), 3);
  EXPECT_THAT(explain(document, "scores", 3, 1), HasSubstr("normed_Q["));
}

TEST_F(ExplainVariant, AWeightShowsWhatItsSinkTakes) {
  const Document document = with({SetSink{true}, SetCell{{MatrixId::kSink, 0}, 0, 0, 2}});
  const std::string text = explain(document, "weights", 2, 1);
  EXPECT_THAT(text, testing::ContainsRegex("exp of sink += +e\\^\\(2.0000 − [-0-9.]+\\) = "));
  EXPECT_THAT(text, testing::ContainsRegex("no key: 0\\.[0-9]+ of the row go nowhere"));
  EXPECT_THAT(text, HasSubstr("sum of exps, with the sink's"));
  const json softmax = explain_json(document, "weights", 2, 1).at("steps").back().at("softmax");
  EXPECT_EQ(softmax.at("sink").at("value"), 2);
  EXPECT_GT(softmax.at("exponential_of_sink"), 0);
  EXPECT_THAT(explain(with({}), "weights", 2, 1), testing::Not(HasSubstr("sink")));
}

TEST_F(ExplainVariant, ACappedScoreShowsItsCap) {
  const Document document = with({SetScoreCap{1.5f}});
  EXPECT_THAT(explain(document, "capped_scores", 2, 1),
              testing::ContainsRegex("capped += +1.5 · tanh\\([-0-9.]+ ÷ 1.5\\) = "));
  const auto step = explain_json(document, "capped_scores", 2, 1).at("steps").back();
  EXPECT_EQ(step.at("cap"), 1.5);
  EXPECT_THAT(explain(document, "weights", 2, 1), HasSubstr("tanh("));
}

TEST_F(ExplainVariant, AnOverrideSaysWhatItReplaces) {
  for (const Stage stage : {Stage::kX, Stage::kQ, Stage::kNormedQ, Stage::kRotatedK, Stage::kScores,
                            Stage::kScaledScores, Stage::kCappedScores, Stage::kMaskedScores,
                            Stage::kWeights, Stage::kDroppedWeights, Stage::kHeadOutput,
                            Stage::kConcat, Stage::kOutput, Stage::kResidual, Stage::kLayerNorm}) {
    const Document document = with({SetOverride{{stage, 0, 2, 1}, 0.125f}});
    const double computed = stage_matrix(reference_trace(plain().problem), stage, 0)(2, 1);
    const std::string text = explain(document, std::string(stage_name(stage)), 2, 1);
    EXPECT_THAT(text, HasSubstr("0.1250  put there by hand, computed ")) << text;
    const std::size_t at = text.rfind("computed ");
    EXPECT_NEAR(std::stod(text.substr(at + 9)), computed, 1e-4) << text;
    EXPECT_EQ(explain_json(document, std::string(stage_name(stage)), 2, 1)
                  .at("steps")
                  .back()
                  .at("overridden"),
              true);
  }
}

TEST_F(ExplainVariant, CheckCountsWhatIsNoNumber) {
  const Document broken =
      with({SetCell{{MatrixId::kScoreBias, 0}, 3, 1, -INFINITY}, SetMask{.causal = true}});
  const Outcome outcome = run({"check", folder_.write("in.json", write_session(broken))});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("masked_scores  92 −∞"));  // 2 heads × (45 + 1)
  const Outcome whole = run({"check", folder_.write("plain.json", write_session(plain()))});
  EXPECT_THAT(whole.out, testing::Not(HasSubstr("non-finite cells")));
}

TEST_F(ExplainVariant, CheckPassesEveryVariant) {
  for (const Document& document : everything_on()) {
    const Outcome outcome = run({"check", folder_.write("in.json", write_session(document))});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
  }
}

}  // namespace
}  // namespace lab::test
