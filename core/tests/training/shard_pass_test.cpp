// The gradient of a batch is the sum of the gradients of its sequences, one network at a time.
#include "core/training/shard_pass.h"

#include <gtest/gtest.h>

#include "core/gradient/network_gradient.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/training/small_runs.h"

namespace attention::test {
namespace {

using network::gradient_of_logits;
using network::NetworkGradient;
using training::BlockRanges;
using training::Example;
using training::ParameterLayout;
using training::ParameterRange;
using training::ShardPass;
using training::TaskType;
using training::Trainer;
using training::TrainingOptions;

constexpr float kLossWeight = 0.25f;

// Adds gradients of single sequences to the row of all parameters.
class GradientRow {
 public:
  explicit GradientRow(const ParameterLayout& layout)
      : layout_(layout), sum_(Matrix::Zero(1, layout.count)) {}

  void add(const NetworkGradient& gradient, const Example& example) {
    add_embedding(gradient.stack.embedded, example);
    for (std::size_t i = 0; i < layout_.blocks.size(); ++i)
      add_block(layout_.blocks[i], gradient.stack.blocks[i]);
    add_norm(layout_.final_norm, gradient.stack.final_norm);
    at(layout_.read_out) += gradient.read_out.tokens.W;
  }
  const Matrix& sum() const { return sum_; }

 private:
  Eigen::Map<Matrix> at(const ParameterRange& place) {
    return {sum_.data() + place.first, place.shape.rows, place.shape.cols};
  }
  void add_norm(const training::NormRanges& place, const network::NormGradient& gradient) {
    at(place.weight) += gradient.weight;
    at(place.bias) += gradient.bias;
  }
  void add_linear(const training::LinearRanges& place, const network::LinearGradient& gradient) {
    at(place.W) += gradient.W;
    at(place.b) += gradient.b;
  }
  void add_embedding(const Matrix& embedded, const Example& example) {
    for (Index i = 0; i < embedded.rows(); ++i)
      at(layout_.tokens).row(example.ids[static_cast<std::size_t>(i)]) += embedded.row(i);
    if (layout_.positions.size() > 0) at(layout_.positions) += embedded;
  }
  void add_block(const BlockRanges& places, const network::BlockGradient& gradient) {
    add_norm(places.attention_norm, gradient.attention_norms.before);
    const ParameterGradients& of = gradient.attention.parameters;
    const Index d_k = layout_.d_k, width = layout_.width();
    const auto add_columns = [&](Index first, const Matrix& W, const Matrix& b) {
      at(places.projections.W).middleCols(first, d_k) += W;
      at(places.projections.b).middleCols(first, d_k) += b;
    };
    for (Index head = 0; head < layout_.heads; ++head) {
      const auto h = static_cast<std::size_t>(head);
      add_columns(head * d_k, of.heads[h].W_Q, of.heads[h].b_Q);
      add_columns(width + head * d_k, of.kv_heads[h].W_K, of.kv_heads[h].b_K);
      add_columns(2 * width + head * d_k, of.kv_heads[h].W_V, of.kv_heads[h].b_V);
    }
    at(places.output.W) += of.W_O;
    at(places.output.b) += of.b_O;
    if (layout_.d_mlp == 0) return;
    add_norm(places.mlp_norm, gradient.mlp_norms.before);
    add_linear(places.up, gradient.mlp.up);
    add_linear(places.down, gradient.mlp.down);
  }

  const ParameterLayout& layout_;
  Matrix sum_;
};

// d(weight · Σ losses) / d(logits) of one sequence, from the definition, and the losses.
Matrix logit_gradient(const Matrix& logits, const Example& example, double& loss) {
  Matrix d = Matrix::Zero(logits.rows(), logits.cols());
  for (Index i = 0; i < logits.rows(); ++i) {
    const auto target = example.targets[static_cast<std::size_t>(i)];
    if (target == training::kNoTarget) continue;
    const Eigen::RowVectorXd powers = logits.row(i).cast<double>().array().exp();
    const Eigen::RowVectorXd p = powers / powers.sum();
    loss -= std::log(p(target));
    d.row(i) = p.cast<float>();
    d(i, target) -= 1;
  }
  return kLossWeight * d;
}

void expect_sum_of_sequences(const TrainingOptions& options) {
  Trainer trainer(options);
  ThreadPool pool(1);
  take_steps(trainer, 20, pool);  // biases and norms are no longer 0 and 1
  const training::SharedState state = trainer.state();
  const std::vector<Example> examples = trainer.held_out(5);
  ShardPass pass(trainer.layout());
  pass.run(state->parameters, examples, kLossWeight);

  const network::Network network = trainer.network();
  network::NetworkEvaluator evaluator;
  GradientRow expected(trainer.layout());
  double loss = 0;
  for (const Example& example : examples) {
    const auto& trace = evaluator.evaluate(network, {example.ids, {}, {}});
    const Matrix logits = network::logits(network, trace.stack.final, pool);
    expected.add(
        gradient_of_logits({network, {}, trace, pool}, logit_gradient(logits, example, loss)),
        example);
  }
  const Eigen::Map<const Matrix> found(pass.gradient().data(), 1, trainer.layout().count);
  EXPECT_TRUE(all_near_relative(Matrix(found), expected.sum(), 2e-5));
  double found_loss = 0;
  for (const double one : pass.losses().loss) found_loss += one;
  EXPECT_NEAR(found_loss, loss, 1e-4 * loss);
}

TEST(ShardPass, GivesTheSumOfTheGradientsOfItsSequences) {
  for (const TaskType task : training::kAllTasks) {
    SCOPED_TRACE(training::task_name(task));
    expect_sum_of_sequences(small_run(task));
  }
}

TEST(ShardPass, GivesItForEveryKindOfNetwork) {
  for (const auto positions :
       {training::TrainedPositions::kLearned, training::TrainedPositions::kRotary}) {
    for (const bool mlp : {false, true}) {
      for (const Index d_k : {8, 4}) {
        TrainingOptions options = small_run(TaskType::kRepeat);
        options.positions = positions;
        options.mlp = mlp;
        options.d_k = d_k;
        options.layers = mlp ? 1 : 3;
        SCOPED_TRACE(testing::Message() << mlp << " " << d_k);
        expect_sum_of_sequences(options);
      }
    }
  }
}

// Sizes that fill no vector, and sequences of more than one vector.
TEST(ShardPass, GivesItForSizesThatFillNoVector) {
  TrainingOptions options = small_run(TaskType::kRepeat);
  options.d_model = 21;
  options.heads = 3;
  options.d_k = 5;
  options.task.length = 37;
  options.task.vocabulary = 19;
  expect_sum_of_sequences(options);
}

}  // namespace
}  // namespace attention::test
