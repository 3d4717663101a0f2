#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/files/model/weights/checkpoint.h"
#include "core/network/stored_matrix.h"

namespace lab::files {

/// Types of tensors, as safetensors spells them: "F16".
using TensorTypes = std::vector<std::string_view>;

/// One weight that is stored quantised: the tensors that its numbers are computed from, which have
/// the module's name and endings of their own, such as "model.layers.0.mlp.up_proj.scales". All
/// functions throw BadInput naming the tensor.
class QuantisedModule {
 public:
  /// The module `name` of `checkpoint`, which must outlive it.
  QuantisedModule(Checkpoint& checkpoint, std::string name)
      : checkpoint_(checkpoint), name_(std::move(name)) {}

  /// Its name in quotes, for messages.
  std::string quoted() const;
  /// Throws BadInput: the tensor of that ending and `problem`.
  [[noreturn]] void refuse(const char* ending, const std::string& problem) const;

  /// True when there is a tensor of that ending.
  bool has(const char* ending) const { return checkpoint_.contains(name_ + ending); }
  /// Takes the tensor of that ending out of the checkpoint; std::nullopt when there is none.
  std::optional<CheckpointTensor> find(const char* ending);
  /// The same for one that must be there and whose type is one of `types`.
  CheckpointTensor need(const char* ending, const TensorTypes& types);
  /// The same, with that shape.
  CheckpointTensor need(const char* ending, const TensorTypes& types,
                        const std::vector<std::int64_t>& shape);

  /// Puts the module's weight into the checkpoint, as "NAME.weight": numbers that `rows` computes,
  /// of that shape, or of its transpose when `by_inputs`. `file` is where they come from.
  void put(const std::shared_ptr<const attention::network::ComputedRows>& rows,
           attention::Shape shape, bool by_inputs, std::shared_ptr<const MappedFile> file);

 private:
  Checkpoint& checkpoint_;
  std::string name_;
};

/// The types of scales.
inline TensorTypes scale_types() { return {"F32", "F16", "BF16"}; }

/// The modules with a tensor of that ending, of those for which `accepts` is true.
std::vector<std::string> modules_with(
    const Checkpoint& checkpoint, std::string_view ending,
    const std::function<bool(const CheckpointTensor&)>& accepts = [](const auto&) { return true; });

/// The floating-point numbers of a tensor as a matrix of that shape, which has as many.
attention::network::StoredMatrix numbers_of(const CheckpointTensor& tensor, attention::Shape shape);

/// The whole numbers of a tensor of I32 or I64.
std::vector<std::int64_t> whole_numbers_of(const CheckpointTensor& tensor);

/// The byte at `at` of a tensor.
inline unsigned byte_of(const CheckpointTensor& tensor, attention::Index at) {
  return std::to_integer<unsigned>(tensor.data[at]);
}

/// Rounds `count` numbers to what a format for single numbers can hold, to nearest and even.
void round_to(attention::network::StoredFormat format, float* numbers, attention::Index count);

}  // namespace lab::files
