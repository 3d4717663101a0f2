#include "app/files/tensors/gguf_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"

namespace lab::files {
namespace {

using attention::network::StoredFormat;

constexpr std::string_view kMagic = "GGUF";
constexpr std::uint64_t kMostDimensions = 4, kMostGgufTensors = 100'000, kMostKeys = 100'000;
constexpr std::uint64_t kMostInList = std::uint64_t{1} << 22;
constexpr std::uint64_t kLongestName = 65'535;
constexpr std::int64_t kMostNumbersInFile = std::int64_t{1} << 40;
constexpr int kDeepest = 8;  // lists within lists
constexpr std::uint64_t kDefaultAlignment = 32;

// The types of values, by their numbers in the file.
enum class ValueType : std::uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kList,
  kU64,
  kI64,
  kF64
};

// The types of tensors, by their numbers in the file. Numbers that are missing are those of formats
// that were given up.
struct TensorType {
  std::uint32_t number;
  std::string_view name;
  std::optional<ElementType> element = std::nullopt;
};
constexpr std::array kTensorTypes = std::to_array<TensorType>({
    {0, "F32", ElementType::kF32},
    {1, "F16", ElementType::kF16},
    {2, "Q4_0"},
    {3, "Q4_1"},
    {6, "Q5_0"},
    {7, "Q5_1"},
    {8, "Q8_0"},
    {10, "Q2_K"},
    {11, "Q3_K"},
    {12, "Q4_K"},
    {13, "Q5_K"},
    {14, "Q6_K"},
    {16, "IQ2_XXS"},
    {17, "IQ2_XS"},
    {18, "IQ3_XXS"},
    {19, "IQ1_S"},
    {20, "IQ4_NL"},
    {21, "IQ3_S"},
    {22, "IQ2_S"},
    {23, "IQ4_XS"},
    {24, "I8", ElementType::kI8},
    {25, "I16", ElementType::kI16},
    {26, "I32", ElementType::kI32},
    {27, "I64", ElementType::kI64},
    {28, "F64", ElementType::kF64},
    {29, "IQ1_M"},
    {30, "BF16", ElementType::kBF16},
    {34, "TQ1_0"},
    {35, "TQ2_0"},
    {39, "MXFP4"},
    {40, "NVFP4"},
});

// Reads the file from its beginning.
class GgufReader {
 public:
  GgufReader(std::string_view bytes, std::endian order) : bytes_(bytes), order_(order) {}

  std::size_t position() const { return at_; }

  template <typename Number>
  Number number(const char* what) {
    need(sizeof(Number), what);
    std::array<char, sizeof(Number)> raw;
    std::memcpy(raw.data(), bytes_.data() + at_, raw.size());
    if (order_ != std::endian::native) std::ranges::reverse(raw);
    at_ += raw.size();
    return std::bit_cast<Number>(raw);
  }

  // A number of things, each of which takes at least `least` bytes.
  std::uint64_t count(const char* what, std::uint64_t least, std::uint64_t most) {
    const auto count = number<std::uint64_t>(what);
    if (count > most)
      refuse(std::string(what) + ": " + std::to_string(count) + ", at most " +
             std::to_string(most) + " are read");
    if (count > (bytes_.size() - at_) / least)
      refuse(std::string(what) + ": " + std::to_string(count) + ", more than the " +
             std::to_string(bytes_.size() - at_) + " bytes that follow can hold");
    return count;
  }

  std::string text(const char* what, std::uint64_t most = UINT64_MAX) {
    const std::uint64_t length = count(what, 1, most);
    at_ += length;
    return std::string(bytes_.substr(at_ - length, length));
  }

  // A text that names something.
  std::string name(const char* what) {
    std::string name = text(what, kLongestName);
    if (name.empty() || !is_utf8(name) || name.find('\0') != name.npos)
      refuse(std::string(what) + ": " + (name.empty() ? "empty" : "not a text in UTF-8"));
    return name;
  }

  nlohmann::json value() { return value(number<std::uint32_t>("type of a value"), 0); }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw BadInput("byte " + std::to_string(at_) + ": " + problem);
  }

 private:
  void need(std::size_t size, const char* what) const {
    if (size > bytes_.size() - at_)
      refuse(std::string("the file ends within the header, at ") + what);
  }

