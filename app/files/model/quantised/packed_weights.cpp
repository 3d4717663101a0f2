#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/model/quantised/methods.h"
#include "app/files/model/quantised/quantised_module.h"
#include "app/files/tensors/elements.h"

// Facts: AutoGPTQ and GPTQModel (TorchQuantLinear), AutoAWQ (packing_utils, dequantize_gemm).

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using attention::network::ComputedRows;
using attention::network::StoredFormat;
using attention::network::StoredMatrix;

constexpr Index kWordBits = 32;

// Whole numbers of `bits` bits in words that lie side by side in rows of `words`.
struct PackedColumns {
  CheckpointTensor tensor;
  Index words = 0, bits = 4;
  // Which place in its word the number of a column has.
  std::array<Index, 8> places = {0, 1, 2, 3, 4, 5, 6, 7};

  std::uint32_t added = 0;  // to each word

  int at(Index row, Index column) const {
    const Index in_word = kWordBits / bits, byte = (row * words + column / in_word) * 4;
    std::uint32_t word = added;
    for (Index i = 0; i < 4; ++i) word += std::uint32_t{byte_of(tensor, byte + i)} << (8 * i);
    const Index place = places[static_cast<std::size_t>(column % in_word)] * bits;
    return static_cast<int>(word >> place & ((1U << bits) - 1));
  }
};

// What rows of inputs are computed from.
struct InputParts {
  StoredMatrix scales;                      // [groups × out]
  PackedColumns zeros;                      // the same
  std::vector<Index> groups;                // of each input
  std::function<int(Index, Index)> number;  // of an input and an output
  StoredFormat result = StoredFormat::kFloat16;
};

class InputRows : public ComputedRows {
 public:
  explicit InputRows(InputParts parts) : parts_(std::move(parts)) {}

  void read(Index row, Index first, Index count, float* to) const override {
    const Index group = parts_.groups[static_cast<std::size_t>(row)];
    const Matrix scales = parts_.scales.row_range(group, 1).columns(first, count).values();
    for (Index i = 0; i < count; ++i) {
      const int difference = parts_.number(row, first + i) - parts_.zeros.at(group, first + i);
      to[i] = static_cast<float>(difference) * scales(0, i);
    }
    round_to(parts_.result, to, count);
  }

 private:
  InputParts parts_;
};

// How many inputs share a scale; 0 means all of them.
Index group_size(const ConfigReader& config) {
  const auto* const given = config.find("group_size");
  if (given != nullptr && given->is_number_integer() && *given == -1) return 0;
  return config.size_or("group_size", 128);
}

// The groups of `in` inputs, `size` to a group.
std::vector<Index> groups_in_order(Index in, Index size) {
  std::vector<Index> groups;
  for (Index i = 0; i < in; ++i) groups.push_back(size == 0 ? 0 : i / size);
  return groups;
}

// The matrix [rows × columns] of words, not empty.
CheckpointTensor words_of(QuantisedModule& module, const char* ending) {
  CheckpointTensor words = module.need(ending, {"I32"});
  if (words.shape.size() != 2 || words.shape[0] == 0 || words.shape[1] == 0)
    module.refuse(ending,
                  "has the shape " + shape_text(words.shape) + ", should be a matrix of words");
  return words;
}

// Takes scales and zeros of [groups × out].
InputParts scales_and_zeros(QuantisedModule& module, Index groups, Index out, Index bits) {
  if (out * bits % kWordBits != 0)
    throw BadInput("the quantised weight of " + module.quoted() + " has " + std::to_string(out) +
                   " outputs, which do not fill whole words");
  const Index words = out * bits / kWordBits;
  const CheckpointTensor scales = module.need(".scales", scale_types(), {groups, out});
  const CheckpointTensor zeros = module.need(".qzeros", {"I32"}, {groups, words});
  InputParts parts;
  parts.scales = numbers_of(scales, {groups, out});
  parts.result = *scales.format;
  parts.zeros = {.tensor = zeros, .words = words, .bits = bits};
  return parts;
}

// The group of each input, as the file says it or in their order.
std::vector<Index> groups_of(QuantisedModule& module, Index in, Index size) {
  constexpr const char* kGroups = ".g_idx";
  const auto stored = module.find(kGroups);
  if (!stored) return groups_in_order(in, size);
  if (stored->type_name != "I32" || stored->shape != std::vector<std::int64_t>{in})
    module.refuse(kGroups, "is " + shape_text(stored->shape) + " of " + stored->type_name +
                               ", should be " + std::to_string(in) + " of I32");
  const Index groups = size == 0 ? 1 : (in + size - 1) / size;
  std::vector<Index> result;
  for (const std::int64_t group : whole_numbers_of(*stored)) {
    if (group < 0 || group >= groups)
      module.refuse(kGroups, "names group " + std::to_string(group) + ", but there are " +
                                 std::to_string(groups));
    result.push_back(group);
  }
  return result;
}

