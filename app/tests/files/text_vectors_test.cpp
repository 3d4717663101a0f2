#include "app/files/import/text_vectors.h"

#include <sys/resource.h>

#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::RowVector;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

std::vector<float> numbers(const WordVectors& vectors, const std::string& word) {
  const auto found = vectors.rows.find(word);
  if (found == vectors.rows.end()) return {};
  return {found->second.begin(), found->second.end()};
}

TEST(TextVectors, GloVeHasAWordALine) {
  const auto vectors = value_of(
      read_text_vectors("the 0.5 -1 2e-1\n, 1 2 3\ncat 4 5 6\n", {"cat", "the", ",", "dog"}));
  EXPECT_EQ(vectors.dimension, 3);
  EXPECT_THAT(numbers(vectors, "the"), ElementsAre(.5f, -1, .2f));
  EXPECT_THAT(numbers(vectors, ","), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(vectors, "cat"), ElementsAre(4, 5, 6));
  EXPECT_THAT(vectors.missing, ElementsAre("dog"));
  EXPECT_THAT(vectors.lowered, IsEmpty());
}

TEST(TextVectors, Word2VecTellsCountAndDimensionFirst) {
  for (const char* text : {"2 2\nthe 1 2\ncat 3 4\n",
                           "\xEF\xBB\xBF"
                           "2 2\r\nthe 1 2 \r\ncat 3 4 \r\n",
                           "2 2\n\nthe\t1\t2\ncat  3  4"}) {
    const auto vectors = value_of(read_text_vectors(text, {"cat", "2"}));
    EXPECT_EQ(vectors.dimension, 2);
    EXPECT_THAT(numbers(vectors, "cat"), ElementsAre(3, 4)) << text;
    EXPECT_THAT(vectors.missing, ElementsAre("2"));
  }
}

TEST(TextVectors, ExactWordsComeBeforeSmallLetters) {
  const char* text = "the 1\nThe 2\nécole 3\n";
  const auto vectors = value_of(read_text_vectors(text, {"The", "the", "École", "THE"}));
  EXPECT_THAT(numbers(vectors, "The"), ElementsAre(2));
  EXPECT_THAT(numbers(vectors, "the"), ElementsAre(1));
  EXPECT_THAT(numbers(vectors, "THE"), ElementsAre(1));
  EXPECT_THAT(numbers(vectors, "École"), ElementsAre(3));
  EXPECT_THAT(vectors.lowered, ElementsAre("THE", "École"));
}

TEST(TextVectors, WordsMayHaveBlanksInThemAndBeNumbers) {
  const auto vectors = value_of(read_text_vectors(
      "the 1 2\n. . . 3 4\nat name@x.org 5 6\n1990 7 8\n. 9 10\n", {".", "1990", "name@x.org"}));
  EXPECT_THAT(numbers(vectors, "."), ElementsAre(9, 10));
  EXPECT_THAT(numbers(vectors, "1990"), ElementsAre(7, 8));
  EXPECT_THAT(vectors.missing, ElementsAre("name@x.org"));
}

TEST(TextVectors, OfAWordThatIsThereTwiceTheFirstCounts) {
  EXPECT_THAT(numbers(value_of(read_text_vectors("a 1\na 2\nb 3\n", {"a", "b"})), "a"),
              ElementsAre(1));
}

TEST(TextVectors, ReadingEndsWhenEveryWordWasFound) {
  EXPECT_TRUE(read_text_vectors("a 1 2\nb 3 4\nc x y\nd\n", {"a", "b"}));
  EXPECT_FALSE(read_text_vectors("a 1 2\nb 3 4\nc x y\nd\n", {"a", "c"}));
  EXPECT_TRUE(read_text_vectors("9 2\na 1 2\n", {"a"})) << "the rest of the nine is not needed";
}

TEST(TextVectors, LinesThatGoOverTwoPiecesOfTheFileAreWhole) {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += "word" + std::to_string(i) + " 0.25 " + std::to_string(i) + "\n";
  for (const int i : {0, 4711, 19999}) {
    const std::string word = "word" + std::to_string(i);
    EXPECT_THAT(numbers(value_of(read_text_vectors(text, {word, "none"})), word),
                ElementsAre(.25f, static_cast<float>(i)));
  }
}

