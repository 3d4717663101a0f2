// A text that is longer than a trained model reads can be cut.
#include "app/document/model/text_limit.h"

#include <gtest/gtest.h>

#include "app/files/model/model_folder.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

TEST(TextLimit, IsTheLongestBeginningThatTheModelReads) {
  const auto model = files::open_model("words");
  ASSERT_TRUE(model) << model.error().message;
  const attention::Index most = most_tokens(*model);
  ASSERT_EQ(most, 128);
  std::string text;
  for (int i = 0; i < 60; ++i) text += "a naïve 🙂 café, ";
  const auto beginning = readable_beginning(*model, text);
  ASSERT_TRUE(beginning);
  EXPECT_TRUE(text.starts_with(*beginning));
  const auto count = [&](std::string_view part) {
    return std::ssize(model->tokenizer->encode(part).value());
  };
  EXPECT_LE(count(*beginning), most);
  EXPECT_GE(count(*beginning), most - 3) << "as much as possible";
  EXPECT_FALSE(readable_beginning(*model, *beginning)) << "all of it is read";
}

TEST(TextLimit, IsNoneWithoutATableOfPositions) {
  auto model = files::open_model("words");
  ASSERT_TRUE(model);
  model->network.stack.embedding.positions = {};
  EXPECT_EQ(most_tokens(*model), 0);
  EXPECT_FALSE(readable_beginning(*model, std::string(1000, 'a')));
}

}  // namespace
}  // namespace lab
