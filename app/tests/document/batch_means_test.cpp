// What heads do on average over the sentences of a batch, and that padding does not count.
#include "app/document/batch/batch_means.h"

#include <gmock/gmock.h>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/analysis/metrics.h"

namespace lab {
namespace {

using attention::Trace;
using samples::after;
using samples::full_trace;

constexpr const char* kSecond = "a dog saw the cat and the other dog";
constexpr const char* kThird = "cat";

// "the cat saw the dog ." with an override in it, and two others.
Document three_with_an_override() {
  Document document =
      after(samples::small_document(), SetOverride{{attention::Stage::kOutput, 0, 4, 1}, 7});
  return after(after(document, AddSentence{kSecond}), AddSentence{kThird});
}

std::vector<Document> each_alone() {
  return {after(samples::small_document(), SetOverride{{attention::Stage::kOutput, 0, 4, 1}, 7}),
          after(samples::small_document(), SetSentence{kSecond}),
          after(samples::small_document(), SetSentence{kThird})};
}

double mean(const std::function<double(const Document&, const Trace&)>& measure) {
  double sum = 0;
  for (const Document& one : each_alone()) sum += measure(one, full_trace(one));
  return sum / 3;
}

TEST(BatchMeans, AreThoseOfTheSentencesAlone) {
  const auto means = batch_means(three_with_an_override());
  ASSERT_TRUE(means);
  ASSERT_EQ(means->size(), 3U);
  const auto of_weights = [](double (*measure)(const attention::MatrixView&)) {
    return mean([measure](const Document&, const Trace& trace) {
      return measure(*trace.heads[1].weights);
    });
  };
  EXPECT_NEAR((*means)[1].entropy, of_weights(attention::mean_entropy), 1e-6);
  EXPECT_NEAR((*means)[1].diagonal, of_weights(attention::diagonal_weight), 1e-6);
  EXPECT_NEAR((*means)[1].first, of_weights(attention::first_token_weight), 1e-6);
  EXPECT_NEAR((*means)[1].shift, mean([&](const Document& one, const Trace& trace) {
                return output_shift_without_head(one.problem, trace, 1);
              }),
              1e-6);
}

TEST(BatchMeans, OfThePreviousTokenLeaveOutASingleToken) {
  const auto means = batch_means(three_with_an_override());
  ASSERT_TRUE(means);
  double sum = 0;
  for (const Document& one : each_alone())
    sum += attention::previous_token_weight(*full_trace(one).heads[0].weights);
  EXPECT_NEAR((*means)[0].previous, sum / 2, 1e-6);
}

TEST(BatchMeans, DoNotCountPadding) {
  const auto plain = batch_means(three_with_an_override());
  const auto padded = batch_means(after(three_with_an_override(), SetPadding{true}));
  ASSERT_TRUE(plain && padded);
  for (std::size_t h = 0; h < plain->size(); ++h) {
    EXPECT_DOUBLE_EQ((*plain)[h].entropy, (*padded)[h].entropy);
    EXPECT_DOUBLE_EQ((*plain)[h].shift, (*padded)[h].shift);
  }
}

TEST(BatchMeans, FollowTheWeightsInTheBackground) {
  BatchMeans means;
  const Document document = three_with_an_override();
  EXPECT_EQ(means.of(document), nullptr);
  means.wait();
  ASSERT_NE(means.of(document), nullptr);
  EXPECT_TRUE(means.current());
  const double before = means.of(document)->at(1).entropy;
  const Document edited = after(document, samples::edit_of_W_Q(9));
  ASSERT_NE(means.of(edited), nullptr) << "the earlier ones, until there are new ones";
  EXPECT_FALSE(means.current());
  means.wait();
  EXPECT_NE(means.of(edited)->at(1).entropy, before);
  EXPECT_TRUE(means.current());
}

TEST(MeasuredLayer, HasTheMeasuresOfTheSentenceWithoutPadding) {
  const Document plain = after(three_with_an_override(), GoToSentence{0});
  const Document padded = after(plain, SetPadding{true});
  EXPECT_FALSE(ends_with_padding(plain));
  ASSERT_TRUE(ends_with_padding(padded));
  const MeasuredLayer layer = without_padding(padded, full_trace(padded));
  const Trace alone = full_trace(plain);
  for (attention::Index h = 0; h < 3; ++h) {
    const auto head = static_cast<std::size_t>(h);
    EXPECT_TRUE(layer.trace.heads[head].weights->isApprox(*alone.heads[head].weights, 1e-6f));
    EXPECT_NEAR(output_share_of_head(layer.problem, layer.trace, h),
                output_share_of_head(plain.problem, alone, h), 1e-5);
  }
  EXPECT_EQ(layer.problem.kv_len(), 6);
}

}  // namespace
}  // namespace lab
