#include "app/files/model/weights/checkpoint.h"

#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/files/file_formats.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/weights/other_weights.h"
#include "app/files/model/weights/shard_index.h"
#include "app/files/tensors/safetensors_header.h"
#include "app/files/tensors/torch_file.h"

namespace lab::files {
namespace {

using attention::Shape;
using attention::network::StoredFormat;
using attention::network::StoredMatrix;

constexpr std::int64_t kMostNumbers = std::int64_t{1} << 40;
constexpr std::size_t kLargestShardIndex = std::size_t{1} << 26;
constexpr const char* kSingleFile = "/model.safetensors";
constexpr const char* kIndexFile = "/model.safetensors.index.json";
constexpr const char* kTorchFile = "/pytorch_model.bin";
constexpr const char* kTorchIndexFile = "/pytorch_model.bin.index.json";

// Turns the error of `result` into an exception.
template <typename T>
T value_or_throw(Expected<T> result) {
  if (!result) throw Error(result.error());
  return std::move(*result);
}

std::optional<StoredFormat> format_of(std::optional<ElementType> type) {
  if (type == ElementType::kF32) return StoredFormat::kFloat32;
  if (type == ElementType::kF16) return StoredFormat::kFloat16;
  if (type == ElementType::kBF16) return StoredFormat::kBFloat16;
  return std::nullopt;
}

// The numbers of `tensor` as float32 in memory.
StoredMatrix converted_matrix(const CheckpointTensor& tensor, Shape shape) {
  const std::vector<float> values = to_floats(
      *tensor.type, tensor.order, {reinterpret_cast<const char*>(tensor.data), tensor.size});
  return StoredMatrix(attention::SharedMatrix(attention::Matrix(
      Eigen::Map<const attention::Matrix>(values.data(), shape.rows, shape.cols))));
}

// The parts of a name between its dots without those that wrappers add.
std::string unwrapped(const std::string& name) {
  constexpr std::array kAnywhere = {"module.", "_orig_mod.", "_fsdp_wrapped_module.",
                                    "_checkpoint_wrapped_module."};
  constexpr std::size_t kFirst = 3;  // parts of a name that may be that of a language model
  constexpr std::string_view kPeft = "base_model.model.";
  std::string result = name.starts_with(kPeft) ? name.substr(kPeft.size()) : name;
  std::size_t at = 0;
  for (std::size_t segment = 0; at < result.size(); ++segment) {
    const std::size_t end = std::min(result.find('.', at), result.size() - 1) + 1;
    const std::string_view text = std::string_view(result).substr(at, end - at);
    const bool wrapper = std::ranges::find(kAnywhere, text) != kAnywhere.end() ||
                         (segment < kFirst && text == "language_model.");
    if (wrapper) {
      result.erase(at, end - at);
    } else {
      at = end;
    }
  }
  return result;
}

// How many characters two texts share at their beginnings and at their ends.
std::size_t shared_ends(std::string_view a, std::string_view b) {
  const auto front = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  a.remove_prefix(front), b.remove_prefix(front);
  std::size_t back = 0;
  while (back < std::min(a.size(), b.size()) && a[a.size() - 1 - back] == b[b.size() - 1 - back])
    ++back;
  return front + back;
}

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

void Checkpoint::add_file(const std::string& folder, const std::string& name) {
  auto file = value_or_throw(MappedFile::open(folder + "/" + name));
  if (const std::string mistake = download_mistake(text_of(*file)); !mistake.empty())
    throw BadInput(name + " is " + mistake);
  if (name.ends_with(".bin")) return add_torch_file(name, file);
  SafetensorsHeader header;
  try {
    header = read_safetensors_header(text_of(*file), kMostNumbers);
  } catch (const BadInput& error) {
    throw BadInput(name + ": " + error.what());
  }
  for (const SafetensorsEntry& entry : header.entries) {
    if (contains(entry.name))
      throw BadInput(name + ": tensor " + in_quotes(entry.name) + " is in another file too");
    add(entry.name, {.shape = entry.shape,
                     .type = entry.type,
                     .format = format_of(entry.type),
                     .type_name = entry.type_name,
                     .data = file->bytes().data() + header.data_begin + entry.begin,
                     .size = static_cast<std::size_t>(entry.end - entry.begin),
                     .file = file});
  }
  aliases_.insert(header.metadata.begin(), header.metadata.end());
  if (header.entries.empty()) files_.push_back(std::move(file));
}

void Checkpoint::add_torch_file(const std::string& name,
                                const std::shared_ptr<const MappedFile>& file) {
  std::vector<TorchEntry> entries;
  try {
    entries = read_torch_file(text_of(*file), kMostNumbers);
  } catch (const BadInput& error) {
    throw BadInput(name + ": " + error.what());
  }
  for (const TorchEntry& entry : entries) {
    if (contains(entry.name))
      throw BadInput(name + ": tensor " + in_quotes(entry.name) + " is there twice");
    add(entry.name, {.shape = entry.shape,
                     .type = entry.type,
                     .format = format_of(entry.type),
                     .type_name = entry.type_name,
                     .data = file->bytes().data() + entry.begin,
                     .size = static_cast<std::size_t>(entry.end - entry.begin),
                     .transposed = entry.transposed,
                     .file = file});
  }
}

void Checkpoint::add(const std::string& name, CheckpointTensor tensor) {
  if (std::ranges::find(files_, tensor.file) == files_.end()) files_.push_back(tensor.file);
  if (!tensors_.emplace(name, std::move(tensor)).second)
    throw BadInput("tensor " + in_quotes(name) + " is there twice");
}

std::optional<CheckpointTensor> Checkpoint::take(const std::string& name) {
  auto node = tensors_.extract(name);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

// Takes off what wrappers put in front of names, where no other tensor has that name.
void Checkpoint::unwrap_names() {
  std::map<std::string, CheckpointTensor> tensors;
  for (auto& [name, tensor] : tensors_) {
    const std::string plain = unwrapped(name);
    const bool taken = plain != name && (tensors_.contains(plain) || tensors.contains(plain));
    tensors.emplace(taken ? name : plain, tensor);
  }
  tensors_ = std::move(tensors);
  std::map<std::string, std::string> aliases;
  for (const auto& [name, stored] : aliases_)
    if (const std::string plain = unwrapped(stored); tensors_.contains(plain))
      aliases.emplace(unwrapped(name), plain);
  aliases_ = std::move(aliases);
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

Expected<Checkpoint> Checkpoint::open_file(const std::string& folder, const std::string& name) {
  return checked([&] {
    Checkpoint checkpoint;
    checkpoint.add_file(folder, name);
    checkpoint.unwrap_names();
    return checkpoint;
  });
}

void Checkpoint::add_files(const Checkpoint& other) {
  for (const auto& file : other.files_)
    if (std::ranges::find(files_, file) == files_.end()) files_.push_back(file);
}

Expected<Checkpoint> Checkpoint::open(const std::string& folder) {
  return checked([&] {
    Checkpoint checkpoint;
    if (!is_missing(folder + kSingleFile)) {
      checkpoint.add_file(folder, kSingleFile + 1);
    } else if (!is_missing(folder + kIndexFile)) {
      checkpoint.add_shards(folder, folder + kIndexFile);
    } else if (!is_missing(folder + kTorchFile)) {
      checkpoint.add_file(folder, kTorchFile + 1);
    } else if (!is_missing(folder + kTorchIndexFile)) {
      checkpoint.add_shards(folder, folder + kTorchIndexFile);
    } else {
      throw Error{ErrorType::kIo,
                  "there is neither model.safetensors nor "
                  "model.safetensors.index.json in " +
                      in_quotes(folder) + other_weights_in(folder)};
    }
    checkpoint.unwrap_names();
    return checkpoint;
  });
}

std::string Checkpoint::stored_name(const std::string& name) const {
  if (contains(name)) return name;
  const auto alias = aliases_.find(name);
  return alias == aliases_.end() ? "" : alias->second;
}

std::string Checkpoint::nearest_name(const std::string& name) const {
  std::size_t most = name.size() / 2;
  std::string nearest;
  for (const auto& [stored, tensor] : tensors_) {
    const std::size_t shared = shared_ends(stored, name);
    if (shared > most) most = shared, nearest = stored;
  }
  return nearest;
}

StoredMatrix Checkpoint::matrix(const std::string& name, bool flattened) const {
  const auto at = tensors_.find(name);
  if (at == tensors_.end()) throw BadInput("tensor " + in_quotes(name) + " is missing");
  const CheckpointTensor& tensor = at->second;
  if (!tensor.computed.empty()) return tensor.computed;
  // Of a convolution that takes each feature by itself, of which transformers stores [features × 1
  // × taps].
  const bool kernel =
      name.ends_with(".conv.weight") && tensor.shape.size() == 3 && tensor.shape[1] == 1;
  if (tensor.shape.empty() || (tensor.shape.size() > 2 && !kernel && !flattened))
    throw BadInput("tensor " + in_quotes(name) + " has the shape " + shape_text(tensor.shape) +
                   ", should be a matrix or a row");
  Shape shape{tensor.shape.size() == 1 ? 1 : tensor.shape.front(), 1};
  for (std::size_t i = tensor.shape.size() == 1 ? 0 : 1; i < tensor.shape.size(); ++i)
    shape.cols *= tensor.shape[i];
  const bool in_order = tensor.order == std::endian::native;
  const bool converted = tensor.type == ElementType::kF64 || (tensor.format && !in_order);
  if (!tensor.format && !converted)
    throw BadInput("tensor " + in_quotes(name) + " holds " + tensor.type_name +
                   "; supported are F64, F32, F16, BF16 and the quantised types of GGUF");
  if (converted && !tensor.type)
    throw BadInput("tensor " + in_quotes(name) + " holds " + tensor.type_name +
                   " in the other order of bytes, which is not supported");
  const StoredMatrix matrix = converted
                                  ? converted_matrix(tensor, shape)
                                  : StoredMatrix(tensor.file, tensor.data, *tensor.format, shape);
  return tensor.transposed ? matrix.transposed() : matrix;
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
