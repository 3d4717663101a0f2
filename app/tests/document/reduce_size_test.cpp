#include <gmock/gmock.h>

#include <limits>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/embedding.h"

namespace lab {
namespace {

using attention::Matrix;
using samples::after;
using samples::file_document;
using samples::message_after;
using samples::small_document;
using ::testing::HasSubstr;

TEST(SetSize, KeepsWhatBothSizesShare) {
  const Document before = small_document();
  const Document larger = after(before, SetSize{SizeId::kDK, 7});
  EXPECT_NO_THROW(attention::validate(larger.problem));
  for (size_t h = 0; h < 3; ++h) {
    const auto& was = before.problem.parameters;
    const auto& is = larger.problem.parameters;
    EXPECT_EQ(is.heads[h].W_Q->leftCols(4), *was.heads[h].W_Q);
    EXPECT_EQ(is.kv_heads[h].W_K->leftCols(4), *was.kv_heads[h].W_K);
    EXPECT_GT(is.heads[h].W_Q->rightCols(3).cwiseAbs().minCoeff(), 0.0f);
    EXPECT_NE(is.heads[h].W_Q->rightCols(3), is.kv_heads[h].W_K->rightCols(3));
    EXPECT_TRUE(is.kv_heads[h].W_V.same_as(was.kv_heads[h].W_V));
  }
  EXPECT_TRUE(larger.problem.embedding.same_as(before.problem.embedding));
  const Document smaller = after(larger, SetSize{SizeId::kDK, 4});
  EXPECT_EQ(samples::fingerprint(smaller), samples::fingerprint(before));
}

TEST(SetSize, AddsTheSameNumbersEveryTime) {
  const SetSize grow{SizeId::kDV, 9};
  EXPECT_EQ(samples::fingerprint(after(small_document(), grow)),
            samples::fingerprint(after(small_document(), grow)));
}

TEST(SetSize, OfValuesKeepsTheRowsOfEachHeadInW_O) {
  const Document before = small_document();
  const Document larger = after(before, SetSize{SizeId::kDV, 5});
  ASSERT_EQ(larger.problem.parameters.W_O->rows(), 15);
  for (int h = 0; h < 3; ++h) {
    EXPECT_EQ(larger.problem.parameters.W_O->middleRows(5 * h, 2),
              before.problem.parameters.W_O->middleRows(2 * h, 2));
  }
  const Document smaller = after(before, SetSize{SizeId::kDV, 1});
  for (int h = 0; h < 3; ++h) {
    EXPECT_EQ(smaller.problem.parameters.W_O->row(h), before.problem.parameters.W_O->row(2 * h));
  }
}

TEST(SetSize, OfHeadsKeepsTheFirstOnes) {
  const Document before = small_document();
  const Document fewer = after(before, SetSize{SizeId::kHeads, 2});
  EXPECT_TRUE(same_problem(after(fewer, SetScale{true}).problem, fewer.problem));
  EXPECT_EQ(fewer.problem.parameters.heads.size(), 2u);
  EXPECT_TRUE(
      fewer.problem.parameters.heads[1].W_Q.same_as(before.problem.parameters.heads[1].W_Q));
  EXPECT_EQ(*fewer.problem.parameters.W_O, before.problem.parameters.W_O->topRows(4));
  const Document more = after(before, SetSize{SizeId::kHeads, 5});
  EXPECT_NO_THROW(attention::validate(more.problem));
  EXPECT_TRUE(
      more.problem.parameters.kv_heads[2].W_V.same_as(before.problem.parameters.kv_heads[2].W_V));
  EXPECT_EQ(more.problem.parameters.W_O->topRows(6), *before.problem.parameters.W_O);
  EXPECT_NE(*more.problem.parameters.heads[3].W_Q, *more.problem.parameters.heads[4].W_Q);
}

TEST(SetSize, OfEmbeddingsResizesAllThatHasAColumnForEachFeature) {
  const Document before = file_document();
  const Document larger = after(before, SetSize{SizeId::kDModel, 8});
  EXPECT_NO_THROW(attention::validate(larger.problem));
  EXPECT_EQ(larger.problem.config.d_out, 8);
  EXPECT_EQ(larger.problem.embedding->leftCols(6), *before.problem.embedding);
  EXPECT_EQ(larger.problem.embedding->row(1), attention::default_embedding("cat", 8));
  EXPECT_EQ(embedding_row(larger, "the (2)").head(6), embedding_row(before, "the (2)"));
  EXPECT_EQ(embedding_row(larger, "the (2)").tail(2),
            attention::default_embedding("the (2)", 8).tail(2));
  EXPECT_EQ(larger.problem.embedding_kv->leftCols(6), *before.problem.embedding_kv);
  EXPECT_EQ(larger.problem.embedding_kv->row(0), attention::default_embedding("der", 8));
  EXPECT_EQ(larger.dimensions.at(5), "end");
  EXPECT_EQ(larger.dimensions.at(7), "7");
  const Document smaller = after(larger, SetSize{SizeId::kDModel, 6});
  EXPECT_EQ(samples::fingerprint(smaller), samples::fingerprint(before));
}

TEST(SetSize, OfEmbeddingsKeepsAnIndependentOutputSize) {
  const attention::Config config{
      .d_model = 6, .n_heads = 1, .d_k = 2, .d_v = 2, .d_out = 3, .mask = {}};
  const Document before = make_document("a b", config, 1);
  const Document changed = after(before, SetSize{SizeId::kDModel, 4});
  EXPECT_EQ(changed.problem.config.d_out, 3);
  EXPECT_TRUE(changed.problem.parameters.W_O.same_as(before.problem.parameters.W_O));
}

TEST(SetSize, GrowsBiasesWithZerosAndLeavesAbsentOnesAbsent) {
  const Document before = file_document();
  const Document changed = after(before, SetSize{SizeId::kDK, 6});
  const auto& b_Q = changed.problem.parameters.heads[1].b_Q;
  EXPECT_EQ(b_Q->leftCols(4), *before.problem.parameters.heads[1].b_Q);
  EXPECT_TRUE(b_Q->rightCols(2).isZero(0));
  const auto& is = changed.problem.parameters.kv_heads[1];
  EXPECT_TRUE(is.b_K.empty());
  EXPECT_TRUE(is.b_V.same_as(before.problem.parameters.kv_heads[1].b_V));
}

TEST(SetSize, ToTheCurrentValueChangesNothing) {
  const Document before = file_document();
  for (const auto& [size, value] : {std::pair{SizeId::kDModel, 6}, std::pair{SizeId::kHeads, 3},
                                    std::pair{SizeId::kDK, 4}, std::pair{SizeId::kDV, 2}}) {
    EXPECT_TRUE(same_document(before, after(before, SetSize{size, value})));
  }
}

TEST(SetSize, RefusesImpossibleSizes) {
  for (const SizeId size : {SizeId::kDModel, SizeId::kHeads, SizeId::kDK, SizeId::kDV}) {
    for (const int value :
         {0, -1, 5000, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
      EXPECT_THAT(message_after(small_document(), SetSize{size, value}),
                  HasSubstr(std::string(size_name(size)) + " is " + std::to_string(value)));
    }
  }
}

TEST(SetSize, RefusesMoreNumbersThanFit) {
  Document document =
      make_document("a", {.d_model = 4096, .d_k = 1024, .d_v = 1, .d_out = 1, .mask = {}}, 1);
  EXPECT_THAT(message_after(document, SetSize{SizeId::kHeads, 64}), HasSubstr("67108864"));
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "ab ";
  document = after(small_document(), SetSentence{text});
  EXPECT_THAT(message_after(document, SetSize{SizeId::kHeads, 17}), HasSubstr("scores that fit"));
}

TEST(SetSize, RefusesALexiconThatWouldNotFit) {
  Lexicon lexicon;
  for (int i = 0; i < 20'000; ++i) lexicon[std::to_string(i)] = attention::RowVector::Ones(6);
  Document document = small_document();
  document.lexicon = std::make_shared<const Lexicon>(lexicon);
  EXPECT_THAT(message_after(document, SetSize{SizeId::kDModel, 4096}), HasSubstr("20,000 words"));
}

}  // namespace
}  // namespace lab
