#include "core/training/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attention::test {
namespace {

using training::History;
using training::SharedState;
using training::TrainingState;

SharedState state_at(std::uint64_t step, Index numbers = 1) {
  TrainingState state;
  state.step = step;
  state.parameters.resize(numbers);
  return std::make_shared<TrainingState>(std::move(state));
}

std::vector<std::uint64_t> kept_steps(const History& history) {
  std::vector<std::uint64_t> steps;
  for (const SharedState& state : history.states()) steps.push_back(state->step);
  return steps;
}

TEST(History, KeepsTheFirstFiftyThenFewerAndAlwaysTheLast) {
  constexpr Index kNumbers = 1000;
  constexpr std::size_t kMost = 200 * 3 * 4 * kNumbers;
  History history(kMost);
  for (std::uint64_t step = 0; step <= 4001; ++step) {
    history.keep(state_at(step, kNumbers));
    ASSERT_LE(history.state_bytes(), kMost);
    ASSERT_EQ(history.states().back()->step, step);
  }
  const std::vector<std::uint64_t> steps = kept_steps(history);
  EXPECT_GT(steps.size(), 100u) << "half of the memory is in use";
  for (std::uint64_t step = 0; step <= 50; ++step) EXPECT_EQ(steps[step], step);
  std::uint64_t widest = 0;
  for (std::size_t i = 52; i < steps.size(); ++i)
    widest = std::max(widest, steps[i] - steps[i - 1]);
  EXPECT_LE(widest, 32u) << "spread evenly";
}

TEST(History, StaysBoundedWhenEvenTheFirstAreTooMany) {
  constexpr Index kNumbers = 1000;
  constexpr std::size_t kMost = 20 * 3 * 4 * kNumbers;
  History history(kMost);
  for (std::uint64_t step = 0; step <= 500; ++step) history.keep(state_at(step, kNumbers));
  EXPECT_LE(history.state_bytes(), kMost);
  EXPECT_GE(history.states().size(), 8u);
  EXPECT_EQ(history.states().front()->step, 0u);
  EXPECT_EQ(history.states().back()->step, 500u);
}

TEST(History, ReplacesAStateThatWasKeptOnlyAsTheLast) {
  constexpr Index kNumbers = 1000;
  History history(64 * 3 * 4 * kNumbers);
  for (std::uint64_t step = 0; step <= 200; ++step) history.keep(state_at(step, kNumbers));
  const std::uint64_t odd = 201;
  ASSERT_FALSE(history.keeps(odd));
  history.keep(state_at(odd, kNumbers));
  history.keep(state_at(202, kNumbers));
  EXPECT_THAT(kept_steps(history), testing::Not(testing::Contains(odd)));
}

TEST(History, FindsTheNearestStateAndTheOneBefore) {
  History history;
  EXPECT_EQ(history.nearest(3), nullptr);
  for (const std::uint64_t step : {0, 10, 20, 40}) history.keep(state_at(step));
  EXPECT_EQ(history.nearest(0)->step, 0u);
  EXPECT_EQ(history.nearest(14)->step, 10u);
  EXPECT_EQ(history.nearest(15)->step, 10u) << "a tie";
  EXPECT_EQ(history.nearest(16)->step, 20u);
  EXPECT_EQ(history.nearest(1000)->step, 40u);
  EXPECT_EQ(history.at_or_before(39)->step, 20u);
  EXPECT_EQ(history.at_or_before(40)->step, 40u);
}

TEST(History, TakesAnEditedStateInPlaceOfTheOneOfItsStep) {
  History history;
  for (const std::uint64_t step : {0, 1, 2}) history.keep(state_at(step));
  const SharedState edited = state_at(2);
  history.keep(edited);
  EXPECT_EQ(history.states().size(), 3u);
  EXPECT_EQ(history.states().back(), edited);
}

TEST(History, ForgetsWhatComesAfterABranch) {
  History history;
  for (std::uint64_t step = 0; step <= 10; ++step) {
    history.keep(state_at(step));
    history.add(training::CurvePoint{step, 1, 1, 1});
    history.add(training::MeasuredPoint{step, {}, {}, {}});
  }
  history.truncate(6);
  EXPECT_EQ(history.states().back()->step, 6u);
  EXPECT_EQ(history.curve().back().step, 6u);
  EXPECT_EQ(history.measured().back().step, 6u);
  history.keep(state_at(7));
  EXPECT_EQ(history.states().size(), 8u);
}

TEST(History, KeepsEveryStepOfTheCurveAndBoundedMeasures) {
  History history;
  for (std::uint64_t step = 1; step <= 20000; ++step) {
    history.add(training::CurvePoint{step, 1, 1, 1});
    history.add(training::MeasuredPoint{step, {}, {}, {}});
  }
  EXPECT_EQ(history.curve().size(), 20000u);
  EXPECT_LE(history.measured().size(), 4097u);
  EXPECT_GE(history.measured().size(), 2000u);
  EXPECT_EQ(history.measured().back().step, 20000u);
}

TEST(History, PinnedStatesStayWhateverTheMemory) {
  constexpr Index kNumbers = 1000;
  History history(64 * 3 * 4 * kNumbers);
  const SharedState pinned = state_at(77, kNumbers);
  for (std::uint64_t step = 0; step <= 2000; ++step) {
    history.keep(step == 77 ? pinned : state_at(step, kNumbers));
    if (step == 77) history.pin(pinned);
  }
  EXPECT_EQ(history.nearest(77), pinned);
  EXPECT_LE(history.states().size(), 65u);
  EXPECT_THAT(kept_steps(history.essential()), testing::ElementsAre(0, 77, 2000));
}

TEST(History, ABranchBeginsWithItsOwnState) {
  History history;
  for (std::uint64_t step = 0; step <= 10; ++step) {
    history.keep(state_at(step));
    history.add(training::CurvePoint{step, 1, 1, 1});
  }
  const SharedState edited = state_at(6);
  history.begin_at(edited);
  EXPECT_EQ(history.states().back(), edited);
  EXPECT_EQ(history.states().size(), 7u);
  EXPECT_EQ(history.curve().back().step, 6u);
}

}  // namespace
}  // namespace attention::test
