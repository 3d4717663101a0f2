#include "app/document/words/new_tokens.h"

#include <gtest/gtest.h>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using samples::after;
using samples::small_document;

SetBlock all_words(float value) {
  return {{MatrixId::kX, 0}, 0, 0, attention::Matrix::Constant(6, 6, value)};
}

TEST(FittingNewWordScale, IsTheSizeOfTheVectorsOfTheSentence) {
  EXPECT_EQ(fitting_new_token_scale(after(small_document(), all_words(0.3f))), 0.3f);
  EXPECT_EQ(fitting_new_token_scale(after(small_document(), all_words(123))), 120.0f);
}

TEST(FittingNewWordScale, IsLeftAsItIsWhereItFitsOrWasSet) {
  EXPECT_FALSE(fitting_new_token_scale(small_document())) << "default vectors";
  EXPECT_FALSE(fitting_new_token_scale(after(small_document(), all_words(0.9f))));
  EXPECT_FALSE(fitting_new_token_scale(after(small_document(), all_words(0))));
  Document document = after(small_document(), all_words(0.3f));
  EXPECT_FALSE(fitting_new_token_scale(after(document, SetSentence{"the cow"})))
      << "a word has no vector of its own";
  document = after(document, SetSentence{"the cow", 0.3f});
  EXPECT_FALSE(fitting_new_token_scale(after(document, SetSentence{"the cat"})));
}

TEST(WithFittingWords, ScalesWhatDoesNotSayHowLongItsWordsAre) {
  const Document document = after(small_document(), all_words(0.3f));
  const Command fitted = with_fitting_scale(document, SetSentence{"the cow"});
  EXPECT_EQ(std::get<SetSentence>(fitted).new_token_scale, 0.3f);
  const Command second = with_fitting_scale(document, SetKvSentence{"a cow"});
  EXPECT_EQ(std::get<SetKvSentence>(second).new_token_scale, 0.3f);
  const Command own = with_fitting_scale(document, SetSentence{"the cow", 2.0f});
  EXPECT_EQ(std::get<SetSentence>(own).new_token_scale, 2.0f) << "what is said counts";
  const Command removed = with_fitting_scale(document, SetKvSentence{});
  EXPECT_FALSE(std::get<SetKvSentence>(removed).new_token_scale) << "there are no new words";
}

}  // namespace
}  // namespace lab
