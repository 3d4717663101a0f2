// A workspace whose document is a layer of a trained model: edits of any layer reach the whole
// model, and another layer can be looked at.

#include <gmock/gmock.h>

#include "app/document/model/layer_name.h"
#include "app/tests/model/model_bench.h"
#include "app/tests/model/support.h"
#include "core/network/layer_matrix.h"
#include "core/tests/matrix_compare.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::MatrixId;
using attention::Stage;
using attention::network::CellOverride;
using attention::network::HeadGain;
using attention::network::LayerId;
using attention::network::NetworkTrace;
using attention::network::StackTrace;
using attention::network::Sublayer;
using attention::test::all_identical;
using attention::test::all_near_relative;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(ModelWorkspace, LookingAtAnotherLayerIsNoStep) {
  ModelBench bench(opened_checkpoint("gpt2"));
  EXPECT_EQ(bench.at(), kFirst);
  EXPECT_THAT(bench.workspace.document().head_names.front(), "L0H0");
  const Matrix before = *bench.workspace.trace().heads[0].weights;
  const auto pass = bench.workspace.network_trace();
  bench.drain({intent::GoToLayer{kSecond}});
  EXPECT_EQ(bench.at(), kSecond);
  EXPECT_THAT(bench.workspace.document().head_names.front(), "L1H0");
  EXPECT_NE(*bench.workspace.trace().heads[0].weights, before);
  EXPECT_EQ(bench.workspace.network_trace(), pass) << "the forward pass is the same";
  EXPECT_FALSE(bench.workspace.history().can_undo());
  EXPECT_FALSE(bench.workspace.modified());
  EXPECT_THAT(bench.record, IsEmpty());
}

TEST(ModelWorkspace, LooksAtTheNearestLayerThatThereIs) {
  ModelBench bench(opened_checkpoint("gpt2"));
  const Index layers = std::ssize(bench.model().network.stack.blocks);
  bench.drain({intent::GoToLayer{{Sublayer::kSelf, 99}}});
  EXPECT_EQ(bench.at(), (LayerId{Sublayer::kSelf, layers - 1}));
  bench.drain({intent::GoToLayer{{Sublayer::kCross, 1}}});
  EXPECT_EQ(bench.at(), kFirst);
}

TEST(ModelWorkspace, ShowsEveryLayerOfTwoStacks) {
  ModelBench bench(opened_checkpoint("bart"));
  for (const LayerId& at : all_layer_ids(bench.model().network)) {
    SCOPED_TRACE(layer_name(at));
    bench.drain({intent::GoToLayer{at}});
    EXPECT_EQ(bench.at(), at);
  }
}

TEST(ModelWorkspace, AStepIsCalledByTheHeadOfItsLayer) {
  ModelBench bench(opened_checkpoint("gpt2"));
  bench.drain({intent::GoToLayer{kSecond}});
  bench.drain({intent::Apply{edit_of_W_Q(5)}});
  bench.drain({intent::GoToLayer{kFirst}});
  EXPECT_THAT(bench.workspace.history().undo_label(), testing::HasSubstr("L1H"));
  bench.drain({intent::Apply{SetOverride{{Stage::kScores, 0, 1, 0}, 2}}});
  EXPECT_THAT(bench.workspace.history().undo_label(), testing::HasSubstr("L0H0"));
}

TEST(ModelWorkspace, AMuteInAnotherLayerReachesTheOneThatIsShown) {
  ModelBench bench(opened_checkpoint("gpt2"));
  bench.drain({intent::GoToLayer{kSecond}});
  const Matrix before = *bench.workspace.document().problem.embedding;
  bench.drain({intent::Apply{SetHeadMix{.head = 2, .mute = true}, {}, kFirst}});
  EXPECT_EQ(bench.workspace.message(), "");
  EXPECT_EQ(bench.at(), kSecond) << "one can mute without looking at it";
  EXPECT_THAT(bench.model().interventions.gains, ElementsAre(HeadGain{kFirst, 2, 1, true}));
  EXPECT_NE(*bench.workspace.document().problem.embedding, before);
  EXPECT_TRUE(bench.workspace.document().problem.head_mix.empty());
  bench.drain({intent::GoToLayer{kFirst}});
  EXPECT_TRUE(bench.workspace.document().problem.head_mix.at(2).mute);
}