Index bits_of(const ConfigReader& config, bool eight_too) {
  const Index bits = config.size_or("bits", 4);
  if (bits != 4 && !(bits == 8 && eight_too))
    config.refuse("bits",
                  std::to_string(bits) + "; supported are " + (eight_too ? "4 and 8" : "4"));
  return bits;
}

void check_text(const ConfigReader& config, const char* name, const std::string& value,
                std::initializer_list<std::string_view> supported) {
  if (std::ranges::find(supported, value) != supported.end()) return;
  std::string list;
  for (const std::string_view one : supported)
    list += (list.empty() ? "" : ", ") + std::string(one);
  config.refuse(name, in_quotes(value) + " is not supported; supported are " + list);
}

}  // namespace

void widen_gptq(const WeightsConfig& config, Checkpoint& checkpoint) {
  const ConfigReader& settings = config.quantisation;
  const Index bits = bits_of(settings, true), size = group_size(settings);
  const char* const name = settings.has("checkpoint_format") ? "checkpoint_format" : "format";
  const std::string format = settings.text_or(name, "gptq");
  check_text(settings, name, format, {"gptq", "gptq_v2"});
  check_text(settings, "pack_dtype", settings.text_or("pack_dtype", "int32"), {"int32"});
  if (const auto dynamic = settings.object("dynamic"); dynamic && !dynamic->value().empty())
    settings.refuse("dynamic", "settings of single modules are not supported");
  for (const std::string& module_name : modules_with(checkpoint, ".qweight")) {
    QuantisedModule module(checkpoint, module_name);
    const CheckpointTensor words = words_of(module, ".qweight");
    const Index out = words.shape[1], in = words.shape[0] * kWordBits / bits;
    InputParts parts = scales_and_zeros(module, size == 0 ? 1 : (in + size - 1) / size, out, bits);
    parts.groups = groups_of(module, in, size);
    // As GPTQModel turns version 1 into 2: 1 for each zero, added to whole words.
    if (format == "gptq") parts.zeros.added = bits == 4 ? 0x11111111 : 0x01010101;
    parts.number = [words, out, bits](Index input, Index output) {
      const Index place = input * bits % kWordBits;
      const Index word = input * bits / kWordBits * out + output;
      return static_cast<int>(byte_of(words, word * 4 + place / 8) >> (place % 8) &
                              ((1U << bits) - 1));
    };
    module.put(std::make_shared<InputRows>(std::move(parts)), {in, out}, true, words.file);
  }
}

void widen_awq(const WeightsConfig& config, Checkpoint& checkpoint) {
  constexpr std::array<Index, 8> kPlaces = {0, 4, 1, 5, 2, 6, 3, 7};
  const ConfigReader& settings = config.quantisation;
  const Index bits = bits_of(settings, false), size = group_size(settings);
  const char* const name = settings.has("version") ? "version" : "format";
  std::string version = settings.text_or(name, "gemm");
  for (char& letter : version)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  check_text(settings, name, version, {"gemm"});
  if (!settings.flag_or("zero_point", true))
    settings.refuse("zero_point", "false is not supported");
  for (const std::string& module_name : modules_with(checkpoint, ".qweight")) {
    QuantisedModule module(checkpoint, module_name);
    const CheckpointTensor words = words_of(module, ".qweight");
    const Index in = words.shape[0], out = words.shape[1] * kWordBits / bits;
    if (size != 0 && in % size != 0)
      module.refuse(".qweight", "has " + std::to_string(in) + " inputs, which are no whole groups" +
                                    " of " + std::to_string(size));
    InputParts parts = scales_and_zeros(module, size == 0 ? 1 : in / size, out, bits);
    parts.groups = groups_in_order(in, size);
    parts.zeros.places = kPlaces;
    const PackedColumns numbers{
        .tensor = words, .words = words.shape[1], .bits = bits, .places = kPlaces};
    parts.number = [numbers](Index input, Index output) { return numbers.at(input, output); };
    module.put(std::make_shared<InputRows>(std::move(parts)), {in, out}, true, words.file);
  }
}

}  // namespace lab::files
