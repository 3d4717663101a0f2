#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "app/document/error.h"
#include "app/document/tokenizer.h"
#include "core/config.h"
#include "core/initialise.h"

namespace lab {

/// A matrix that can be edited.
enum class MatrixId { kX, kWQ, kWK, kWV, kWO, kBQ, kBK, kBV, kBO };

/// "X", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O".
std::string_view matrix_name(MatrixId id);
/// The matrix of that name, or nothing.
std::optional<MatrixId> matrix_from_name(std::string_view name);
/// True when every head has one of its own: each query head of W_Q and b_Q, each key and value head
/// of the others.
bool is_per_head(MatrixId id);
/// True for the matrices of key and value heads: W_K, W_V, b_K, b_V.
bool is_per_kv_head(MatrixId id);

/// One editable matrix of the document.
struct MatrixRef {
  MatrixId id = MatrixId::kWQ;
  int head = 0;  ///< from 0; of W_K, W_V, b_K and b_V the key and value head; 0 where there is one
  bool operator==(const MatrixRef&) const = default;
};

/// A size of the model that can be changed.
enum class SizeId { kDModel, kHeads, kDK, kDV };

/// "d_model", "n_heads", "d_k", "d_v".
std::string_view size_name(SizeId id);
/// The size of that name, or nothing.
std::optional<SizeId> size_from_name(std::string_view name);

/// The edits. Each is plain data; in its text form heads count from 1, as a person reads them.
struct SetSentence {
  std::string text;
};
struct SetTokenMode {
  TokenMode mode = TokenMode::kWords;
};
/// Weights keep the block that both sizes share; what is new is Xavier of a fixed seed.
struct SetSize {
  SizeId size = SizeId::kDModel;
  int value = 1;
};
struct SetScale {
  bool on = true;
};
struct SetTemperature {
  float value = 1;
};
struct SetMask {
  bool causal = false;
};
/// In X the row's word is changed: every position of that word follows.
struct SetCell {
  MatrixRef matrix;
  int row = 0;
  int col = 0;
  float value = 0;
};
struct FillMatrix {
  MatrixRef matrix;
  attention::FillKind kind{};
  std::uint64_t seed = 0;
};

using Command = std::variant<SetSentence, SetTokenMode, SetSize, SetScale, SetTemperature, SetMask,
                             SetCell, FillMatrix>;

/// The command as one JSON object on one line, without the line end; numbers read back bit for
/// bit. Example: {"do":"set_cell","matrix":"W_Q","head":2,"row":0,"col":1,"value":0.5}
/// `head` is there for the matrices that every head has. NaN and ±∞ are the strings "NaN",
/// "Infinity", "-Infinity"; a sentence that is no UTF-8 is written as "text_hex", two digits a
/// byte.
std::string to_json_line(const Command& command);

/// Longest line that is read, in bytes: every sentence that fits, each byte escaped.
inline constexpr std::size_t kLongestCommand = std::size_t{1} << 19;

/// Reads what to_json_line wrote. Fails with kBadInput saying which member is missing or wrong;
/// an unknown member is an error too. Whether the values suit a document is for apply() to say.
Expected<Command> command_from_json_line(std::string_view line);

/// What the step is called in the Edit menu: "Edit W_Q, head 2", "Change sentence".
std::string command_label(const Command& command);

}  // namespace lab