  nlohmann::json value(std::uint32_t type, int depth) {
    switch (static_cast<ValueType>(type)) {
      case ValueType::kU8:
        return number<std::uint8_t>("a value");
      case ValueType::kI8:
        return number<std::int8_t>("a value");
      case ValueType::kU16:
        return number<std::uint16_t>("a value");
      case ValueType::kI16:
        return number<std::int16_t>("a value");
      case ValueType::kU32:
        return number<std::uint32_t>("a value");
      case ValueType::kI32:
        return number<std::int32_t>("a value");
      case ValueType::kF32:
        return number<float>("a value");
      case ValueType::kBool:
        return number<std::uint8_t>("a value") != 0;
      case ValueType::kString:
        return text("length of a text");
      case ValueType::kList:
        return list(depth);
      case ValueType::kU64:
        return number<std::uint64_t>("a value");
      case ValueType::kI64:
        return number<std::int64_t>("a value");
      case ValueType::kF64:
        return number<double>("a value");
    }
    refuse("a value of type " + std::to_string(type) + ", which does not exist");
  }

  nlohmann::json list(int depth) {
    if (depth >= kDeepest) refuse("lists within lists, deeper than " + std::to_string(kDeepest));
    const auto type = number<std::uint32_t>("type of the values of a list");
    const std::uint64_t length = count("length of a list", 1, kMostInList);
    nlohmann::json::array_t values;
    for (std::uint64_t i = 0; i < length; ++i) values.push_back(value(type, depth + 1));
    return values;
  }

  std::string_view bytes_;
  std::endian order_;
  std::size_t at_ = 0;
};

// The version, and by it the order of bytes: a version that fits into its low bytes is in order.
std::endian order_of(std::string_view bytes) {
  if (bytes.size() < 8) throw BadInput("only " + std::to_string(bytes.size()) + " bytes");
  const auto version =
      GgufReader(bytes.substr(kMagic.size()), std::endian::little).number<std::uint32_t>("version");
  return (version & 0xFFFFU) == 0 && version != 0 ? std::endian::big : std::endian::little;
}

nlohmann::json read_metadata(GgufReader& reader, std::uint64_t count) {
  nlohmann::json metadata = nlohmann::json::object();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string key = reader.name("name of a key");
    try {
      if (metadata.contains(key)) reader.refuse("it is there twice");
      metadata[key] = reader.value();
    } catch (const BadInput& error) {
      throw BadInput("key " + in_quotes(key) + ": " + error.what());
    }
  }
  return metadata;
}

std::uint64_t alignment_in(const nlohmann::json& metadata) {
  const auto at = metadata.find("general.alignment");
  if (at == metadata.end()) return kDefaultAlignment;
  const std::uint64_t alignment = at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
  if (!std::has_single_bit(alignment) || alignment > (std::uint64_t{1} << 30))
    throw BadInput("key \"general.alignment\" should be a power of two");
  return alignment;
}

// The bytes that the numbers of `entry` take.
std::uint64_t size_of(const GgufEntry& entry) {
  const std::int64_t count = element_count(entry.shape, kMostNumbersInFile);
  if (count == 0) throw BadInput("its shape is " + shape_text(entry.shape) + ", without numbers");
  if (entry.type) return static_cast<std::uint64_t>(count * element_size(*entry.type));
  const attention::network::StoredFormatInfo& info = stored_format_info(*entry.format);
  if (entry.shape.back() % info.block != 0)
    throw BadInput("rows of " + std::to_string(entry.shape.back()) +
                   " numbers are no whole blocks of " + std::to_string(info.block) + ", as " +
                   entry.type_name + " has them");
  return static_cast<std::uint64_t>(count / info.block) * info.bytes;
}

void read_type(GgufReader& reader, GgufEntry& entry) {
  const auto number = reader.number<std::uint32_t>("type of a tensor");
  const auto type = std::ranges::find(kTensorTypes, number, &TensorType::number);
  if (type == kTensorTypes.end())
    throw BadInput("type " + std::to_string(number) + " is not known");
  entry.type_name = type->name;
  entry.type = type->element;
  entry.format = attention::network::stored_format_from_name(type->name);
}

