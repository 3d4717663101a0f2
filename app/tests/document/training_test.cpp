// Runs of training as documents: branches, kept steps, and going on from edits.
#include <gtest/gtest.h>

#include <cmath>

#include "app/document/batch/sentence_list.h"
#include "app/document/model/layer_command.h"
#include "app/document/training/training_document.h"
#include "app/tests/rooms.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab {
namespace {

using attention::training::TrainingOptions;

TrainingOptions tiny_options() {
  TrainingOptions options;
  options.layers = 1;
  options.heads = 2;
  options.d_model = 8;
  options.d_k = 4;
  options.task.vocabulary = 5;
  options.task.length = 8;
  options.task.shortest_period = 3;
  options.task.longest_period = 4;
  options.batch = 4;
  return options;
}

ModelDocument untrained() {
  auto run = std::make_shared<TrainingRun>(tiny_options());
  const std::string text = example_text(*run, 0);
  auto tokenizer = tokenizer::read_tokenizer(
      R"({"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "WhitespaceSplit"},
          "model": {"type": "WordLevel", "unk_token": "",
                    "vocab": {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}}})");
  auto source = training_source(std::move(run), std::move(tokenizer.value()), "task", "nowhere");
  return make_model_document(std::move(source), ModelText{text, {}}).value();
}

const attention::RowVector& parameters(const ModelDocument& document) {
  return training_of(document)->state->parameters;
}

TEST(TrainingDocument, StepsInOneGoOrInTwoAreTheSame) {
  const auto once = trained_up_to(untrained(), 6);
  const auto twice = trained_up_to(*trained_up_to(untrained(), 2), 6);
  ASSERT_TRUE(once && twice);
  EXPECT_EQ(parameters(*once), parameters(*twice));
  EXPECT_EQ(training_of(*twice)->branch, 0) << "its end is continued in the same branch";
}

TEST(TrainingDocument, AllTextsOfABatchGoToAnotherStep) {
  const auto six = trained_up_to(apply_to_model(untrained(), AddSentence{"a b a"}).value(), 6);
  ASSERT_TRUE(six) << six.error().message;
  const auto first = apply_to_model(*at_step(*six, 0, 2), GoToSentence{0});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->text, untrained().text);
  EXPECT_EQ(training_of(*first)->state->step, 2U);
  EXPECT_EQ(sentence_text(*first, 1), "a b a");
}

TEST(TrainingDocument, GoingOnFromAnEarlierStepIsABranchAndTheOldOneStays) {
  const auto six = trained_up_to(untrained(), 6);
  const auto two = at_step(*six, 0, 2);
  ASSERT_TRUE(two);
  EXPECT_EQ(training_of(*two)->state->step, 2U);
  const auto again = trained_up_to(*two, 6);
  EXPECT_EQ(training_of(*again)->branch, 1);
  EXPECT_EQ(parameters(*again), parameters(*six)) << "the same steps from the same numbers";
  EXPECT_EQ(training_of(*six)->run->last_step(0), 6U);
}

TEST(TrainingDocument, EditedWeightsAreWhatIsTrained) {
  const auto two = trained_up_to(untrained(), 2);
  ModelDocument edited = *two;
  edited.network.stack.final_norm.reset();
  EXPECT_FALSE(state_to_train(edited)) << "a network of another shape is no state of this run";
  edited = *two;
  edited.network = at_step(*two, 0, 0)->network;  // the weights of step 0, at step 2
  EXPECT_TRUE(has_edited_weights(edited));
  EXPECT_EQ((*state_to_train(edited))->parameters, parameters(untrained()));
  const auto on = trained_up_to(edited, 3);
  ASSERT_TRUE(on) << on.error().message;
  EXPECT_EQ(training_of(*on)->branch, 1);
  EXPECT_NE(parameters(*on), parameters(*trained_up_to(*two, 3)));
}

TEST(TrainingDocument, OnlyAModelThatIsTrainedHereHasSteps) {
  ModelDocument plain = untrained();
  auto source = std::make_shared<ModelSource>(*plain.source);
  source->training.reset();
  plain.source = source;
  EXPECT_FALSE(at_step(plain, 0, 0));
  EXPECT_FALSE(at_step(untrained(), 1, 0)) << "there is no second branch";
}

TEST(TrainingCurvesTest, GrowWithTheRunAndBeginAnewWithAnotherBranch) {
  const auto six = trained_up_to(untrained(), 6);
  const TrainingRun& run = *training_of(*six)->run;
  TrainingCurves curves;
  EXPECT_TRUE(run.update(0, curves));
  EXPECT_EQ(curves.steps, (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(curves.heads.size(), 2U);
  EXPECT_EQ(curves.heads[0].induction.size(), curves.measured_steps.size());
  EXPECT_FALSE(run.update(0, curves));
  (void)trained_up_to(*at_step(*six, 0, 2), 4);
  EXPECT_TRUE(run.update(1, curves));
  EXPECT_EQ(curves.steps, (std::vector<int>{1, 2, 3, 4}));
}

TEST(TextLoss, IsThatOfGuessingAtTheStartAndOfAMutedHeadAnother) {
  const ModelDocument model = untrained();
  const auto loss = known_loss_of_text(model, {});
  ASSERT_TRUE(loss);
  EXPECT_NEAR(*loss, std::log(5.0), 0.7);
  EXPECT_NE(*known_loss_of_text(model, with_muted({}, {}, 0)), *loss);
}

}  // namespace
}  // namespace lab
