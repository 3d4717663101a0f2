#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/files/io/little_endian.h"
#include "app/files/tensors/metadata.h"
#include "app/files/tensors/safetensors_header.h"
#include "app/files/tensors/tensors.h"

namespace lab::files {
namespace {

using nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

TensorFile read_file(std::string_view bytes, attention::WorkWatch* watch) {
  SafetensorsHeader header = read_safetensors_header(bytes, kMostElements);
  const std::string_view data = bytes.substr(header.data_begin);
  TensorFile file{.tensors = {}, .metadata = std::move(header.metadata)};
  for (const SafetensorsEntry& entry : header.entries) {
    const std::uint64_t size = entry.end - entry.begin;
    try {
      if (!entry.type)
        throw BadInput("dtype " + in_quotes(entry.type_name) +
                       " is not supported (F32, F64, F16, " +
                       "BF16, BOOL, U8 … U64, I8 … I64 are)");
      file.tensors.push_back(
          {entry.name, entry.shape,
           to_floats(*entry.type, std::endian::little, data.substr(entry.begin, size))});
    } catch (const BadInput& error) {
      throw BadInput("tensor " + in_quotes(entry.name) + ": " + error.what());
    }
    attention::report_work(watch, static_cast<attention::Index>(size));
  }
  return file;
}

std::string header_json(const TensorFile& file) {
  std::string text = "{";
  if (!file.metadata.empty())
    text += json_string(kMetadata) + ':' + metadata_to_json(file.metadata);
  std::uint64_t begin = 0;
  for (const Tensor& tensor : file.tensors) {
    if (text.size() > 1) text += ',';
    const std::uint64_t end = begin + tensor.values.size() * sizeof(float);
    text += json_string(tensor.name) + R"(:{"dtype":"F32","shape":)" + json(tensor.shape).dump() +
            R"(,"data_offsets":[)" + std::to_string(begin) + ',' + std::to_string(end) + "]}";
    begin = end;
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace

Expected<TensorFile> read_safetensors(std::string_view bytes, attention::WorkWatch* watch) {
  return guarded([&] { return read_file(bytes, watch); });
}

std::string write_safetensors(const TensorFile& file) {
  const std::string header = header_json(file);
  std::string bytes;
  append_little_endian(bytes, header.size(), 8);
  bytes += header;
  for (const Tensor& tensor : file.tensors) append_floats(bytes, tensor.values);
  return bytes;
}

}  // namespace lab::files
