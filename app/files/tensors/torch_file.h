#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/tensors/elements.h"

namespace lab::files {

/// One tensor of a file that torch.save wrote.
struct TorchEntry {
  std::string name;
  std::optional<ElementType> type;   ///< std::nullopt for one that is not known here
  std::string type_name;             ///< "F32", "torch.QInt8Storage"
  std::vector<std::int64_t> shape;   ///< as it lies in the file
  bool transposed = false;           ///< rows and columns are exchanged in the model
  std::uint64_t begin = 0, end = 0;  ///< its bytes within the file
};

/// Reads what a file `bytes` of torch.save holds: a dictionary of tensors by their names, or one
/// under "state_dict" or "model" in it; as a ZIP archive (PyTorch 1.6 and later) or as pickles one
/// after the other (earlier). Only the few instructions of pickle that tensors need are followed,
/// and nothing is executed. Throws BadInput with what is wrong, or asked for and refused; no tensor
/// has more than `most_numbers` numbers.
std::vector<TorchEntry> read_torch_file(std::string_view bytes, std::int64_t most_numbers);

}  // namespace lab::files
