#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/files/io/mapped_file.h"
#include "app/files/tensors/elements.h"
#include "core/network/stored_matrix.h"

namespace lab::files {

/// One tensor of a checkpoint, in its mapped file.
struct CheckpointTensor {
  std::vector<std::int64_t> shape;
  ElementType type{};
  const std::byte* data = nullptr;
  std::shared_ptr<const MappedFile> file;
};

/// The weights in a model's folder: model.safetensors, or the shards that
/// model.safetensors.index.json names. Files are mapped, nothing is read before it is used.
class Checkpoint {
 public:
  /// Opens the weights in `folder`. Fails with kIo when there are none or they cannot be read, and
  /// with kBadInput, naming the file and what is wrong, when a file is damaged, a tensor is in two
  /// of them or not where the index says, or a shard is not in the folder itself.
  static Expected<Checkpoint> open(const std::string& folder);

  /// True when there is a tensor of that name.
  bool contains(const std::string& name) const { return tensors_.contains(name); }
  /// The tensor of that name as a matrix; one of one dimension is a row. Throws BadInput naming the
  /// tensor when it is missing, has more dimensions, or its numbers are not F32, F16 or BF16.
  attention::network::StoredMatrix matrix(const std::string& name) const;

  /// All tensors by their names.
  const std::map<std::string, CheckpointTensor>& tensors() const { return tensors_; }
  /// The files that were mapped, in order.
  const std::vector<std::shared_ptr<const MappedFile>>& files() const { return files_; }
  /// The number of numbers in all tensors.
  std::int64_t parameters() const;
  /// The path of a file that could not be read since it was mapped; empty when there is none.
  std::string damaged_file() const;

 private:
  void add_file(const std::string& folder, const std::string& name);
  void add_shards(const std::string& folder, const std::string& index_path);

  std::map<std::string, CheckpointTensor> tensors_;
  std::vector<std::shared_ptr<const MappedFile>> files_;
};

}  // namespace lab::files
