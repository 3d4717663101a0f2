#include "app/files/model/weights/expert_stacks.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::ComputedRows;
using attention::network::StoredMatrix;

constexpr std::string_view kBiasEnding = "_bias";
constexpr std::size_t kMostMaps = std::size_t{1} << 18;

struct StackName {
  std::string stem;  // without what says that it is of biases
  bool bias = false;
  bool transposed = false;  // its maps are [in × out]
};

// The name of a stack; an empty stem for other tensors.
StackName stack_name(const std::string& name) {
  constexpr std::array<std::string_view, 2> kMaps = {".experts.gate_up_proj", ".experts.down_proj"};
  const bool bias = name.ends_with(kBiasEnding);
  const std::string stem = bias ? name.substr(0, name.size() - kBiasEnding.size()) : name;
  for (const std::string_view map : kMaps)
    if (stem.ends_with(map)) return {stem, bias, stem.ends_with(".mlp" + std::string(map))};
  return {};
}

// Puts what each expert has of the stack `full_name` into the checkpoint.
void split_stack(const std::string& full_name, const CheckpointTensor& whole,
                 Checkpoint& checkpoint) {
  const StackName name = stack_name(full_name);
  const std::size_t dimensions = name.bias ? 2 : 3;
  const std::string quoted = "tensor " + in_quotes(full_name);
  if (whole.shape.size() != dimensions || whole.shape.front() <= 0)
    throw BadInput(quoted + " is " + shape_text(whole.shape) + ", should be " +
                   (name.bias         ? "experts × out"
                    : name.transposed ? "experts × in × out"
                                      : "experts × out × in"));
  const auto experts = static_cast<std::size_t>(whole.shape.front());
  if (checkpoint.tensors().size() + experts > kMostMaps)
    throw BadInput(quoted + ": more than " + std::to_string(kMostMaps) + " maps of experts");
  CheckpointTensor one = whole;
  one.shape.erase(one.shape.begin());
  one.size = whole.size / experts;
  one.transposed = name.transposed && !name.bias;
  for (std::size_t expert = 0; expert < experts; ++expert) {
    one.data = whole.data + expert * one.size;
    checkpoint.add(name.stem + "." + std::to_string(expert) + (name.bias ? ".bias" : ".weight"),
                   one);
  }
}

// Every second number of each stored row, or every second stored row.
class EverySecond : public ComputedRows {
 public:
  EverySecond(StoredMatrix numbers, Index first, bool rows)
      : numbers_(std::move(numbers)), first_(first), rows_(rows) {}

  void read(Index row, Index first, Index count, float* to) const override {
    if (rows_) {
      const StoredMatrix part = numbers_.row_range(2 * row + first_, 1).columns(first, count);
      part.read(Eigen::Map<Matrix>(to, 1, count));
      return;
    }
    const Index from = 2 * first + first_;
    const Matrix all = numbers_.row_range(row, 1).columns(from, 2 * count - 1).values();
    for (Index i = 0; i < count; ++i) to[i] = all(0, 2 * i);
  }

 private:
  StoredMatrix numbers_;
  Index first_;
  bool rows_;
};

}  // namespace

void split_expert_stacks(Checkpoint& checkpoint) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : checkpoint.tensors())
    if (!stack_name(name).stem.empty()) names.push_back(name);
  for (const std::string& name : names) {
    const auto whole = checkpoint.take(name);
    split_stack(name, *whole, checkpoint);
  }
}

StoredMatrix every_second_column(const StoredMatrix& matrix, Index first) {
  const Index count = matrix.cols() / 2;
  if (!matrix.is_transposed())
    return {std::make_shared<EverySecond>(matrix, first, false), {matrix.rows(), count}};
  const StoredMatrix rows(std::make_shared<EverySecond>(matrix.transposed(), first, true),
                          {count, matrix.rows()});
  return rows.transposed();
}

}  // namespace lab::files
