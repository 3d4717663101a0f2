#include "core/training/training_state.h"

#include <cstring>

namespace attention::training {
namespace {

bool same_numbers(const RowVector& a, const RowVector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

}  // namespace

bool TrainingState::operator==(const TrainingState& other) const {
  return step == other.step && same_bits(learning_rate, other.learning_rate) &&
         same_numbers(parameters, other.parameters) &&
         same_numbers(first_moments, other.first_moments) &&
         same_numbers(second_moments, other.second_moments);
}

}  // namespace attention::training