TEST(TextVectors, AFileIsNotLoaded) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "w" + std::to_string(i) + std::string(2000, ' ') + "1 2\n";
  const std::string path = folder / "vectors.txt";
  {
    std::ofstream file(path, std::ios::binary);
    for (int i = 0; i < 30; ++i) file << text;
  }
  text = {};
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  attention::WorkWatch watch;
  const auto vectors = value_of(read_text_vectors_at(path, {"w7", "none"}, &watch));
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_THAT(numbers(vectors, "w7"), ElementsAre(1, 2));
  EXPECT_EQ(watch.progress(), 1.0);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 16 << 10) << "kilobytes, of a file of 60 MB";
}

TEST(TextVectors, StopWhenTheyAreTold) {
  attention::WorkWatch watch;
  watch.stop();
  EXPECT_THROW((void)read_text_vectors("a 1\n", {"b"}, &watch), attention::WorkStopped);
}

TEST(TextVectors, AFileThatCannotBeReadIsNamed) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder / "none.txt", folder / "."}) {
    const auto vectors = read_text_vectors_at(path, {"a"});
    ASSERT_FALSE(vectors);
    EXPECT_EQ(vectors.error().type, ErrorType::kIo);
    EXPECT_THAT(vectors.error().message, HasSubstr("cannot read \"" + path));
  }
}

TEST(TextVectors, EveryDamagedFileIsReadOrRefusedWithAText) {
  for (const char* text : {"the 0.5 -1\n, 1 2\n. . 3 4\n", "2 2\nthe 1 2\nCat 3e2 4\n"}) {
    damage(text, [](std::string_view damaged) {
      const auto vectors = read_text_vectors(damaged, {"the", ",", "cat", "Cat"});
      if (!vectors) {
        EXPECT_FALSE(vectors.error().message.empty());
        return;
      }
      for (const auto& [word, row] : vectors->rows) EXPECT_EQ(row.size(), vectors->dimension);
    });
  }
}

class BadVectors : public ::testing::TestWithParam<BadFile> {};

// The words that are looked for are "cat" and one that is nowhere.
TEST_P(BadVectors, AreRefusedWithTheirReason) {
  const auto vectors = read_text_vectors(GetParam().bytes, {"cat", "nowhere"});
  ASSERT_FALSE(vectors);
  EXPECT_EQ(vectors.error().type, ErrorType::kBadInput);
  EXPECT_THAT(vectors.error().message, HasSubstr(GetParam().message));
}

