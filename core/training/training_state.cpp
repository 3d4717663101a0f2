#include "core/training/training_state.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace attention::training {
namespace {

bool same_numbers(const RowVector& a, const RowVector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

constexpr double kBeta1 = 0.9, kBeta2 = 0.999;
constexpr float kEpsilon = 1e-8f;
constexpr Index kNumbersATask = 1 << 14;

// The factors of one step.
struct Factors {
  float step;       // learning rate ÷ (1 − β1^t)
  float root_bias;  // √(1 − β2^t)
};

Factors factors_of(std::uint64_t step, float learning_rate) {
  const auto t = static_cast<double>(step);
  return {static_cast<float>(static_cast<double>(learning_rate) / (1 - std::pow(kBeta1, t))),
          static_cast<float>(std::sqrt(1 - std::pow(kBeta2, t)))};
}

// Moves `count` numbers from `first` on; false when one of them is not finite then.
bool move_range(const TrainingState& before, const RowVector& gradient, const Factors& factors,
                Index first, Index count, TrainingState& after) {
  const auto range = [&](auto& numbers) { return numbers.segment(first, count).array(); };
  const auto g = range(gradient);
  auto m = range(after.first_moments), v = range(after.second_moments), p = range(after.parameters);
  constexpr auto kB1 = static_cast<float>(kBeta1), kB2 = static_cast<float>(kBeta2);
  constexpr auto kNew1 = static_cast<float>(1 - kBeta1), kNew2 = static_cast<float>(1 - kBeta2);
  m = kB1 * range(before.first_moments) + kNew1 * g;
  v = kB2 * range(before.second_moments) + kNew2 * g.square();
  p = range(before.parameters) - factors.step * m / (v.sqrt() / factors.root_bias + kEpsilon);
  return m.allFinite() && v.allFinite() && p.allFinite();
}

}  // namespace

bool TrainingState::operator==(const TrainingState& other) const {
  return step == other.step && same_bits(learning_rate, other.learning_rate) &&
         same_numbers(parameters, other.parameters) &&
         same_numbers(first_moments, other.first_moments) &&
         same_numbers(second_moments, other.second_moments);
}

bool adam_step(const TrainingState& before, const RowVector& gradient, ThreadPool& pool,
               TrainingState& after) {
  after.step = before.step + 1;
  after.learning_rate = before.learning_rate;
  for (auto* numbers : {&after.parameters, &after.first_moments, &after.second_moments})
    numbers->resize(before.parameters.size());
  const Index count = before.parameters.size();
  const Factors factors = factors_of(after.step, before.learning_rate);
  const Index tasks = (count + kNumbersATask - 1) / kNumbersATask;
  std::vector<std::uint8_t> finite(static_cast<std::size_t>(tasks));
  pool.run(tasks, [&](Index task) {
    const Index first = task * kNumbersATask;
    finite[static_cast<std::size_t>(task)] =
        move_range(before, gradient, factors, first, std::min(kNumbersATask, count - first), after);
  });
  return std::ranges::find(finite, 0) == finite.end();
}

}  // namespace attention::training