TEST(ModelWorkspace, AMuteInAnotherLayerIsUndoneAndDoneAgain) {
  ModelBench bench(opened_checkpoint("gpt2"));
  const ModelDocument start = bench.model();
  bench.drain({intent::GoToLayer{kSecond}});
  const Matrix before = *bench.workspace.document().problem.embedding;
  bench.drain({intent::Apply{SetHeadMix{.head = 2, .mute = true}, {}, kFirst}});
  const Matrix muted = *bench.workspace.document().problem.embedding;
  bench.drain({intent::Undo{}});
  expect_same_model(bench.model(), start);
  EXPECT_EQ(bench.at(), kSecond);
  EXPECT_TRUE(
      all_near_relative(*bench.workspace.document().problem.embedding, before, kSameLayers));
  bench.drain({intent::Redo{}});
  EXPECT_EQ(bench.at(), kSecond);
  EXPECT_TRUE(all_near_relative(*bench.workspace.document().problem.embedding, muted, kSameLayers));
}

TEST(ModelWorkspace, UndoDoesNotChangeWhatIsLookedAt) {
  ModelBench bench(opened_checkpoint("gpt2"));
  bench.drain({intent::Apply{edit_of_W_Q(3)}, intent::GoToLayer{kSecond},
               intent::Apply{edit_of_W_Q(4)}, intent::GoToLayer{kFirst}});
  const ModelDocument both = bench.model();
  bench.drain({intent::Undo{}});
  EXPECT_EQ(bench.at(), kFirst);
  EXPECT_EQ(bench.shown_W_Q(), 3);
  bench.drain({intent::Undo{}, intent::GoToLayer{kSecond}});
  EXPECT_EQ(bench.model().network, bench.model().source->network);
  bench.drain({intent::Redo{}, intent::Redo{}});
  EXPECT_EQ(bench.at(), kSecond);
  expect_same_model(bench.model(), both);
}

TEST(ModelWorkspace, ANumberOfALayerChangesTheLayersAboveIt) {
  for (const char* name : {"gpt2", "llama", "gemma3", "qwen3"}) {
    SCOPED_TRACE(name);
    ModelBench bench(opened_checkpoint(name));
    bench.drain({intent::GoToLayer{kSecond}});
    ASSERT_EQ(bench.at(), kSecond);
    const NetworkTrace before = *bench.workspace.network_trace();
    bench.drain({intent::Apply{edit_of_W_Q(7)}});
    ASSERT_EQ(bench.workspace.message(), "");
    const StackTrace& now = bench.workspace.network_trace()->stack;
    EXPECT_TRUE(all_identical(*now.blocks[0].weights, *before.stack.blocks[0].weights));
    EXPECT_TRUE(all_identical(*now.blocks[1].input, *before.stack.blocks[1].input));
    EXPECT_NE(now.final, before.stack.final);
    const auto& attention = *find_attention(bench.model().network, kSecond);
    EXPECT_EQ(layer_matrix(attention, MatrixId::kWQ, 1).values()(2, 1), 7);
  }
}

std::vector<std::string> token_texts(const Document& document) {
  std::vector<std::string> texts;
  for (const Token& token : document.tokens) texts.push_back(token.text);
  return texts;
}

