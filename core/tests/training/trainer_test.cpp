#include "core/training/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/network/layer_matrix.h"
#include "core/tests/training/small_runs.h"

namespace attention::test {
namespace {

using training::HeadMeasures;
using training::StepReport;
using training::TaskType;
using training::Trainer;
using training::TrainingOptions;
using training::TrainingState;

TrainingState state_after(const TrainingOptions& options, int steps, int threads) {
  Trainer trainer(options);
  ThreadPool pool(threads);
  take_steps(trainer, steps, pool);
  return *trainer.state();
}

TEST(Trainer, GivesTheSameNumbersOnEveryRunAndForAnyNumberOfThreads) {
  for (const bool mlp : {false, true}) {
    TrainingOptions options = small_run(TaskType::kRepeat);
    options.mlp = mlp;
    options.positions =
        mlp ? training::TrainedPositions::kRotary : training::TrainedPositions::kLearned;
    options.batch = 13;  // parts of different sizes
    const TrainingState once = state_after(options, 200, 1);
    for (const int threads : {1, 2, 4})
      EXPECT_TRUE(state_after(options, 200, threads) == once) << threads << " threads";
    options.seed = 12;
    EXPECT_FALSE(state_after(options, 200, 1) == once) << "another seed";
  }
}

TrainingOptions options_of(const nlohmann::json& json) {
  TrainingOptions options = small_run(*training::task_from_name(json["task"].get<std::string>()));
  options.task.vocabulary = json["vocabulary"];
  options.task.length = json["length"];
  options.task.shortest_period = json["shortest_period"];
  options.task.longest_period = json["longest_period"];
  options.layers = json["layers"];
  options.heads = json["heads"];
  options.d_model = json["d_model"];
  options.d_k = json["d_k"];
  options.mlp = json["mlp"];
  options.positions = *training::trained_positions_from_name(json["positions"].get<std::string>());
  options.batch = json["batch"];
  options.learning_rate = json["learning_rate"];
  options.seed = json["seed"];
  return options;
}

TEST(Trainer, FollowsTheLossesOfPyTorch) {
  std::ifstream file(std::string(GOLDEN_DIR) + "/training.json");
  for (const nlohmann::json& run : nlohmann::json::parse(file)) {
    Trainer trainer(options_of(run["options"]));
    ThreadPool pool(1);
    ASSERT_EQ(run["losses"].size(), 200u);
    for (const double expected : run["losses"]) {
      const StepReport report = trainer.step(pool);
      ASSERT_NEAR(report.loss, expected, 1e-3) << run["name"] << ", step " << report.step;
    }
  }
}

TEST(Trainer, GoesOnFromAStateAsIfItHadNotStopped) {
  const TrainingOptions options = small_run(TaskType::kSort);
  ThreadPool pool(2);
  Trainer whole(options), other(options);
  take_steps(whole, 10, pool);
  const training::SharedState kept = whole.state();
  const TrainingState copy = *kept;
  take_steps(whole, 15, pool);
  EXPECT_TRUE(*kept == copy) << "a state that was handed out changed";
  EXPECT_EQ(kept->step, 10u);

  take_steps(other, 3, pool);
  other.restore(*kept);
  take_steps(other, 15, pool);
  EXPECT_TRUE(*other.state() == *whole.state());
}

TEST(Trainer, RefusesStatesOfOtherNetworks) {
  Trainer trainer(small_run(TaskType::kRepeat));
  TrainingState state = *trainer.state();
  state.parameters.conservativeResize(state.parameters.size() - 1);
  EXPECT_THROW(trainer.restore(state), std::invalid_argument);
  state = *trainer.state();
  state.second_moments[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(trainer.restore(state), std::invalid_argument);
}

// The losses of the batch, from the reports' own definition.
TEST(Trainer, ReportsTheMeanLossOfEachPositionAndOfThoseThatCanBeKnown) {
  Trainer trainer(small_run(TaskType::kPrevious));
  ThreadPool pool(1);
  const StepReport report = trainer.step(pool);
  EXPECT_EQ(report.step, 1u);
  ASSERT_EQ(report.position_loss.size(), 12u);
  EXPECT_TRUE(std::isnan(report.position_loss[0])) << "no letter is before the first";
  double sum = 0;
  for (std::size_t i = 1; i < 12; ++i) sum += static_cast<double>(report.position_loss[i]);
  EXPECT_NEAR(report.loss, sum / 11, 1e-5);
  EXPECT_DOUBLE_EQ(report.known_loss, report.loss);
  EXPECT_GT(report.gradient_norm, 0);
  ASSERT_EQ(report.head_gradients.size(), 4u);
  double heads = 0;
  for (const float one : report.head_gradients) heads += static_cast<double>(one * one);
  EXPECT_GT(heads, 0);
  EXPECT_LT(std::sqrt(heads), report.gradient_norm);
}

TEST(Trainer, StopsBeforeTheNumbersAreLostWhenItDiverges) {
  TrainingOptions options = small_run(TaskType::kRepeat);
  ThreadPool pool(1);
  Trainer trainer(options);
  take_steps(trainer, 5, pool);
  trainer.set_learning_rate(1e30f);
  StepReport report;
  for (int i = 0; i < 20 && !report.diverged; ++i) report = trainer.step(pool);
  EXPECT_TRUE(report.diverged);
  const training::SharedState last = trainer.state();
  EXPECT_EQ(report.step, trainer.steps());
  for (const float number : last->parameters) ASSERT_TRUE(std::isfinite(number));
  trainer.set_learning_rate(0.003f);
  EXPECT_FALSE(trainer.step(pool).diverged) << "the last good step goes on";
}

TEST(Trainer, CallsALossFarBeyondGuessingDivergedAndGoesBack) {
  TrainingOptions options = small_run(TaskType::kRepeat);
  options.learning_rate = 30;
  ThreadPool pool(1);
  Trainer trainer(options);
  StepReport report;
  for (int i = 0; i < 20 && !report.diverged; ++i) report = trainer.step(pool);
  ASSERT_TRUE(report.diverged);
  EXPECT_GT(report.loss, 10 * std::log(10.0));
  trainer.set_learning_rate(0.003f);
  EXPECT_LT(trainer.step(pool).loss, report.loss) << "the state before that step";
}

TEST(Trainer, GoesOnFromAnEditedNetwork) {
  Trainer trainer(small_run(TaskType::kRepeat));
  ThreadPool pool(1);
  take_steps(trainer, 5, pool);
  const training::SharedState before = trainer.state();
  network::Network network = trainer.network();
  network::Attention& attention = network.stack.blocks[1].attention;
  Matrix W_Q = network::layer_matrix_values(attention, MatrixId::kWQ, 1);
  W_Q(3, 2) = 4;
  network::set_layer_matrix(attention, MatrixId::kWQ, 1, W_Q);
  trainer.set_network(network);
  EXPECT_EQ(trainer.steps(), 5u);

  const training::SharedState after = trainer.state();
  const auto place = trainer.layout().blocks[1].projections.W;
  const Index at = place.first + 3 * place.shape.cols + 8 + 2;
  for (Index i = 0; i < after->parameters.size(); ++i)
    EXPECT_EQ(after->parameters[i], i == at ? 4 : before->parameters[i]) << i;
  EXPECT_EQ(after->first_moments, before->first_moments);
  EXPECT_FALSE(trainer.step(pool).diverged);
}

TEST(Trainer, RefusesNetworksOfAnotherBuildAndNumbersThatAreNotFinite) {
  Trainer trainer(small_run(TaskType::kRepeat));
  network::Network fewer = trainer.network();
  fewer.stack.blocks.pop_back();
  EXPECT_THROW(trainer.set_network(fewer), std::invalid_argument);
  network::Network wider = trainer.network();
  wider.read_out->tokens.W = network::StoredMatrix(SharedMatrix(Matrix(Matrix::Zero(16, 11))));
  EXPECT_THROW(trainer.set_network(wider), std::invalid_argument);
  network::Network endless = trainer.network();
  Matrix embedding = endless.stack.embedding.tokens.values();
  embedding(1, 1) = std::numeric_limits<float>::infinity();
  endless.stack.embedding.tokens = network::StoredMatrix(SharedMatrix(embedding));
  EXPECT_THROW(trainer.set_network(endless), std::invalid_argument);
}

TEST(Trainer, LearnsToRepeatByAnInductionHeadThatReadsAPreviousTokenHead) {
  TrainingOptions options = small_run(TaskType::kRepeat);
  options.d_model = 32;
  options.d_k = 16;
  options.task.length = 16;
  options.task.longest_period = 8;
  options.batch = 32;
  options.learning_rate = 0.005f;
  options.positions = training::TrainedPositions::kRotary;
  Trainer trainer(options);
  ThreadPool pool(1);
  const double before = trainer.step(pool).known_loss;
  const StepReport report = take_steps(trainer, 400, pool);
  EXPECT_GT(before, 1.9);
  EXPECT_LT(report.known_loss, 0.3);
  const std::vector<HeadMeasures> heads = trainer.measure_heads();
  const auto of = [&](std::size_t layer, auto measure) {
    return std::max(measure(heads[2 * layer]), measure(heads[2 * layer + 1]));
  };
  EXPECT_GT(of(0, [](const HeadMeasures& head) { return head.scores.previous; }), 0.7f);
  EXPECT_GT(of(1, [](const HeadMeasures& head) { return head.scores.induction; }), 0.6f);
}

}  // namespace
}  // namespace attention::test
