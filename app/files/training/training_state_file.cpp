#include "app/files/training/training_state_file.h"

#include <cmath>
#include <cstring>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/files/tensors/tensors.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::RowVector;
using attention::training::TrainingState;

Tensor tensor_of(const char* name, const RowVector& numbers) {
  return {name, {numbers.size()}, {numbers.data(), numbers.data() + numbers.size()}};
}

RowVector numbers_of(const TensorFile& file, const char* name, Index count) {
  const Tensor* const tensor = file.find(name);
  if (tensor == nullptr) throw BadInput("there is no tensor " + std::string(name));
  if (std::ssize(tensor->values) != count)
    throw BadInput(std::string(name) + " has " + std::to_string(tensor->values.size()) +
                   " numbers, should have " + std::to_string(count));
  RowVector numbers = RowVector::Map(tensor->values.data(), count);
  if (!numbers.allFinite()) throw BadInput(std::string(name) + " has numbers that are not finite");
  return numbers;
}

template <typename Number>
Number metadata_number(const TensorFile& file, const char* name) {
  const auto found = file.metadata.find(name);
  Number value{};
  if (found == file.metadata.end()) throw BadInput("its metadata has no " + std::string(name));
  const std::string& text = found->second;
  const auto [end, error] = from_characters(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw BadInput(std::string(name) + " in its metadata is no number");
  return value;
}

// FNV-1a over the bits of the numbers (Fowler, Noll, Vo).
std::uint64_t hash_of(const RowVector& numbers, std::uint64_t hash) {
  for (const float number : numbers) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

std::string write_training_state(const TrainingState& state) {
  TensorFile file;
  file.tensors = {tensor_of("parameters", state.parameters),
                  tensor_of("first_moments", state.first_moments),
                  tensor_of("second_moments", state.second_moments)};
  file.metadata = {{"step", std::to_string(state.step)},
                   {"learning_rate", shortest_digits(state.learning_rate)}};
  return write_safetensors(file);
}

TrainingState read_training_state(std::string_view bytes,
                                  const attention::training::ParameterLayout& layout) {
  const auto file = read_safetensors(bytes);
  if (!file) throw BadInput(file.error().message);
  TrainingState state;
  state.step = metadata_number<std::uint64_t>(*file, "step");
  state.learning_rate = metadata_number<float>(*file, "learning_rate");
  if (!(state.learning_rate > 0) || !std::isfinite(state.learning_rate))
    throw BadInput("its learning rate is no positive number");
  state.parameters = numbers_of(*file, "parameters", layout.count);
  state.first_moments = numbers_of(*file, "first_moments", layout.count);
  state.second_moments = numbers_of(*file, "second_moments", layout.count);
  return state;
}

std::string training_state_name(const TrainingState& state) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const RowVector* numbers : {&state.parameters, &state.first_moments, &state.second_moments})
    hash = hash_of(*numbers, hash);
  std::array<char, 16> digits{};
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
  return "state-" + std::to_string(state.step) + "-" +
         std::string(digits.data(), static_cast<std::size_t>(end - digits.data())) + ".safetensors";
}

}  // namespace lab::files
