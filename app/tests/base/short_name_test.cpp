// Names for files from a sentence.
#include "app/base/names.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(ShortName, IsTheFirstWordsOfASentence) {
  EXPECT_EQ(short_name("The animal didn't cross the street because it was too tired"),
            "the-animal-didnt-cross-the");
  EXPECT_EQ(short_name("  Hello, world!  "), "hello-world");
  EXPECT_EQ(short_name("…!?"), "");
}

TEST(ShortName, KeepsTheLettersOfEveryScript) {
  EXPECT_EQ(short_name("Größe zählt"), "größe-zählt");
  EXPECT_EQ(short_name("猫が座った"), "猫が座った");
  EXPECT_EQ(short_name("नमस्ते दुनिया"), "नमस्ते-दुनिया");
}

TEST(ShortName, IsCutBetweenLetters) {
  const std::string name = short_name(std::string(30, 'a') + "ääääääääääääää");
  EXPECT_LE(name.size(), 43u);
  EXPECT_TRUE(name.ends_with("ä"));
}

}  // namespace
}  // namespace lab
