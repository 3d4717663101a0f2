#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/error.h"
#include "app/files/io/mapped_file.h"
#include "app/files/tensors/elements.h"
#include "core/network/stored_matrix.h"

namespace lab::files {

/// What `read` returns, or the Error or BadInput that it throws.
template <typename Read>
auto checked(Read read) -> Expected<decltype(read())> {
  try {
    return guarded(read);
  } catch (const Error& error) {
    return tl::make_unexpected(error);
  }
}

/// One tensor of a checkpoint, in its mapped file.
struct CheckpointTensor {
  std::vector<std::int64_t> shape;
  std::optional<ElementType> type = {};  ///< of each number, where they stand alone
  /// How they can be used where they are; std::nullopt for numbers of other types.
  std::optional<attention::network::StoredFormat> format = {};
  /// Its numbers, where they are computed from those of other tensors, which has a shape; else
  /// empty. Then there are no data.
  attention::network::StoredMatrix computed = {};
  std::string type_name;  ///< as the file spells it: "F32"
  const std::byte* data = nullptr;
  std::size_t size = 0;  ///< in bytes
  std::endian order = std::endian::little;
  bool transposed = false;  ///< rows and columns are exchanged in the model
  std::shared_ptr<const MappedFile> file;
};

/// The weights of a model: those of its GGUF file, or in its folder model.safetensors, the shards
/// that model.safetensors.index.json names, or where these are missing pytorch_model.bin or its
/// shards. Files are mapped, nothing is read before it is
/// used. Names are without what wrappers put in front of them: module. (DataParallel), _orig_mod.
/// (torch.compile), language_model. (a part of a larger model), base_model.model. (PEFT).
class Checkpoint {
 public:
  /// Opens the weights in `folder`. Fails with kIo when they cannot be read or there are none, and
  /// says what is there instead, and with kBadInput, naming the file and what is wrong, when a file
  /// is damaged or is a pointer of Git LFS or a web page, a tensor is in two of them or not where
  /// the index says, or a shard is not in the folder itself.
  static Expected<Checkpoint> open(const std::string& folder);

  /// Opens one file of weights in `folder`: safetensors, or a pickle whose name ends in .bin. Fails
  /// as open() does.
  static Expected<Checkpoint> open_file(const std::string& folder, const std::string& name);

  /// Makes the files of `other` be among files().
  void add_files(const Checkpoint& other);
  /// Adds a tensor, whose file is mapped. Throws BadInput when there is one of that name.
  void add(const std::string& name, CheckpointTensor tensor);
  /// Takes out the tensor of that name; its file stays one of files(). std::nullopt when there is
  /// none.
  std::optional<CheckpointTensor> take(const std::string& name);

  /// True when there is a tensor of that name.
  bool contains(const std::string& name) const { return tensors_.contains(name); }
  /// The name under which the numbers of `name` are stored: its own, or the one that the file's
  /// metadata gives for it, as safetensors.torch.save_model writes it; empty when there is none.
  std::string stored_name(const std::string& name) const;
  /// The name that is most like `name`, by its beginning and its end; empty when none is.
  std::string nearest_name(const std::string& name) const;
  /// The tensor of that name as a matrix; one of one dimension is a row. F64 is rounded to float32
  /// in memory, as are numbers in another order of bytes than this machine's. Throws BadInput
  /// naming the tensor when it is missing, has more dimensions, or its numbers are whole ones or of
  /// a type that is not known. `flattened`: further dimensions are counted as columns.
  attention::network::StoredMatrix matrix(const std::string& name, bool flattened = false) const;

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
  void add_torch_file(const std::string& name, const std::shared_ptr<const MappedFile>& file);
  void unwrap_names();
  void add_shards(const std::string& folder, const std::string& index_path);

  std::map<std::string, CheckpointTensor> tensors_;
  std::map<std::string, std::string> aliases_;  // of names that are not stored to ones that are
  std::vector<std::shared_ptr<const MappedFile>> files_;
};

}  // namespace lab::files