TEST(ModelWorkspace, WhatStandsOnARemovedTokenIsDetachedAndReturnsWithItOrWithUndo) {
  ModelBench bench(opened("induction", "abcdabc"));
  ASSERT_THAT(token_texts(bench.workspace.document()),
              ElementsAre("a", "b", "c", "d", "a", "b", "c"));
  bench.drain({intent::GoToLayer{kSecond},
               intent::Apply{SetOverride{{Stage::kWeights, 1, 6, 2}, 0.75f}},
               intent::Apply{SetOverride{{Stage::kWeights, 1, 1, 0}, 0.25f}}});
  ASSERT_EQ(bench.workspace.message(), "");
  const ModelDocument before = bench.model();
  bench.drain({intent::Apply{SetSentence{"zabcda"}}});
  ASSERT_EQ(bench.workspace.message(), "");
  EXPECT_EQ(bench.workspace.document().sentence, "zabcda");
  EXPECT_EQ(bench.at(), kSecond);
  EXPECT_EQ(bench.workspace.document().problem.seq_len(), 6);
  EXPECT_THAT(bench.model().interventions.overrides,
              ElementsAre(CellOverride{kSecond, {Stage::kWeights, 1, 2, 1, 0.25f}}))
      << "it stands on b and a";
  EXPECT_EQ(bench.model().detached.edits.overrides.size(), 1U);
  bench.drain({intent::Undo{}});
  expect_same_model(bench.model(), before);
  bench.drain({intent::Redo{}, intent::Apply{SetSentence{"zabcdabc"}}});
  EXPECT_THAT(bench.model().interventions.overrides,
              UnorderedElementsAre(CellOverride{kSecond, {Stage::kWeights, 1, 2, 1, 0.25f}},
                                   CellOverride{kSecond, {Stage::kWeights, 1, 7, 3, 0.75f}}))
      << "its word is there again";
  EXPECT_EQ(bench.model().detached, DetachedEdits());
}

TEST(ModelWorkspace, WhatCannotBeDoneChangesNothing) {
  ModelBench bench(opened("induction", "abcabc"));
  bench.drain({intent::Apply{edit_of_W_Q(2)}, intent::GoToLayer{kSecond}});
  bench.record.clear();
  const Document before = bench.workspace.document();
  const std::size_t state = bench.workspace.history().state_id();
  const Intent kRefused[] = {
      intent::Apply{SetSize{SizeId::kHeads, 2}},
      intent::Apply{SetMask{false}},
      intent::Apply{SetCell{{MatrixId::kX, 0}, 0, 0, 1}},
      intent::Apply{SetTemperature{2}},
      intent::Apply{SetSentence{""}},
      intent::Apply{SetSentence{"!"}},
      intent::Apply{SetKvSentence{"abc"}},
      intent::Apply{SetHeadMix{.head = 9, .mute = true}, {}, kFirst},
      intent::Apply{SetHeadMix{.head = 0, .mute = true}, {}, LayerId{Sublayer::kCross, 0}},
      intent::Apply{edit_of_W_Q(1), {}, LayerId{Sublayer::kSelf, 2}},
      intent::Preview{SetCell{{MatrixId::kWQ, 0}, 9999, 0, 1}}};
  for (const Intent& refused : kRefused) {
    bench.drain({refused});
    EXPECT_NE(bench.workspace.message(), "");
    EXPECT_TRUE(same_document(bench.workspace.document(), before)) << bench.workspace.message();
    EXPECT_EQ(bench.workspace.history().state_id(), state);
  }
  EXPECT_THAT(bench.record, IsEmpty());
}

// The pointer still holds a number of one layer while a key steps to the next.
TEST(ModelWorkspace, ADragIsRecordedInTheLayerWhereItBegan) {
  ModelBench bench(opened("induction", "abcdabc"));
  bench.drain({intent::Preview{edit_of_W_Q(5)}});
  bench.drain({intent::GoToLayer{kSecond}});
  bench.drain({intent::Commit{}});
  EXPECT_THAT(bench.record, ElementsAre(testing::HasSubstr(R"("layer":"0")")));
}

TEST(ModelWorkspace, APreviewIsShownInTheWholeModelAndCanBeCancelled) {
  ModelBench bench(opened_checkpoint("llama"));
  const ModelDocument start = bench.model();
  bench.drain({intent::Preview{edit_of_W_Q(5)}});
  EXPECT_NE(bench.model().network, start.network);
  bench.drain({intent::Cancel{}});
  expect_same_model(bench.model(), start);
  EXPECT_FALSE(bench.workspace.modified());
}

}  // namespace
}  // namespace lab
