#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tests/training/small_runs.h"
#include "core/training/task.h"
#include "core/training/text_words.h"

namespace attention::test {
namespace {

using testing::ElementsAre;
using training::Example;
using training::kNoTarget;
using training::make_task;
using training::Task;
using training::TaskOptions;
using training::TaskType;

TaskOptions options_for(TaskType type) { return small_run(type).task; }

std::string shown(const Task& task, const std::vector<std::uint32_t>& ids) {
  std::string text;
  for (const std::uint32_t id : ids)
    text += id == kNoTarget ? "_" : task.tokens()[static_cast<std::size_t>(id)];
  return text;
}

std::string known_shown(const Example& example) {
  std::string text;
  for (const std::uint8_t known : example.known) text += known != 0 ? '1' : '0';
  return text;
}

std::string complaint_of(const TaskOptions& options) {
  const std::vector<std::string> all = training::complaints(options);
  return all.empty() ? "" : all.front();
}

TEST(Tasks, DrawTheSameSequenceForTheSameSeedStepAndRow) {
  for (const TaskType type : training::kAllTasks) {
    SCOPED_TRACE(training::task_name(type));
    const auto task = make_task(options_for(type)), again = make_task(options_for(type));
    EXPECT_TRUE(task->example(7, 3, 5) == again->example(7, 3, 5));
    const auto differs = [&](std::uint64_t seed, std::uint64_t step, Index row) {
      for (Index i = 0; i < 4; ++i)
        if (task->example(7, 3, i) != task->example(seed, step, row + i)) return true;
      return false;
    };
    EXPECT_TRUE(differs(8, 3, 0));
    EXPECT_TRUE(differs(7, 4, 0));
    EXPECT_TRUE(differs(7, 3, 1));
  }
}

// What is called known must be what the rule gives from the ids up to there alone.
TEST(Tasks, KnownTargetsFollowFromTheIdsBeforeThem) {
  for (const TaskType type : training::kAllTasks) {
    SCOPED_TRACE(training::task_name(type));
    const auto task = make_task(options_for(type));
    Index known = 0;
    for (Index row = 0; row < 50; ++row) {
      const Example example = task->example(1, 2, row);
      ASSERT_EQ(example.ids.size(), 12u);
      ASSERT_EQ(example.targets.size(), 12u);
      ASSERT_EQ(example.known.size(), 12u);
      for (std::size_t i = 0; i < 12; ++i) {
        ASSERT_LT(example.ids[i], task->vocabulary());
        if (example.known[i] == 0) continue;
        ++known;
        const auto end = example.ids.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        ASSERT_EQ(task->answers({example.ids.begin(), end}).back(), example.targets[i]);
      }
      for (std::size_t i = 0; task->predicts_next() && i + 1 < 12; ++i)
        ASSERT_EQ(example.targets[i], example.ids[i + 1]);
    }
    EXPECT_GT(known, 100);
  }
}

TEST(Tasks, RepeatIsKnownOncePeriodsBeginAgain) {
  const auto task = make_task(options_for(TaskType::kRepeat));
  const Example example = task->solved(task->ids_of("abcdabcdab"));
  EXPECT_EQ(shown(*task, example.targets), "bcdabcdabc");
  EXPECT_EQ(known_shown(example), "0000111111");
  // Every letter of the second period on is known, whatever was drawn, but for chance.
  for (Index row = 0; row < 20; ++row) {
    const Example drawn = task->example(5, 0, row);
    EXPECT_EQ(known_shown(drawn).substr(7), "11111") << shown(*task, drawn.ids);
  }
}

TEST(Tasks, PreviousAndCopyNameTheLetterSoFarBack) {
  const auto previous = make_task(options_for(TaskType::kPrevious));
  EXPECT_EQ(shown(*previous, previous->solved(previous->ids_of("hacf")).targets), "_hac");
  TaskOptions options = options_for(TaskType::kCopy);
  options.distance = 3;
  const auto copy = make_task(options);
  EXPECT_EQ(shown(*copy, copy->solved(copy->ids_of("bdacbe")).targets), "___bda");
}

TEST(Tasks, BracketsNameWhatClosesTheInnermostOpenOne) {
  const auto task = make_task(options_for(TaskType::kBrackets));
  const Example example = task->solved(task->ids_of("([{}])()["));
  EXPECT_EQ(shown(*task, example.targets), ")]}])·)·]");
  EXPECT_EQ(known_shown(example), "111111111");
}

TEST(Tasks, SortSaysTheLettersInOrderAfterTheBar) {
  const auto task = make_task(options_for(TaskType::kSort));
  const Example example = task->solved(task->ids_of("caba|aab"));
  EXPECT_EQ(shown(*task, example.targets), "aba|aabc");
  EXPECT_EQ(known_shown(example), "00001111");
  const Example drawn = task->example(1, 1, 1);
  EXPECT_EQ(known_shown(drawn), "000000111111");
}

TEST(Tasks, TextIsKnownWhereTwoWordsAreAlwaysFollowedByTheSame) {
  const auto task = make_task(options_for(TaskType::kText));
  EXPECT_EQ(task->tokens().front(), "[UNK]");
  const Example example = task->solved(task->ids_of("The dog sat on the"));
  EXPECT_EQ(known_shown(example), "01110") << "after “on the” come mat and rug";
  EXPECT_THAT(task->ids_of("elephant"), ElementsAre(0u));
}

TEST(Tasks, WordsAreCutAtBlanksAndMarks) {
  EXPECT_THAT(training::words_of("It's well-known,\n“Über\u00a0alles”…  end."),
              ElementsAre("It's", "well-known", ",", "“", "Über", "alles", "”", "…", "end", "."));
  EXPECT_THAT(training::words_of(" \t"), ElementsAre());
}

TEST(Tasks, SayWhatIsWrongWithTheirOptions) {
  TaskOptions options = options_for(TaskType::kText);
  options.text = "Only five words are here";
  EXPECT_EQ(complaint_of(options),
            "the text has 5 words, training on sequences of 12 needs at least 13");
  options.text = "la la la la la la la la la la la la la la la";
  EXPECT_EQ(complaint_of(options),
            "the text has only one word, again and again: there is nothing to learn");
  options = options_for(TaskType::kRepeat);
  options.longest_period = 12;
  EXPECT_EQ(complaint_of(options), "the longest period is 12, it must be 1 … 11");
  options.shortest_period = 9;
  options.longest_period = 4;
  EXPECT_EQ(complaint_of(options), "the shortest period is 9, it must be 1 … 4");
  options = options_for(TaskType::kBrackets);
  options.vocabulary = 5;
  EXPECT_EQ(complaint_of(options), "the vocabulary is 5, it must be 1 … 4");
  options = options_for(TaskType::kCopy);
  options.distance = 12;
  EXPECT_EQ(complaint_of(options), "the distance is 12, it must be 1 … 11");
  EXPECT_THROW(make_task(options), std::invalid_argument);
}

TEST(TrainingOptions, AreCheckedWithASentenceEach) {
  training::TrainingOptions options = training::default_options(TaskType::kRepeat);
  EXPECT_THAT(training::complaints(options), ElementsAre());
  options.heads = 3;
  options.d_k = 17;
  options.positions = training::TrainedPositions::kRotary;
  EXPECT_THAT(training::complaints(options),
              ElementsAre("d_model is 64, it must be a multiple of the 3 heads",
                          "d_k is 17, it must be even with rotary positions, which rotate pairs"));
  options = training::default_options(TaskType::kRepeat);
  options.heads = 8;
  options.layers = 5;
  options.learning_rate = 0;
  EXPECT_THAT(training::complaints(options),
              ElementsAre("the number of layers is 5, it must be 1 … 4",
                          "the learning rate must be a positive number"));
  EXPECT_THROW(training::Trainer{options}, std::invalid_argument);
  for (const TaskType type : training::kAllTasks)
    EXPECT_EQ(training::task_from_name(training::task_name(type)), type);
}

}  // namespace
}  // namespace attention::test
