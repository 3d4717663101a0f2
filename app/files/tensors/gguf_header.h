#pragma once

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/tensors/elements.h"
#include "core/network/stored_format.h"

namespace lab::files {

/// One tensor as the header of a GGUF file describes it.
struct GgufEntry {
  std::string name;
  std::optional<attention::network::StoredFormat> format;  ///< std::nullopt for whole numbers
  std::optional<ElementType> type;   ///< where each number stands alone: F32, BF16, F64, I8 …
  std::string type_name;             ///< "Q4_K"
  std::vector<std::int64_t> shape;   ///< rows first, as in other files; GGUF has the reverse
  std::uint64_t begin = 0, end = 0;  ///< its bytes in the file
};

/// The header of a GGUF file: its metadata and where its tensors are.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws nothing.
struct GgufHeader {
  std::uint32_t version = 0;                ///< 2 or 3
  std::endian order = std::endian::little;  ///< of all numbers in the file
  nlohmann::json metadata;                  ///< an object: "general.architecture" …
  std::vector<GgufEntry> entries;           ///< in the order of their bytes
};

/// True when `bytes`, the beginning of a file, are those of a GGUF file.
bool is_gguf(std::string_view bytes);

/// Reads the header of the GGUF file `bytes`. Throws BadInput naming the byte, key or tensor and
/// what is wrong there, also when the tensors do not fit the size of the file, overlap or are not
/// aligned. Allocates no more than a small multiple of the header's size. Format:
/// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
GgufHeader read_gguf_header(std::string_view bytes);

}  // namespace lab::files