// `begin` is counted from the beginning of the data until that is known.
GgufEntry read_entry(GgufReader& reader) {
  GgufEntry entry;
  entry.name = reader.name("name of a tensor");
  try {
    const auto dimensions = reader.number<std::uint32_t>("number of dimensions");
    if (dimensions == 0 || dimensions > kMostDimensions)
      throw BadInput(std::to_string(dimensions) + " dimensions, should be 1 to " +
                     std::to_string(kMostDimensions));
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      const auto size = reader.number<std::uint64_t>("a dimension");
      if (size > static_cast<std::uint64_t>(kMostNumbersInFile))
        throw BadInput("a dimension of " + std::to_string(size) + " is too large");
      entry.shape.insert(entry.shape.begin(), static_cast<std::int64_t>(size));
    }
    read_type(reader, entry);
    entry.begin = reader.number<std::uint64_t>("offset of a tensor");
    entry.end = size_of(entry);
  } catch (const BadInput& error) {
    throw BadInput("tensor " + in_quotes(entry.name) + ": " + error.what());
  }
  return entry;
}

void check_place(const GgufEntry& entry, std::uint64_t size, std::uint64_t alignment) {
  if (entry.begin % alignment != 0)
    throw BadInput("tensor " + in_quotes(entry.name) + " begins at byte " +
                   std::to_string(entry.begin) + " of the data, no multiple of " +
                   std::to_string(alignment));
  if (entry.begin > size || entry.end > size - entry.begin)
    throw BadInput("tensor " + in_quotes(entry.name) + ": its " + std::to_string(entry.end) +
                   " bytes from byte " + std::to_string(entry.begin) + " on are not within the " +
                   std::to_string(size) + " bytes of data; the file is cut off");
}

std::vector<GgufEntry> read_entries(GgufReader& reader, std::uint64_t count) {
  std::vector<GgufEntry> entries;
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) {
    entries.push_back(read_entry(reader));
    if (!names.insert(entries.back().name).second)
      throw BadInput("tensor " + in_quotes(entries.back().name) + " is there twice");
  }
  return entries;
}

// Turns offsets into bytes of the file.
void set_places(std::vector<GgufEntry>& entries, std::uint64_t data_begin, std::uint64_t size,
                std::uint64_t alignment) {
  const std::uint64_t data_size = size - std::min(size, data_begin);
  for (GgufEntry& entry : entries) {
    check_place(entry, data_size, alignment);
    entry.begin += data_begin;
    entry.end += entry.begin;
  }
  std::ranges::stable_sort(entries, {}, &GgufEntry::begin);
  const auto overlap = std::ranges::adjacent_find(
      entries, [](const GgufEntry& a, const GgufEntry& b) { return a.end > b.begin; });
  if (overlap != entries.end())
    throw BadInput("tensors " + in_quotes(overlap->name) + " and " +
                   in_quotes(std::next(overlap)->name) + " overlap");
}

}  // namespace

bool is_gguf(std::string_view bytes) { return bytes.starts_with(kMagic); }

GgufHeader read_gguf_header(std::string_view bytes) {
  if (!is_gguf(bytes)) throw BadInput("no GGUF file: it does not begin with \"GGUF\"");
  GgufHeader header;
  header.order = order_of(bytes);
  GgufReader reader(bytes, header.order);
  reader.number<std::uint32_t>("magic");
  header.version = reader.number<std::uint32_t>("version");
  if (header.version != 2 && header.version != 3)
    throw BadInput("version " + std::to_string(header.version) + " of GGUF; 2 and 3 are read");
  constexpr std::uint64_t kLeastTensor = 32, kLeastKey = 13;  // bytes that one takes
  const std::uint64_t tensors = reader.count("number of tensors", kLeastTensor, kMostGgufTensors);
  const std::uint64_t keys = reader.count("number of keys", kLeastKey, kMostKeys);
  header.metadata = read_metadata(reader, keys);
  const std::uint64_t alignment = alignment_in(header.metadata);
  header.entries = read_entries(reader, tensors);
  const std::uint64_t data_begin = (reader.position() + alignment - 1) / alignment * alignment;
  set_places(header.entries, data_begin, bytes.size(), alignment);
  return header;
}

}  // namespace lab::files
