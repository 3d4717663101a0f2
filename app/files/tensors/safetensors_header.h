#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/tensors/elements.h"

namespace lab::files {

/// One tensor as the header of a safetensors file describes it.
struct SafetensorsEntry {
  std::string name;
  std::optional<ElementType> type;  ///< std::nullopt for one that is not known here
  std::string type_name;            ///< as the file spells it: "F32", "F8_E4M3"
  std::vector<std::int64_t> shape;
  std::int64_t count = 0;            ///< of numbers
  std::uint64_t begin = 0, end = 0;  ///< its bytes within the data
};

/// The header of a safetensors file.
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  ///< in the order of their bytes, without gaps
  std::map<std::string, std::string> metadata;
  std::size_t data_begin = 0;  ///< the first byte of the data in the file
};

/// Reads the header of the safetensors file `bytes`, which may have `most_numbers` numbers in all.
/// Throws BadInput with what is wrong, also when the header does not fit the size of the file. A
/// tensor may have a number type that is not known; its bytes are then only known to be in the
/// file.
SafetensorsHeader read_safetensors_header(std::string_view bytes, std::int64_t most_numbers);

}  // namespace lab::files
