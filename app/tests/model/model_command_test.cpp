#include "app/document/model/model_command.h"

#include <gmock/gmock.h>

#include "app/document/model/layer_name.h"
#include "app/document/words/detached_text.h"
#include "app/tests/model/support.h"
#include "core/network/layer_matrix.h"

// The commands of a session, on a layer of a model.

namespace lab {
namespace {

using attention::Matrix;
using attention::MatrixId;
using attention::Stage;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ModelDocument document_with_ids(const std::string& name, ModelText text,
                                ModelText decoder_text = {}) {
  auto document = make_model_document(std::make_shared<const Model>(opened_golden(name)),
                                      std::move(text), std::move(decoder_text));
  if (!document) throw std::runtime_error(document.error().message);
  return *document;
}

ModelDocument gpt2_document() { return document_with_ids("gpt2", {std::nullopt, {5, 6, 7, 8}}); }
ModelDocument bart_document() {
  return document_with_ids("bart", {std::nullopt, {5, 6, 7}}, {std::nullopt, {2, 4}});
}

Expected<ModelDocument> after_line(const ModelDocument& document, const std::string& line) {
  const auto command = model_command_from_json_line(line);
  if (!command) return tl::make_unexpected(command.error());
  NetworkEvaluator evaluator;
  return apply(document, *command, evaluator);
}

ModelDocument edited(const ModelDocument& document, const std::string& line) {
  auto changed = after_line(document, line);
  if (!changed) throw std::runtime_error(line + ": " + changed.error().message);
  return *changed;
}

std::string complaint(const ModelDocument& document, const std::string& line) {
  const auto changed = after_line(document, line);
  return changed ? "" : changed.error().message;
}

TEST(ModelCommand, CountsHeadsFromZeroAndNamesItsLayer) {
  const char* const kLines[] = {
      R"({"layer":"cross.0","do":"set_cell","matrix":"W_Q","head":0,"row":0,"col":1,"value":0.5})",
      R"({"layer":"1","do":"set_head_mix","head":0,"mute":true})",
      R"({"layer":"encoder.1","do":"set_override","stage":"weights","head":1,"row":0,"col":0,"value":1.0})",
      R"({"do":"set_sentence","text":"a small"})"};
  for (const char* line : kLines) {
    const auto command = model_command_from_json_line(line);
    ASSERT_TRUE(command) << command.error().message;
    EXPECT_EQ(to_json_line(*command), line);
  }
  const auto first = model_command_from_json_line(kLines[1]);
  EXPECT_EQ(first->layer, (LayerId{Sublayer::kSelf, 1}));
  EXPECT_EQ(std::get<SetHeadMix>(first->command).head, 0);
}

TEST(ModelCommand, LeavesTheLinesOfSessionsAsTheyAre) {
  EXPECT_THAT(command_from_json_line(R"({"layer":"1","do":"set_head_mix","head":1,"mute":true})")
                  .error()
                  .message,
              HasSubstr("unknown member “layer”"));
  EXPECT_FALSE(command_from_json_line(R"({"do":"set_head_mix","head":0,"mute":true})"));
}

TEST(ModelCommand, SetsACellOfAHeadOfALayer) {
  const ModelDocument document = gpt2_document();
  const ModelDocument changed = edited(
      document,
      R"({"layer":"1","do":"set_cell","matrix":"W_K","head":2,"row":3,"col":1,"value":0.5})");
  for (const LayerId& at : all_layer_ids(document.network)) {
    const auto& before = *find_attention(document.network, at);
    const auto& after = *find_attention(changed.network, at);
    for (const MatrixId id : {MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV}) {
      for (attention::Index head = 0; head < before.n_heads; ++head) {
        Matrix expected = layer_matrix(before, id, head).values();
        if (at.layer == 1 && id == MatrixId::kWK && head == 2) expected(3, 1) = 0.5f;
        EXPECT_EQ(layer_matrix(after, id, head).values(), expected);
      }
    }
  }
}

// Gemma's norm multiplies by 1 + weight; what is edited is that sum.
TEST(ModelCommand, SetsAFactorOfNormalisedQueriesOrKeys) {
  for (const char* name : {"qwen3", "gemma3"}) {
    const ModelDocument document = document_with_ids(name, {std::nullopt, {5, 6, 7}});
    const ModelDocument changed = edited(
        document, R"({"layer":"0","do":"set_cell","matrix":"norm_K","row":0,"col":1,"value":3})");
    const auto& before = document.network.stack.blocks[0].attention;
    const auto& after = changed.network.stack.blocks[0].attention;
    Matrix expected = layer_matrix(before, MatrixId::kNormK, 0).values();
    expected(0, 1) = 3;
    EXPECT_EQ(layer_matrix(after, MatrixId::kNormK, 0).values(), expected) << name;
    EXPECT_EQ(after.query_norm, before.query_norm) << name;
    NetworkEvaluator one, two;
    EXPECT_NE(one.evaluate(document.network, tokens_of(document)).stack.final,
              two.evaluate(changed.network, tokens_of(changed)).stack.final);
  }
}

TEST(ModelCommand, UsesTheLayerThatIsLookedAtWhereItNamesNone) {
  ModelDocument document = gpt2_document();
  const std::string line = R"({"do":"set_head_mix","head":0,"scale":0.5})";
  EXPECT_THAT(complaint(document, line), HasSubstr("in which layer?"));
  document.layer = LayerId{Sublayer::kSelf, 1};
  EXPECT_THAT(edited(document, line).interventions.gains,
              ElementsAre(attention::network::HeadGain{{Sublayer::kSelf, 1}, 0, 0.5f}));
}

TEST(ModelCommand, KeepsTheScaleOfAHeadThatIsMutedForAWhile) {
  ModelDocument document = gpt2_document();
  document.layer = LayerId{};
  for (const char* line : {R"({"do":"set_head_mix","head":1,"scale":0.5})",
                           R"({"do":"set_head_mix","head":1,"mute":true})",
                           R"({"do":"set_head_mix","head":2,"solo":true})",
                           R"({"do":"set_head_mix","head":2,"solo":false})"})
    document = edited(document, line);
  EXPECT_THAT(document.interventions.gains,
              ElementsAre(attention::network::HeadGain{{}, 1, 0.5f, true}));
  document = edited(document, R"({"do":"set_head_mix","head":1,"mute":false})");
  EXPECT_THAT(document.interventions.gains, ElementsAre(attention::network::HeadGain{{}, 1, 0.5f}));
}

TEST(ModelCommand, OverridesACellAndRemovesTheOverride) {
  ModelDocument document = bart_document();
  document.layer = LayerId{Sublayer::kCross, 1};
  document = edited(
      document, R"({"do":"set_override","stage":"weights","head":1,"row":1,"col":2,"value":0.75})");
  ASSERT_EQ(document.interventions.overrides.size(), 1U);
  EXPECT_EQ(document.interventions.overrides[0].at, *document.layer);
  EXPECT_EQ(document.interventions.overrides[0].cell,
            (attention::Override{Stage::kWeights, 1, 1, 2, 0.75f}));
  const ModelDocument other_layer =
      edited(document, R"({"layer":"cross.0","do":"clear_overrides"})");
  EXPECT_EQ(other_layer.interventions.overrides.size(), 1U);
  EXPECT_TRUE(edited(document, R"({"do":"clear_overrides"})").interventions.overrides.empty());
  EXPECT_TRUE(
      edited(document, R"({"do":"remove_override","stage":"weights","head":1,"row":1,"col":2})")
          .interventions.overrides.empty());
}

struct RefusedLine {
  const char* line;
  const char* message;
};

TEST(ModelCommand, SaysWhyWhatCannotBeDone) {
  const RefusedLine kRefusedLines[] = {
      {R"({"layer":"L1","do":"clear_overrides"})", "“layer” must be the name of a layer"},
      {R"({"layer":1,"do":"clear_overrides"})", "“layer” must be a string"},
      {R"({"layer":"2","do":"clear_overrides"})", "the model has no layer \"2\""},
      {R"({"layer":"cross.0","do":"clear_overrides"})", "the model has no layer \"cross.0\""},
      {R"({"layer":"1","do":"set_head_mix","head":4,"mute":true})",
       "there is no head 4 in layer 1, which has 0 to 3"},
      {R"({"layer":"1","do":"set_cell","matrix":"W_V","head":4,"row":0,"col":0,"value":1})",
       "there is no key and value head 4 in layer 1"},
      {R"({"layer":"1","do":"set_cell","matrix":"W_Q","head":1,"row":99,"col":0,"value":1})",
       "of head L1H1"},
      {R"({"layer":"1","do":"set_override","stage":"scores","head":1,"row":9,"col":0,"value":1})",
       "scores of head L1H1"},
      {R"({"layer":"1","do":"set_override","stage":"layer_norm","row":0,"col":0,"value":1})",
       "layer_norm cannot be overridden in a layer of a model: what is added to output"},
      {R"({"layer":"1","do":"set_override","stage":"residual","row":0,"col":0,"value":1})",
       "residual cannot be overridden in a layer of a model: what is added to output"},
      {R"({"layer":"1","do":"set_override","stage":"X_kv","row":0,"col":0,"value":1})",
       "the model has no X_kv"},
      {R"({"layer":"1","do":"set_cell","matrix":"X","row":0,"col":0,"value":1})",
       "X of a model's layer is computed by the layers before"},
      {R"({"layer":"1","do":"set_cell","matrix":"mask","row":1,"col":0,"value":0})",
       "the mask cannot be changed"},
      {R"({"layer":"1","do":"set_cell","matrix":"gamma","row":0,"col":0,"value":2})",
       "gamma cannot be changed in a layer of a model"},
      {R"({"layer":"1","do":"set_cell","matrix":"mask","row":1,"col":0,"value":1})",
       "mask cannot be changed in a layer of a model"},
      {R"({"layer":"1","do":"set_cell","matrix":"gamma","row":0,"col":0,"value":1})",
       "gamma cannot be changed in a layer of a model"},
      {R"({"layer":"1","do":"set_size","size":"d_k","value":2})", "set_size cannot be done"},
      {R"({"layer":"1","do":"set_mask","causal":false})", "set_mask cannot be done"},
      {R"({"do":"set_scale","on":false})", "set_scale cannot be done"},
      {R"({"do":"set_token_mode","mode":"words"})", "set_token_mode cannot be done"},
      {R"({"layer":"1","do":"set_sentence","text":"a"})", "leave out “layer”"},
      {R"({"do":"set_sentence","text":"a","new_word_scale":1})", "leave out “new_word_scale”"},
      {R"({"do":"set_sentence","text":"a"})", "there is no tokenizer.json"},
      {R"({"do":"set_kv_sentence","text":"a"})", "models with two stacks"},
      {R"({"do":"dance"})", "unknown command"}};
  const ModelDocument document = gpt2_document();
  for (const RefusedLine& refused : kRefusedLines)
    EXPECT_THAT(complaint(document, refused.line), HasSubstr(refused.message)) << refused.line;
  ModelDocument gemma = document_with_ids("gemma2", {std::nullopt, {5, 6}});
  EXPECT_NE(
      complaint(gemma, R"({"layer":"0","do":"set_cell","matrix":"X","row":0,"col":0,"value":1})"),
      "");
}

ModelDocument words_document(const char* text) {
  auto document =
      make_model_document(std::make_shared<const Model>(opened_model("words")), {text, {}});
  if (!document) throw std::runtime_error(document.error().message);
  return *document;
}

// Dropout is off in a trained model, and X is computed by the layers before: overrides replace both
// where the layer uses them.
TEST(ModelCommand, OverridesWhatALayerReadsAndWhatMixesItsValues) {
  const ModelDocument document = gpt2_document();
  for (
      const char* const line :
      {R"({"layer":"1","do":"set_override","stage":"X","row":1,"col":2,"value":3})",
       R"({"layer":"1","do":"set_override","stage":"dropped_weights","head":1,"row":1,"col":0,"value":2})"}) {
    SCOPED_TRACE(line);
    const ModelDocument changed = edited(document, line);
    ASSERT_EQ(changed.interventions.overrides.size(), 1U);
    attention::network::NetworkEvaluator before, after;
    const auto& default_value = before.evaluate(document.network, tokens_of(document)).stack;
    const auto& now =
        after.evaluate(changed.network, tokens_of(changed), changed.interventions).stack;
    EXPECT_EQ(*now.blocks[1].input, *default_value.blocks[1].input) << "it is in layer 1";
    EXPECT_EQ(now.last->row(0), default_value.last->row(0)) << "row 0 does not see it";
    EXPECT_GT((now.last->row(1) - default_value.last->row(1)).cwiseAbs().maxCoeff(), 0.01f);
  }
}

TEST(ModelText, ClearingOverridesForgetsThoseThatAreDetached) {
  const ModelDocument document = words_document("a small dog and a cat");
  const char* const override =
      R"({"layer":"1","do":"set_override","stage":"weights","head":0,"row":5,"col":1,"value":0.5})";
  const char* const shorter = R"({"do":"set_sentence","text":"a small"})";
  const ModelDocument waiting = edited(edited(document, override), shorter);
  ASSERT_EQ(waiting.detached.edits.overrides.size(), 1U);
  EXPECT_EQ(
      edited(waiting, R"({"layer":"0","do":"clear_overrides"})").detached.edits.overrides.size(),
      1U);
  const ModelDocument cleared = edited(waiting, R"({"layer":"1","do":"clear_overrides"})");
  EXPECT_TRUE(cleared.detached.edits.overrides.empty());
  EXPECT_EQ(detached_or_returned_text(waiting, cleared),
            "1 override or patch that had been detached: cleared");
}

TEST(ModelText, KeepsEditsAndDetachesWhatHasNoPlace) {
  ModelDocument document = words_document("a small dog and a cat");
  document.layer = LayerId{Sublayer::kSelf, 1};
  for (const char* line :
       {R"({"do":"set_head_mix","head":0,"mute":true})",
        R"({"do":"set_cell","matrix":"W_Q","head":1,"row":0,"col":0,"value":0.5})",
        R"({"do":"set_override","stage":"weights","head":1,"row":1,"col":0,"value":0.5})",
        R"({"do":"set_override","stage":"weights","head":1,"row":4,"col":3,"value":0.5})"})
    document = edited(document, line);
  const ModelDocument shorter = edited(document, R"({"do":"set_sentence","text":"a small dog"})");
  EXPECT_EQ(shorter.interventions.gains, document.interventions.gains);
  EXPECT_EQ(shorter.network, document.network);
  EXPECT_EQ(shorter.interventions.overrides.size(), 1U);
  EXPECT_EQ(shorter.detached.edits.overrides.size(), 1U);
  EXPECT_THAT(detached_or_returned_text(document, shorter), HasSubstr("override L1H1 weights"));

  const ModelDocument longer =
      edited(shorter, R"({"do":"set_sentence","text":"a small dog and a cat"})");
  EXPECT_EQ(longer.interventions.overrides, document.interventions.overrides);
  EXPECT_TRUE(longer.detached.edits.overrides.empty());
  EXPECT_THAT(detached_or_returned_text(shorter, longer), HasSubstr("back"));
  EXPECT_EQ(detached_or_returned_text(longer, longer), "");
}

TEST(ModelText, GivesAPatchBackOnlyWhereItFits) {
  ModelDocument document = gpt2_document();
  document.interventions.patches = {
      {{}, 0, Stage::kWeights, attention::SharedMatrix(Matrix::Constant(4, 4, 0.25f))}};
  const auto shorter = with_texts(document, {std::nullopt, {5, 6}}, {});
  ASSERT_TRUE(shorter);
  EXPECT_TRUE(shorter->interventions.patches.empty());
  const auto longer = with_texts(*shorter, {std::nullopt, {5, 6, 1, 2, 3}}, {});
  EXPECT_TRUE(longer->interventions.patches.empty());
  EXPECT_EQ(with_texts(*longer, {std::nullopt, {5, 6, 1, 2}}, {})->interventions.patches,
            document.interventions.patches);
}

TEST(ModelText, OfACellThatWasOverriddenMeanwhileTheNewOneStays) {
  ModelDocument document = gpt2_document();
  document.interventions.overrides = {{{}, {Stage::kWeights, 0, 3, 0, 0.5f}}};
  ModelDocument shorter = *with_texts(document, {std::nullopt, {5, 6}}, {});
  shorter.interventions.overrides = {{{}, {Stage::kWeights, 0, 1, 0, 0.25f}}};
  shorter.detached.edits.overrides.push_back({{}, {Stage::kWeights, 0, 1, 0, 9}});
  const ModelDocument longer = *with_texts(shorter, {std::nullopt, {5, 6, 7, 8}}, {});
  ASSERT_EQ(longer.interventions.overrides.size(), 2U);
  EXPECT_EQ(longer.interventions.overrides[0].cell.value, 0.25f);
  EXPECT_EQ(longer.interventions.overrides[1].cell.value, 0.5f);
  EXPECT_EQ(longer.detached.edits.overrides.size(), 1U) << "the other one is not lost";
}

TEST(ModelText, OfADecoderBeginsWithItsFirstToken) {
  const ModelDocument document = document_with_ids("bart", {std::nullopt, {5, 6, 7}});
  EXPECT_THAT(tokens_of(document).ids, ElementsAre(*document.source->decoder_start));
  EXPECT_THAT(tokens_of(document).encoder_ids, ElementsAre(5, 6, 7));
  EXPECT_THAT(tokens_of(edited(bart_document(), R"({"do":"set_sentence","text":""})")).ids,
              ElementsAre(*document.source->decoder_start));
  EXPECT_THAT(complaint(bart_document(), R"({"do":"set_kv_sentence","text":""})"),
              HasSubstr("sentence is empty"));
}

}  // namespace
}  // namespace lab
