#include "app/files/tensors/safetensors_header.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/little_endian.h"
#include "app/files/tensors/metadata.h"

// The format: an 8-byte little-endian header length, a JSON header that gives every tensor's dtype,
// shape and [begin, end) within the rest of the file, and that rest, without gaps or overlaps.

namespace lab::files {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr std::size_t kMostTensors = 100'000;
constexpr std::size_t kMostHeaderValues = std::size_t{1} << 23;
constexpr const char* kMetadataMember = "__metadata__";

constexpr std::array kTypes = std::to_array<std::pair<std::string_view, ElementType>>({
    {"BOOL", ElementType::kBool},
    {"U8", ElementType::kU8},
    {"I8", ElementType::kI8},
    {"I16", ElementType::kI16},
    {"U16", ElementType::kU16},
    {"I32", ElementType::kI32},
    {"U32", ElementType::kU32},
    {"I64", ElementType::kI64},
    {"U64", ElementType::kU64},
    {"F16", ElementType::kF16},
    {"BF16", ElementType::kBF16},
    {"F32", ElementType::kF32},
    {"F64", ElementType::kF64},
});

// The JSON text of the header.
std::string_view header_of(std::string_view bytes) {
  if (bytes.size() < 8)
    throw BadInput("only " + std::to_string(bytes.size()) + " bytes; the header length takes 8");
  const std::uint64_t length = load_little_endian(bytes.substr(0, 8));
  if (length > kLongestHeader)
    throw BadInput("header length " + std::to_string(length) + "; at most " +
                   std::to_string(kLongestHeader) + " bytes are allowed");
  if (length > bytes.size() - 8)
    throw BadInput("header length " + std::to_string(length) + ", but only " +
                   std::to_string(bytes.size() - 8) + " bytes follow; the file is cut off");
  return bytes.substr(8, length);
}

const json& member(const json& object, const char* name, json::value_t type,
                   const char* type_name) {
  const auto at = object.find(name);
  if (at == object.end()) throw BadInput(std::string(name) + " is missing");
  if (at->type() != type)
    throw BadInput(std::string(name) + ": " + json_text(*at) + ", should be " + type_name);
  return *at;
}

std::optional<ElementType> type_of(const std::string& name) {
  const auto at = std::ranges::find(kTypes, name, &decltype(kTypes)::value_type::first);
  if (at == kTypes.end()) return std::nullopt;
  return at->second;
}

std::uint64_t whole(const json& value, const char* what) {
  if (!value.is_number_unsigned())
    throw BadInput(std::string(what) + ": " + json_text(value) + ", should be a whole number");
  return value.get<std::uint64_t>();
}

std::vector<std::int64_t> shape_of(const json& object) {
  std::vector<std::int64_t> shape;
  for (const json& size : member(object, "shape", json::value_t::array, "a list")) {
    const std::uint64_t value = whole(size, "shape");
    if (value > static_cast<std::uint64_t>(INT64_MAX))
      throw BadInput("shape: " + std::to_string(value) + " is too large");
    shape.push_back(static_cast<std::int64_t>(value));
  }
  return shape;
}

SafetensorsEntry read_entry(const std::string& name, const json& object, std::uint64_t data_size,
                            std::int64_t most_numbers) {
  if (!object.is_object()) throw BadInput(json_text(object) + ", should be an object");
  SafetensorsEntry entry;
  entry.name = name;
  entry.type_name = member(object, "dtype", json::value_t::string, "a string");
  entry.type = type_of(entry.type_name);
  entry.shape = shape_of(object);
  entry.count = element_count(entry.shape, most_numbers);
  const json& offsets = member(object, "data_offsets", json::value_t::array, "a list");
  if (offsets.size() != 2) throw BadInput("data_offsets: should be two numbers, begin and end");
  entry.begin = whole(offsets[0], "data_offsets");
  entry.end = whole(offsets[1], "data_offsets");
  if (entry.begin > entry.end || entry.end > data_size)
    throw BadInput("data_offsets: " + std::to_string(entry.begin) + " to " +
                   std::to_string(entry.end) + " is not within the " + std::to_string(data_size) +
                   " bytes of data");
  if (!entry.type) return entry;
  const auto size = static_cast<std::uint64_t>(entry.count * element_size(*entry.type));
  if (entry.end - entry.begin != size)
    throw BadInput("data_offsets: " + std::to_string(entry.end - entry.begin) +
                   " bytes, but its shape (" + shape_text(entry.shape) + ") takes " +
                   std::to_string(size));
  return entry;
}

std::vector<SafetensorsEntry> read_entries(const json& header, std::uint64_t data_size,
                                           std::int64_t most_numbers) {
  const std::size_t count = header.size() - (header.contains(kMetadataMember) ? 1 : 0);
  if (count > kMostTensors)
    throw BadInput(std::to_string(count) + " tensors; at most " + std::to_string(kMostTensors) +
                   " are allowed");
  std::vector<SafetensorsEntry> entries;
  for (const auto& [name, object] : header.items()) {
    if (name == kMetadataMember) continue;
    try {
      if (name.find('\0') != name.npos) throw BadInput("a NUL byte in the name");
      entries.push_back(read_entry(name, object, data_size, most_numbers));
    } catch (const BadInput& error) {
      throw BadInput("tensor " + in_quotes(name) + ": " + error.what());
    }
  }
  std::ranges::stable_sort(entries, {},
                           [](const SafetensorsEntry& e) { return std::pair(e.begin, e.end); });
  return entries;
}

void check_layout(const std::vector<SafetensorsEntry>& entries, std::uint64_t data_size,
                  std::int64_t most_numbers) {
  std::uint64_t end = 0;
  std::int64_t count = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin != end)
      throw BadInput("tensor " + in_quotes(entry.name) + " begins at byte " +
                     std::to_string(entry.begin) +
                     (entry.begin < end ? ", inside" : ", after a gap behind") +
                     " the one before it, which ends at " + std::to_string(end));
    end = entry.end;
    count += entry.count;
  }
  if (count > most_numbers)
    throw BadInput("more than " + std::to_string(most_numbers) + " numbers in all");
  if (end != data_size)
    throw BadInput(std::to_string(data_size - end) + " bytes of data belong to no tensor");
}

}  // namespace

SafetensorsHeader read_safetensors_header(std::string_view bytes, std::int64_t most_numbers) {
  const std::string_view text = header_of(bytes);
  if (!text.starts_with('{')) throw BadInput("the header does not begin with {");
  const json header = parse_json(text, kMostHeaderValues);
  SafetensorsHeader result;
  result.data_begin = 8 + text.size();
  if (header.contains(kMetadataMember))
    result.metadata = metadata_from_json(header[kMetadataMember]);
  const std::uint64_t data_size = bytes.size() - result.data_begin;
  result.entries = read_entries(header, data_size, most_numbers);
  check_layout(result.entries, data_size, most_numbers);
  return result;
}

}  // namespace lab::files
