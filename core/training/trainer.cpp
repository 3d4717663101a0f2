#include "core/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/training/shard_pass.h"
#include "core/training/training_state.h"

namespace attention::training {
namespace {

// The batch is computed in this many parts, whose gradients are added in order, for any number of
// threads.
constexpr Index kShards = 8;
// Steps of the held-out examples, which no run comes to.
constexpr std::uint64_t kHeldOutStep = std::uint64_t{1} << 62;
// A loss of so many times that of guessing, or of the first step if that was larger, diverges.
constexpr double kMostLoss = 10;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using State = std::shared_ptr<TrainingState>;

double mean_or_nan(double sum, Index count) {
  return count == 0 ? kNaN : sum / static_cast<double>(count);
}

template <typename Number>
Number total(const std::vector<Number>& numbers) {
  Number sum = 0;
  for (const Number number : numbers) sum += number;
  return sum;
}

double squared_norm(const float* numbers, Index count) {
  return Eigen::Map<const Eigen::ArrayXf>(numbers, count).cast<double>().square().sum();
}

double squared_norm_of_columns(const float* matrix, const Shape& shape, Index first, Index count) {
  double sum = 0;
  for (Index row = 0; row < shape.rows; ++row)
    sum += squared_norm(matrix + row * shape.cols + first, count);
  return sum;
}

float head_gradient(const ParameterLayout& layout, const BlockRanges& block, Index head,
                    const RowVector& gradient) {
  const Index d_k = layout.d_k;
  const float* const projections = gradient.data() + block.projections.W.first;
  const float* const output = gradient.data() + block.output.W.first;
  double sum = squared_norm(output + head * d_k * layout.d_model, d_k * layout.d_model);
  for (Index type = 0; type < 3; ++type)
    sum += squared_norm_of_columns(projections, block.projections.W.shape,
                                   type * layout.width() + head * d_k, d_k);
  return static_cast<float>(std::sqrt(sum));
}

}  // namespace

struct Trainer::Shards {
  explicit Shards(const TrainingOptions& given)
      : options(given),
        task(make_task(given.task)),
        layout(given, task->vocabulary()),
        gradient(layout.count) {
    for (Index i = 0; i < std::min(kShards, given.batch); ++i) passes.emplace_back(layout);
  }

  TrainingOptions options;
  std::shared_ptr<const Task> task;
  ParameterLayout layout;
  std::vector<ShardPass> passes;
  std::vector<Example> examples;
  RowVector gradient;
  State now, before;        // `before`: the one that the last step began with, or null
  bool now_shared = false;  // handed out: it must not change any more
  bool before_shared = false;
  double most_loss = 0;  // above it a step diverges; 0: not known yet

  Index shard_count() const { return std::ssize(passes); }
  // The first example of shard `shard`.
  Index first_of(Index shard) const { return shard * options.batch / shard_count(); }

  void draw(ThreadPool& pool) {
    examples.resize(static_cast<std::size_t>(options.batch));
    pool.run(shard_count(), [&](Index shard) {
      for (Index row = first_of(shard); row < first_of(shard + 1); ++row)
        examples[static_cast<std::size_t>(row)] = task->example(options.seed, now->step, row);
    });
  }

  Index asked() const {
    Index count = 0;
    for (const Example& example : examples)
      count += std::ranges::count_if(example.targets, [](auto id) { return id != kNoTarget; });
    return count;
  }

  // Both passes of the batch.
  LossSums run(ThreadPool& pool) {
    const float weight = 1 / static_cast<float>(std::max<Index>(1, asked()));
    pool.run(shard_count(), [&](Index shard) {
      const Index first = first_of(shard);
      passes[static_cast<std::size_t>(shard)].run(
          now->parameters,
          std::span(examples).subspan(static_cast<std::size_t>(first),
                                      static_cast<std::size_t>(first_of(shard + 1) - first)),
          weight);
    });
    LossSums sums(layout.length);
    for (const ShardPass& pass : passes) sums.add(pass.losses());
    return sums;
  }

  void add_gradients(ThreadPool& pool) {
    constexpr Index kNumbersATask = 1 << 14;
    const Index tasks = (layout.count + kNumbersATask - 1) / kNumbersATask;
    pool.run(tasks, [&](Index task_number) {
      const Index first = task_number * kNumbersATask;
      const Index count = std::min(kNumbersATask, layout.count - first);
      auto sum = gradient.segment(first, count);
      sum = passes.front().gradient().segment(first, count);
      for (std::size_t i = 1; i < passes.size(); ++i)
        sum += passes[i].gradient().segment(first, count);
    });
  }

