#include "app/files/model/quantised/quantised_module.h"

#include <algorithm>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/io/little_endian.h"
#include "app/files/tensors/elements.h"

namespace lab::files {

using attention::Index;
using attention::Shape;
using attention::network::ComputedRows;
using attention::network::StoredFormat;
using attention::network::StoredMatrix;

std::string QuantisedModule::quoted() const { return in_quotes(name_); }

void QuantisedModule::refuse(const char* ending, const std::string& problem) const {
  throw BadInput("tensor " + in_quotes(name_ + ending) + " " + problem);
}

std::optional<CheckpointTensor> QuantisedModule::find(const char* ending) {
  return checkpoint_.take(name_ + ending);
}

CheckpointTensor QuantisedModule::need(const char* ending, const TensorTypes& types) {
  auto tensor = find(ending);
  if (!tensor)
    refuse(ending,
           "is missing, without which the quantised weight of " + quoted() + " means nothing");
  if (std::ranges::find(types, tensor->type_name) == types.end()) {
    std::string names;
    for (const std::string_view type : types)
      names += (names.empty() ? "" : " or ") + std::string(type);
    refuse(ending, "holds " + tensor->type_name + ", should be " + names);
  }
  return std::move(*tensor);
}

CheckpointTensor QuantisedModule::need(const char* ending, const TensorTypes& types,
                                       const std::vector<std::int64_t>& shape) {
  CheckpointTensor tensor = need(ending, types);
  if (tensor.shape != shape)
    refuse(ending, "is " + shape_text(tensor.shape) + ", should be " + shape_text(shape));
  return tensor;
}

void QuantisedModule::put(const std::shared_ptr<const ComputedRows>& rows, Shape shape,
                          bool by_inputs, std::shared_ptr<const MappedFile> file) {
  StoredMatrix numbers(rows, shape);
  if (by_inputs) numbers = numbers.transposed();
  checkpoint_.add(name_ + ".weight", {.shape = {numbers.rows(), numbers.cols()},
                                      .computed = numbers,
                                      .type_name = "quantised",
                                      .file = std::move(file)});
}

std::vector<std::string> modules_with(const Checkpoint& checkpoint, std::string_view ending,
                                      const std::function<bool(const CheckpointTensor&)>& accepts) {
  std::vector<std::string> modules;
  for (const auto& [name, tensor] : checkpoint.tensors())
    if (name.ends_with(ending) && accepts(tensor))
      modules.push_back(name.substr(0, name.size() - ending.size()));
  return modules;
}

StoredMatrix numbers_of(const CheckpointTensor& tensor, Shape shape) {
  return {tensor.file, tensor.data, *tensor.format, shape};
}

std::vector<std::int64_t> whole_numbers_of(const CheckpointTensor& tensor) {
  const auto size = static_cast<std::size_t>(element_size(*tensor.type));
  const std::string_view bytes(reinterpret_cast<const char*>(tensor.data), tensor.size);
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    const std::uint64_t bits = load_little_endian(bytes.substr(at, size));
    numbers.push_back(size == sizeof(std::int32_t) ? static_cast<std::int32_t>(bits)
                                                   : static_cast<std::int64_t>(bits));
  }
  return numbers;
}

void round_to(StoredFormat format, float* numbers, Index count) {
  if (format == StoredFormat::kFloat16) {
    for (Index i = 0; i < count; ++i) numbers[i] = static_cast<float>(Eigen::half(numbers[i]));
  } else if (format == StoredFormat::kBFloat16) {
    for (Index i = 0; i < count; ++i) numbers[i] = static_cast<float>(Eigen::bfloat16(numbers[i]));
  }
}

}  // namespace lab::files
