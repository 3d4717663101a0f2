#pragma once

#include <string>
#include <string_view>

#include "core/training/parameters.h"

namespace lab::files {

/// A state as safetensors: parameters, first_moments and second_moments, [count] each, with step
/// and learning rate as metadata.
std::string write_training_state(const attention::training::TrainingState& state);

/// Reads one of a network with that layout. Throws BadInput saying what is wrong.
attention::training::TrainingState read_training_state(
    std::string_view bytes, const attention::training::ParameterLayout& layout);

/// The name of the file of a state: its step, and a hash of its numbers, because a branch comes to
/// the same step with other numbers.
std::string training_state_name(const attention::training::TrainingState& state);

}  // namespace lab::files