  StepReport report(const LossSums& sums) const {
    StepReport report;
    report.step = now->step + 1;
    report.loss = mean_or_nan(total(sums.loss), total(sums.asked));
    report.known_loss = mean_or_nan(total(sums.known_loss), total(sums.known));
    for (std::size_t i = 0; i < sums.loss.size(); ++i)
      report.position_loss.push_back(static_cast<float>(mean_or_nan(sums.loss[i], sums.asked[i])));
    report.gradient_norm = std::sqrt(squared_norm(gradient.data(), layout.count));
    for (const BlockRanges& block : layout.blocks)
      for (Index head = 0; head < layout.heads; ++head)
        report.head_gradients.push_back(head_gradient(layout, block, head, gradient));
    return report;
  }

  // Remembers what counts as too large a loss from the first step after a start or an edit.
  bool is_too_large(double loss) {
    if (most_loss == 0)
      most_loss = kMostLoss * std::max(loss, std::log(static_cast<double>(layout.vocabulary)));
    return !(loss <= most_loss);
  }

  void go_back(StepReport& report) {
    report.diverged = true;
    if (before != nullptr) {
      now = before;
      now_shared = before_shared;
      before = nullptr;
    }
    report.step = now->step;
  }

  // The state that the next step is written to.
  State next_state() {
    State next = before != nullptr && !before_shared ? before : std::make_shared<TrainingState>();
    return next;
  }

  void become(TrainingState state) {
    now = std::make_shared<TrainingState>(std::move(state));
    now_shared = false;
    before = nullptr;
    most_loss = 0;
  }

  // The numbers of `now`, to be changed.
  TrainingState copy() const { return *now; }
};

Trainer::Trainer(const TrainingOptions& options) {
  validate(options);
  shards_ = std::make_unique<Shards>(options);
  TrainingState start;
  start.learning_rate = options.learning_rate;
  start.parameters = first_parameters(shards_->layout, options.seed);
  start.first_moments = start.second_moments = RowVector::Zero(shards_->layout.count);
  shards_->become(std::move(start));
}

Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

const TrainingOptions& Trainer::options() const { return shards_->options; }
const Task& Trainer::task() const { return *shards_->task; }
const ParameterLayout& Trainer::layout() const { return shards_->layout; }
std::uint64_t Trainer::steps() const { return shards_->now->step; }

StepReport Trainer::step(ThreadPool& pool) {
  Shards& p = *shards_;
  p.draw(pool);
  const LossSums sums = p.run(pool);
  p.add_gradients(pool);
  StepReport report = p.report(sums);
  const bool finite = std::isfinite(report.loss) && std::isfinite(report.gradient_norm);
  if (!finite || p.is_too_large(report.loss)) {
    p.go_back(report);
    return report;
  }
  State next = p.next_state();
  if (!adam_step(*p.now, p.gradient, pool, *next)) {
    report.diverged = true;
    report.step = p.now->step;
    p.before = nullptr;
    return report;
  }
  p.before = std::move(p.now);
  p.before_shared = p.now_shared;
  p.now = std::move(next);
  p.now_shared = false;
  return report;
}

SharedState Trainer::state() {
  shards_->now_shared = true;
  return shards_->now;
}

void Trainer::restore(const TrainingState& state) {
  const Index count = shards_->layout.count;
  for (const auto* numbers : {&state.parameters, &state.first_moments, &state.second_moments}) {
    if (numbers->size() != count)
      throw std::invalid_argument("the state has " + std::to_string(numbers->size()) +
                                  " numbers, should have " + std::to_string(count));
    if (!numbers->allFinite())
      throw std::invalid_argument("the state has numbers that are not finite");
  }
  if (!(state.learning_rate > 0) || !std::isfinite(state.learning_rate))
    throw std::invalid_argument("the learning rate must be a positive number");
  shards_->become(state);
}

network::Network Trainer::network() { return network_of(shards_->layout, state()); }

void Trainer::set_learning_rate(float rate) {
  if (!(rate > 0) || !std::isfinite(rate))
    throw std::invalid_argument("the learning rate must be a positive number");
  TrainingState state = *shards_->now;
  state.learning_rate = rate;
  shards_->become(std::move(state));
}

void Trainer::set_network(const network::Network& network) {
  TrainingState state = *shards_->now;
  state.parameters = parameters_of(shards_->layout, network);
  if (!state.parameters.allFinite())
    throw std::invalid_argument("the network has numbers that are not finite");
  shards_->become(std::move(state));
}

std::vector<Example> Trainer::held_out(Index count) const {
  std::vector<Example> examples;
  for (Index row = 0; row < count; ++row)
    examples.push_back(shards_->task->example(shards_->options.seed, kHeldOutStep, row));
  return examples;
}

std::vector<HeadMeasures> Trainer::measure_heads() {
  return training::measure_heads(network(), held_out(kMeasuredExamples));
}

}  // namespace attention::training
