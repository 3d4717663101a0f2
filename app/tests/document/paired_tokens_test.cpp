// The words that two documents share.
#include "app/document/words/paired_tokens.h"

#include <gmock/gmock.h>

#include "app/document/document.h"

namespace lab {
namespace {

using attention::Axis;
using attention::Index;
using testing::ElementsAre;

Document of(const std::string& sentence) {
  attention::Config config;
  config.d_model = config.d_out = 4;
  config.n_heads = 1;
  config.d_k = config.d_v = 4;
  return make_document(sentence, config, 1);
}

TEST(PairedTokens, FollowTheWordsThatBothHave) {
  const PairedTokens words = paired_tokens(of("the cat sat here"), of("now the cat sat"));
  EXPECT_FALSE(words.equal);
  EXPECT_THAT(words.queries, ElementsAre(-1, 0, 1, 2));
  EXPECT_THAT(words.keys, ElementsAre(-1, 0, 1, 2));
  EXPECT_EQ(words.in_a(Axis::kKeys, 3), 2);
  EXPECT_EQ(words.in_b(Axis::kKeys, 2), 3);
  EXPECT_EQ(words.in_b(Axis::kQueries, 3), -1) << "only A has “here”";
  EXPECT_EQ(words.in_a(Axis::kModel, 3), 3) << "features are not words";
}

TEST(PairedTokens, FollowAWordToAnotherPlace) {
  const PairedTokens words =
      paired_tokens(of("The animal didn't cross the street because it was too tired"),
                    of("The dog chased the animal because it was hungry"));
  const std::vector<Index> expected{0, -1, -1, 4, 1, 6, 7, 8, -1};
  EXPECT_EQ(words.queries, expected);
  EXPECT_EQ(words.keys, expected);
  EXPECT_EQ(words.in_b(Axis::kKeys, 1), 4) << "“animal” is in both";
  EXPECT_EQ(words.in_b(Axis::kKeys, 5), -1) << "“street” is only in A";
}

TEST(PairedTokens, PairAsManyEqualWordsAsBothHaveInTheirOrder) {
  const PairedTokens words = paired_tokens(of("x a x b c"), of("b c x y x x"));
  EXPECT_THAT(words.queries, ElementsAre(3, 4, 0, -1, 2, -1));
}

TEST(PairedTokens, AreEqualOnlyWhereEveryWordIs) {
  EXPECT_TRUE(paired_tokens(of("the cat sat"), of("the cat sat")).equal);
  EXPECT_FALSE(paired_tokens(of("the cat sat"), of("the cat")).equal);
  EXPECT_FALSE(paired_tokens(of("the cat sat"), of("the dog sat")).equal) << "of the same length";
  EXPECT_FALSE(paired_tokens(of("a b"), of("c d")).share(Axis::kQueries));
}

TEST(PairedTokens, PlaceNumbersOfABySameWords) {
  const PairedTokens words = paired_tokens(of("x y"), of("n x y"));
  attention::Matrix a(2, 2), b = attention::Matrix::Constant(3, 3, 9);
  a << 1, 2, 3, 4;
  attention::Matrix expected(3, 3);
  expected << 9, 9, 9, 9, 1, 2, 9, 3, 4;
  EXPECT_EQ(aligned_to_b(words, attention::Stage::kWeights, a, b), expected);
  const PairedTokens swapped = paired_tokens(of("x y"), of("y x"));
  expected.resize(2, 2);
  expected << 4, 3, 2, 1;
  EXPECT_FALSE(swapped.equal);
  EXPECT_EQ(aligned_to_b(swapped, attention::Stage::kWeights, a, expected), expected);
}

}  // namespace
}  // namespace lab
