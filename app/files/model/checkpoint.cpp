#include "app/files/model/checkpoint.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/shard_index.h"
#include "app/files/tensors/safetensors_header.h"

namespace lab::files {
namespace {

using attention::Shape;
using attention::network::StoredFormat;
using attention::network::StoredMatrix;

constexpr std::int64_t kMostNumbers = std::int64_t{1} << 40;
constexpr std::size_t kLargestShardIndex = std::size_t{1} << 26;
constexpr const char* kSingleFile = "/model.safetensors";
constexpr const char* kIndexFile = "/model.safetensors.index.json";

// Turns the error of `result` into an exception.
template <typename T>
T value_or_throw(Expected<T> result) {
  if (!result) throw Error(result.error());
  return std::move(*result);
}

StoredFormat format_of(const std::string& name, ElementType type) {
  if (type == ElementType::kF32) return StoredFormat::kFloat32;
  if (type == ElementType::kF16) return StoredFormat::kFloat16;
  if (type == ElementType::kBF16) return StoredFormat::kBFloat16;
  throw BadInput("tensor " + in_quotes(name) + " holds " + std::string(safetensors_name(type)) +
                 "; supported are F32, F16 and BF16");
}

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

void Checkpoint::add_file(const std::string& folder, const std::string& name) {
  auto file = value_or_throw(MappedFile::open(folder + "/" + name));
  SafetensorsHeader header;
  try {
    header = read_safetensors_header(text_of(*file), kMostNumbers);
  } catch (const BadInput& error) {
    throw BadInput(name + ": " + error.what());
  }
  for (const SafetensorsEntry& entry : header.entries) {
    const CheckpointTensor tensor{entry.shape, entry.type,
                                  file->bytes().data() + header.data_begin + entry.begin, file};
    if (!tensors_.emplace(entry.name, tensor).second)
      throw BadInput(name + ": tensor " + in_quotes(entry.name) + " is in another file too");
  }
  files_.push_back(std::move(file));
}

void Checkpoint::add_shards(const std::string& folder, const std::string& index_path) {
  ShardIndex shards;
  try {
    shards = read_shard_index(value_or_throw(read_bytes(index_path, kLargestShardIndex)));
  } catch (const BadInput& error) {
    throw BadInput(file_name_of(index_path) + ": " + error.what());
  }
  for (const auto& [name, names] : shards) {
    add_file(folder, name);
    for (const std::string& tensor : names) {
      const auto at = tensors_.find(tensor);
      if (at == tensors_.end() || at->second.file != files_.back())
        throw BadInput(name + ": tensor " + in_quotes(tensor) +
                       " should be here, as the index says, and is not");
    }
  }
}

Expected<Checkpoint> Checkpoint::open(const std::string& folder) {
  try {
    return guarded([&] {
      Checkpoint checkpoint;
      if (!is_missing(folder + kSingleFile)) {
        checkpoint.add_file(folder, kSingleFile + 1);
      } else if (!is_missing(folder + kIndexFile)) {
        checkpoint.add_shards(folder, folder + kIndexFile);
      } else {
        throw Error{ErrorKind::kIo,
                    "there is neither model.safetensors nor "
                    "model.safetensors.index.json in " +
                        in_quotes(folder)};
      }
      return checkpoint;
    });
  } catch (const Error& error) {
    return tl::make_unexpected(error);
  }
}

StoredMatrix Checkpoint::matrix(const std::string& name) const {
  const auto at = tensors_.find(name);
  if (at == tensors_.end()) throw BadInput("tensor " + in_quotes(name) + " is missing");
  const CheckpointTensor& tensor = at->second;
  if (tensor.shape.empty() || tensor.shape.size() > 2)
    throw BadInput("tensor " + in_quotes(name) + " has the shape " + shape_text(tensor.shape) +
                   ", should be a matrix or a row");
  const Shape shape{tensor.shape.size() == 1 ? 1 : tensor.shape.front(), tensor.shape.back()};
  return {tensor.file, tensor.data, format_of(name, tensor.type), shape};
}

std::int64_t Checkpoint::parameters() const {
  std::int64_t count = 0;
  for (const auto& [name, tensor] : tensors_) count += element_count(tensor.shape, kMostNumbers);
  return count;
}

std::string Checkpoint::damaged_file() const {
  const auto at = std::ranges::find_if(files_, [](const auto& file) { return file->is_damaged(); });
  return at == files_.end() ? "" : (*at)->path();
}

}  // namespace lab::files