std::string numbered(const char* word, int count) {
  std::string line = word;
  for (int i = 0; i < count; ++i) line += " 1";
  return line + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Text, BadVectors,
    ::testing::Values(
        BadFile{"Empty", "", "it holds no word with a vector"},
        BadFile{"LineEnds", "\n\r\n\n", "it holds no word with a vector"},
        BadFile{"MarkAlone", "\xEF\xBB\xBF", "it holds no word with a vector"},
        BadFile{"OneWord", "cat\n", "line 1 is not a word followed by numbers"},
        BadFile{"OneNumber", "1\n", "line 1 is not a word followed by numbers"},
        BadFile{"Prose", "the cat sat\n", "line 1 is not a word followed by numbers"},
        BadFile{"WordBehindNumbers", "1 2 3 cat\n", "line 1 is not a word followed by numbers"},
        BadFile{"CommasBetween", "cat, 1, 2, x\n", "line 1 is not a word followed by numbers"},
        BadFile{"EmptyLinesCount", "\n\ncat\n", "line 3 is not a word followed by numbers"},
        BadFile{"NoLineEnd", std::string(kLongestVectorLine + 70'000, 'x'),
                "line 1 is longer than 1048576 bytes"},
        BadFile{"LongLine", "the 1\n" + std::string(kLongestVectorLine + 1, 'x') + "\ncat 1\n",
                "line 2 is longer than 1048576 bytes"},
        BadFile{"LongLineOfBlanks", "the 1\n" + std::string(kLongestVectorLine + 1, ' ') + "\n",
                "line 2 is longer than 1048576 bytes"},
        BadFile{"LongFirstLine", numbered("the", 600'000), "line 1 is longer than 1048576 bytes"}),
    case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    Sizes, BadVectors,
    ::testing::Values(
        BadFile{"TooManyNumbers", numbered("the", 4097), "vectors of 4097 numbers; there may be 1"},
        BadFile{"TooManyPromised", "5 4097\n", "line 1: vectors of 4097 numbers"},
        BadFile{"NonePromised", "5 0\n", "line 1: vectors of 0 numbers"},
        BadFile{"ManyPromised", "5 99999999999\n", "line 1: vectors of 99999999999 numbers"},
        BadFile{"FewerThanPromised", "2 3\ncat 1 2\n",
                "line 2 has 2 numbers after its word, there should be 3"},
        BadFile{"MoreThanPromised", "2 3\ncat 1 2 3 4\n",
                "line 2 has 4 numbers after its word, there should be 3"},
        BadFile{"FewerThanAbove", "the 1 2\ncat 1\n", "line 2 has 1 numbers after its word"},
        BadFile{"MoreThanAbove", "the 1 2\ncat 1 2 3\n", "line 2 has 3 numbers after its word"},
        BadFile{"FewerOfAnotherWord", "the 1 2\nsat 1\ncat 1 2\n", "line 2 has 1 numbers"},
        BadFile{"MoreOfAnotherWord", "the 1 2\nsat 1 2 3\ncat 1 2\n", "line 2 has 3 numbers"},
        BadFile{"WordAlone", "the 1 2\nsat\n", "line 2 has 0 numbers after its word"},
        BadFile{"NumberAlone", "the 1 2\n7\n", "line 2 has 0 numbers after its word"},
        BadFile{"CutInALine", "the 1 2\ncat 3", "line 2 has 1 numbers after its word"},
        BadFile{"BlanksBetween", "the 1 2\ncat  3\n", "line 2 has 1 numbers after its word"},
        BadFile{"NoWord", "the 1 2\n 3 4\n", "line 2 has 1 numbers after its word"},
        BadFile{"EndsEarly", "3 2\nthe 1 2\ncat 3 4\n",
                "the file ends after 2 of the 3 words that its first line promises"},
        BadFile{"EndsAtOnce", "400000 2\n", "the file ends after 0 of the 400,000 words"}),
    case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    Numbers, BadVectors,
    ::testing::Values(
        BadFile{"Word", "the 1 2\ncat 1 x\n", "line 2, number 2: \"x\" is not a number"},
        BadFile{"FirstIsAWord", "the 1 2\ncat y 2\n", "line 2, number 1: \"y\" is not a number"},
        BadFile{"DecimalComma", "the 1 2\ncat 1,5 2\n",
                "line 2, number 1: \"1,5\" is not a number"},
        BadFile{"TwoPoints", "the 1 2\ncat 1.2.3 2\n", "number 1: \"1.2.3\" is not a number"},
        BadFile{"Letter", "the 1 2\ncat 1 1O\n", "number 2: \"1O\" is not a number"},
        BadFile{"HalfAnExponent", "the 1 2\ncat 1 1e\n", "number 2: \"1e\" is not a number"},
        BadFile{"Hexadecimal", "the 1 2\ncat 1 0x1\n", "number 2: \"0x1\" is not a number"},
        BadFile{"SignAlone", "the 1 2\ncat 1 -\n", "number 2: \"-\" is not a number"},
        BadFile{"TwoSigns", "the 1 2\ncat 1 --1\n", "number 2: \"--1\" is not a number"},
        BadFile{"Complex", "the 1 2\ncat 1 2j\n", "number 2: \"2j\" is not a number"},
        BadFile{"Control", "the 1 2\ncat 1 \x01\n", "number 2: \"␁\" is not a number"},
        BadFile{"Nul", std::string("the 1 2\ncat 1 \0\n", 16), "number 2: \"␀\" is not a number"},
        BadFile{"NoUtf8", "the 1 2\ncat 1 \xFF\n", "number 2: \"⟨FF⟩\" is not a number"},
        BadFile{"BeyondFloat", "the 1 2\ncat 1 1e39\n",
                "number 2: \"1e39\" is beyond the range of float32"},
        BadFile{"BeyondDouble", "the 1 2\ncat -1e999 1\n", "number 1: \"-1e999\" is beyond"},
        BadFile{"LongNumber", "the 1 2\ncat 1 " + std::string(500, '1') + "\n",
                "…\" is not a number"}),
    case_name<BadFile>);

}  // namespace
}  // namespace lab
