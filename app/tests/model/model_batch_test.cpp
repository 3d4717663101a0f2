// Several texts over the weights of a trained model: going to another one and back changes nothing,
// and heads and weights are those of all of them.
#include "app/document/model/model_batch.h"

#include <gmock/gmock.h>

#include "app/document/batch/batch.h"
#include "app/document/batch/sentence_list.h"
#include "app/document/listed_edits.h"
#include "app/document/model/layer_command.h"
#include "app/document/model/model_command.h"
#include "app/document/words/detached_text.h"
#include "app/tests/model/model_bench.h"
#include "app/tests/model/support.h"

namespace lab {
namespace {

using attention::Matrix;
using attention::SharedMatrix;
using attention::Stage;
using attention::network::HeadGain;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ModelDocument of_letters(const std::string& text) {
  static const auto kModel = std::make_shared<const Model>(opened_model("induction"));
  return make_model_document(kModel, {text, {}}).value();
}

ModelDocument after(const ModelDocument& document, const Command& command) {
  auto changed = apply_to_model(document, command);
  if (!changed) throw std::runtime_error(changed.error().message);
  return std::move(*changed);
}

std::string batch_complaint(const ModelDocument& document, const Command& command) {
  const auto changed = apply_to_model(document, command);
  return changed ? "" : changed.error().message;
}

// "abcab" with everything that can be done to its numbers: an override of the second "a", a patch,
// a number of the stream, an override that is switched off, and one of a letter that was removed.
ModelDocument edited_letters() {
  ModelDocument document = of_letters("abxcab");
  document.interventions.overrides = {{kFirst, {Stage::kWeights, 1, 2, 1, 0.5f}},
                                      {kSecond, {Stage::kScores, 2, 4, 0, 7}}};
  document = after(document, SetSentence{"abcab"});
  document.interventions.patches = {
      {kSecond, 3, Stage::kWeights, SharedMatrix(Matrix::Identity(5, 5))}};
  document.interventions.stream = {{kSecond, 3, 5, 0.25f}};
  document.switched_off.overrides = {{kFirst, {Stage::kScores, 0, 4, 3, -1}}};
  document.interventions.gains = {{kFirst, 2, 0.5f}};
  return document;
}

// Three texts, the last of which is shown.
ModelDocument batch_of_three(const ModelDocument& first = edited_letters()) {
  return after(after(first, AddSentence{"xyzxyz"}), AddSentence{"hello"});
}

TEST(ModelBatch, GoingAwayAndBackChangesNothing) {
  const ModelDocument start = edited_letters();
  ASSERT_EQ(start.detached.edits.overrides.size(), 1U) << "that of the removed letter";
  const ModelDocument first = after(batch_of_three(start), GoToSentence{0});
  EXPECT_EQ(waiting_text(first), waiting_text(start));
  const ModelDocument again = after(after(first, GoToSentence{1}), GoToSentence{0});
  EXPECT_EQ(waiting_text(again), waiting_text(start));
  EXPECT_EQ(after(again, SetSentence{"abxcab"}).interventions.overrides.size(), 2U)
      << "what waited for its letter still does";
}

TEST(ModelBatch, WhatIsDoneToNumbersOfOneTextIsNotSeenInAnother) {
  const ModelDocument other = after(batch_of_three(), GoToSentence{1});
  EXPECT_EQ(other.text.text, "xyzxyz");
  EXPECT_EQ(cell_edit_count(other.interventions), 0U);
  EXPECT_EQ(cell_edit_count(other.switched_off), 0U);
  EXPECT_TRUE(other.detached.empty());
  const ModelDocument as_long = after(edited_letters(), AddSentence{"abcab"});
  EXPECT_THAT(as_long.interventions.patches, IsEmpty()) << "though the patch would fit";
}

TEST(ModelBatch, EditsOfATextStayWithIt) {
  ModelDocument document = after(batch_of_three(), GoToSentence{1});
  document.interventions.overrides = {{kFirst, {Stage::kWeights, 0, 5, 2, 1}}};
  document = after(document, SetSentence{"wxyzxyz"});
  const WaitingText before = waiting_text(document);
  EXPECT_EQ(before.edits.overrides.front().cell.row, 6);
  document = after(after(document, GoToSentence{2}), GoToSentence{1});
  EXPECT_EQ(waiting_text(document), before);
}

TEST(ModelBatch, HeadsAndWeightsAreThoseOfAllTexts) {
  ModelDocument document = batch_of_three();
  EXPECT_THAT(document.interventions.gains, ElementsAre(HeadGain{kFirst, 2, 0.5f}));
  document.interventions.gains = {{kSecond, 1, 1, true}};
  document.network.stack.blocks[0].attention.score_factor *= 2;
  const ModelDocument first = after(document, GoToSentence{0});
  EXPECT_EQ(first.interventions.gains, document.interventions.gains);
  EXPECT_EQ(first.network, document.network);
}

TEST(ModelBatch, RemovingLeadsToTheNextAndTheLastOneLeftIsAlone) {
  ModelDocument document = after(batch_of_three(), GoToSentence{0});
  document = after(document, RemoveSentence{});
  EXPECT_EQ(document.text.text, "xyzxyz");
  EXPECT_EQ(sentence_count(document), 2U);
  document = after(after(document, GoToSentence{1}), RemoveSentence{});
  EXPECT_EQ(document.text.text, "xyzxyz");
  EXPECT_EQ(document.batch, ModelBatch());
  EXPECT_THAT(document.interventions.gains, ElementsAre(HeadGain{kFirst, 2, 0.5f}));
  EXPECT_THAT(batch_complaint(document, RemoveSentence{}), HasSubstr("only sentence"));
}

TEST(ModelBatch, ListsItsTextsAsADocumentMadeByHandDoes) {
  const ModelDocument document = after(batch_of_three(), GoToSentence{1});
  ASSERT_EQ(sentence_count(document), 3U);
  EXPECT_EQ(current_sentence(document), 1U);
  EXPECT_EQ(sentence_text(document, 0), "abcab");
  EXPECT_EQ(sentence_text(document, 1), "xyzxyz");
  EXPECT_EQ(sentence_text(document, 2), "hello");
  EXPECT_EQ(sentence_count(edited_letters()), 1U);
  EXPECT_EQ(sentence_text(edited_letters(), 0), "abcab");
}

TEST(ModelBatch, HasAtMostSixtyFourTexts) {
  ModelDocument document = of_letters("ab");
  for (std::size_t i = 1; i < kMostSentences; ++i) document = after(document, AddSentence{"ab"});
  EXPECT_THAT(batch_complaint(document, AddSentence{"ab"}), HasSubstr("at most 64"));
  EXPECT_THAT(batch_complaint(document, GoToSentence{64}), HasSubstr("no sentence 65"));
  EXPECT_THAT(batch_complaint(document, GoToSentence{-1}), HasSubstr("no sentence 0"));
}

// The tokenizer of letters leaves out what it does not know.
TEST(ModelBatch, TakesOnlyTextsThatTheModelReads) {
  const ModelDocument document = of_letters("ab");
  EXPECT_THAT(batch_complaint(document, AddSentence{""}), HasSubstr("sentence is empty"));
  EXPECT_THAT(batch_complaint(document, AddSentence{"123"}), HasSubstr("no token"));
  const ModelDocument mixed = after(document, AddSentence{"a1b2c"});
  EXPECT_EQ(mixed.text.ids.size(), 3U);
  EXPECT_EQ(after(after(mixed, GoToSentence{0}), GoToSentence{1}).text, mixed.text);
  const ModelDocument ids =
      make_model_document(std::make_shared<const Model>(opened_golden("gpt2")),
                          {std::nullopt, {5, 6}})
          .value();
  EXPECT_THAT(batch_complaint(ids, AddSentence{"ab"}), HasSubstr("no tokenizer.json"));
}

TEST(ModelBatch, IsNotPadded) {
  EXPECT_THAT(batch_complaint(batch_of_three(), SetPadding{true}), HasSubstr("nothing to pad"));
}

// A checkpoint with two stacks that reads letters.
ModelDocument of_two_stacks() {
  Model model = opened_golden("bart");
  model.tokenizer = opened_model("induction").tokenizer;
  return make_model_document(std::make_shared<const Model>(std::move(model)), {"abc", {}},
                             {"xy", {}})
      .value();
}

TEST(ModelBatch, HoldsBothTextsOfAModelWithTwoStacks) {
  ModelDocument start = of_two_stacks();
  start.interventions.overrides = {
      {{attention::network::Sublayer::kCross, 0}, {Stage::kWeights, 0, 1, 2, 0.5f}}};
  const ModelDocument added = after(start, AddSentence{"dead"});
  EXPECT_EQ(added.text.text, "dead");
  EXPECT_THAT(added.decoder_text.ids, ElementsAre(*start.source->decoder_start));
  const ModelDocument back = after(added, GoToSentence{0});
  EXPECT_EQ(waiting_text(back), waiting_text(start));
  EXPECT_EQ(sentence_text(back, 1), "dead");
}

TEST(ModelBatch, GoingAwayIsNoNewsOfWhatIsDetached) {
  const ModelDocument first = after(batch_of_three(), GoToSentence{0});
  const ModelDocument second = after(first, GoToSentence{1});
  EXPECT_EQ(detached_or_returned_text(first, second), "");
  EXPECT_EQ(detached_or_returned_text(second, first), "");
  EXPECT_TRUE(detached_report(second, first).counts.empty());
}

Expected<ModelDocument> after_batch_line(const ModelDocument& document, const std::string& line) {
  const auto command = model_command_from_json_line(line);
  if (!command) return tl::make_unexpected(command.error());
  NetworkEvaluator evaluator;
  return apply(document, *command, evaluator);
}

std::string batch_line_complaint(const ModelDocument& document, const std::string& line) {
  const auto changed = after_batch_line(document, line);
  return changed ? "" : changed.error().message;
}

TEST(ModelBatch, IsEditedByLinesThatCountFromOne) {
  ModelDocument document = edited_letters();
  for (const char* line :
       {R"({"do":"add_sentence","text":"xyz"})", R"({"do":"go_to_sentence","sentence":1})"})
    document = after_batch_line(document, line).value();
  EXPECT_EQ(document.text.text, "abcab");
  document = after_batch_line(document, R"({"do":"remove_sentence"})").value();
  EXPECT_EQ(document.text.text, "xyz");
  EXPECT_EQ(sentence_count(document), 1U);
  EXPECT_THAT(batch_line_complaint(document, R"({"do":"set_padding","on":true})"),
              HasSubstr("nothing to pad"));
  EXPECT_THAT(batch_line_complaint(document, R"({"layer":"0","do":"remove_sentence"})"),
              HasSubstr("not of one layer"));
  EXPECT_THAT(batch_line_complaint(
                  document, R"({"do":"add_sentence","text":")" + std::string(49, 'a') + R"("})"),
              HasSubstr("48 positions"));
}

TEST(ModelBatch, IsOneStepOfUndoInTheWorkspace) {
  ModelBench bench(opened("induction", "abcab"));
  const StageCell cell{Stage::kWeights, 1, 3, 0};
  bench.drain({intent::GoToLayer{kSecond}, intent::Apply{SetOverride{cell, 0.75f}}});
  bench.drain({intent::Apply{AddSentence{"xyxy"}}});
  EXPECT_EQ(bench.workspace.document().sentence, "xyxy");
  EXPECT_EQ(bench.at(), kSecond) << "the layer that is looked at stays";
  EXPECT_TRUE(bench.workspace.document().problem.overrides.empty());
  const auto& history = bench.workspace.history();
  EXPECT_EQ(history.entry_note(history.entries().size() - 1), "") << "nothing is detached";
  bench.drain({intent::Apply{GoToSentence{0}}});
  ASSERT_EQ(bench.workspace.document().problem.overrides.size(), 1U);
  EXPECT_EQ((*bench.workspace.trace().heads[1].weights)(3, 0), 0.75f);
  bench.drain({intent::Undo{}});
  EXPECT_EQ(bench.workspace.document().sentence, "xyxy");
  bench.drain({intent::Undo{}});
  EXPECT_EQ(sentence_count(bench.workspace.document()), 1U);
  EXPECT_EQ(bench.workspace.document().problem.overrides.size(), 1U);
  EXPECT_THAT(
      bench.record,
      ElementsAre(HasSubstr("set_override"), R"({"do":"add_sentence","text":"xyxy"})",
                  R"({"do":"go_to_sentence","sentence":1})", HasSubstr("undo"), HasSubstr("undo")));
}

TEST(ModelBatch, OfATextThatIsTooLongIsRefusedInTheWorkspace) {
  ModelBench bench(opened("induction", "abcab"));
  bench.drain({intent::Apply{AddSentence{std::string(49, 'a')}}});
  EXPECT_THAT(bench.workspace.message(), HasSubstr("48 positions"));
  EXPECT_EQ(sentence_count(bench.workspace.edited()), 1U);
  EXPECT_FALSE(bench.workspace.history().can_undo());
}

TEST(ModelBatch, GoingToTheTextThatIsShownIsNoStepAndAddingItsCopyIsOne) {
  ModelBench bench(opened("induction", "abcab"));
  bench.drain({intent::Apply{GoToSentence{0}}});
  EXPECT_FALSE(bench.workspace.history().can_undo());
  bench.drain({intent::Apply{AddSentence{"abcab"}}});
  EXPECT_EQ(sentence_count(bench.workspace.document()), 2U);
}

}  // namespace
}  // namespace lab
