#include "app/document/words/new_words.h"

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
  EXPECT_EQ(fitting_new_word_scale(after(small_document(), all_words(0.3f))), 0.3f);
  EXPECT_EQ(fitting_new_word_scale(after(small_document(), all_words(123))), 120.0f);
}

TEST(FittingNewWordScale, IsLeftAsItIsWhereItFitsOrWasSet) {
  EXPECT_FALSE(fitting_new_word_scale(small_document())) << "default vectors";
  EXPECT_FALSE(fitting_new_word_scale(after(small_document(), all_words(0.9f))));
  EXPECT_FALSE(fitting_new_word_scale(after(small_document(), all_words(0))));
  Document document = after(small_document(), all_words(0.3f));
  EXPECT_FALSE(fitting_new_word_scale(after(document, SetSentence{"the cow"})))
      << "a word has no vector of its own";
  document = after(document, SetSentence{"the cow", 0.3f});
  EXPECT_FALSE(fitting_new_word_scale(after(document, SetSentence{"the cat"})));
}

}  // namespace
}  // namespace lab
