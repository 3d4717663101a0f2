#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "app/base/error.h"
#include "app/document/tokenizer.h"
#include "core/initialise.h"
#include "core/matrix_id.h"

namespace lab {

// A matrix that can be edited: any that a problem is given. X and X_kv are the embeddings of the
// two sentences; the mask and the score bias have a number for each pair of query and key.
using attention::matrix_from_name;
using attention::MatrixId;

/// One editable matrix of the document.
struct MatrixRef {
  MatrixId id = MatrixId::kWQ;
  int head = 0;  ///< from 0; of W_K, W_V, b_K and b_V the key and value head; 0 where there is one
  bool operator==(const MatrixRef&) const = default;
};

/// A size of the model that can be changed.
enum class SizeId { kDModel, kHeads, kDK, kDV, kKvHeads };

/// "d_model", "n_heads", "d_k", "d_v", "n_kv_heads".
std::string_view size_name(SizeId id);
/// The size of that name, or nothing.
std::optional<SizeId> size_from_name(std::string_view name);

// The edits. Each is plain data; in its text form heads count from 1, as a person reads them. What
// is optional stays as it is where it is not given. See reducer.h for what each does.

struct SetSentence {
  std::string text;
};
/// The second sentence, which keys and values come from; empty: the first one again.
struct SetKvSentence {
  std::string text;
};
struct SetTokenMode {
  TokenMode mode = TokenMode::kWords;
};
struct SetSize {
  SizeId size = SizeId::kDModel;
  int value = 1;
};
/// Whether heads have matrices of their own, or their columns of one.
struct SetHeadBuild {
  attention::HeadBuild build = attention::HeadBuild::kSeparate;
};
struct SetScale {
  bool on = true;
};
struct SetTemperature {
  float value = 1;
};

/// The rules of the mask.
struct SetMask {
  std::optional<bool> causal = {};
  std::optional<int> key_count = {};  ///< 0: every key exists
  std::optional<int> window = {};     ///< 0: any distance
};
/// One pair of query and key of the mask that is given cell by cell.
struct SetMaskCell {
  int row = 0;
  int col = 0;
  bool allowed = true;
};
/// All of that mask; with `allowed` it is gone.
struct FillMask {
  bool allowed = true;
};
/// One number that is added to a scaled score; −∞ forbids the pair.
struct SetBiasCell {
  int row = 0;
  int col = 0;
  float value = 0;
};
/// All of these numbers; with 0 they are gone.
struct FillBias {
  float value = 0;
};

struct SetPositions {
  std::optional<attention::Positions> kind = {};
  std::optional<float> base = {};  ///< of rotary positions
  std::optional<attention::RotaryPairs> pairs = {};
};
struct SetBiases {
  bool on = true;
};
struct SetDropout {
  std::optional<float> rate = {};
  std::optional<std::uint64_t> seed = {};
};
struct SetResidual {
  bool on = true;
};
struct SetLayerNorm {
  std::optional<bool> on = {};
  std::optional<float> epsilon = {};
};
/// How much of `head` (from 0) reaches concat.
struct SetHeadMix {
  int head = 0;
  std::optional<bool> mute = {};
  std::optional<bool> solo = {};
  std::optional<float> scale = {};
};

/// A cell of a stage. Heads that share keys and values share the cells of K, V and rotated_K.
struct StageCell {
  attention::Stage stage = attention::Stage::kScores;
  int head = 0;  ///< from 0; 0 where there is one for all
  int row = 0;
  int col = 0;
  bool operator==(const StageCell&) const = default;
};
/// A number in place of what the stage computes; −∞ is one where scores are.
struct SetOverride {
  StageCell cell;
  float value = 0;
};
struct RemoveOverride {
  StageCell cell;
};
struct ClearOverrides {};

/// In X and X_kv the row's word is changed: every position of that word follows.
struct SetCell {
  MatrixRef matrix;
  int row = 0;
  int col = 0;
  float value = 0;
};
/// Several cells at once: `values` [rows × cols] from (row, col) on. Of rows of X and X_kv that are
/// the same word the last one counts.
struct SetBlock {
  MatrixRef matrix;
  int row = 0;
  int col = 0;
  attention::Matrix values;
};
struct FillMatrix {
  MatrixRef matrix;
  attention::FillKind kind{};
  std::uint64_t seed = 0;
};

using Command =
    std::variant<SetSentence, SetKvSentence, SetTokenMode, SetSize, SetHeadBuild, SetScale,
                 SetTemperature, SetMask, SetMaskCell, FillMask, SetBiasCell, FillBias,
                 SetPositions, SetBiases, SetDropout, SetResidual, SetLayerNorm, SetHeadMix,
                 SetOverride, RemoveOverride, ClearOverrides, SetCell, SetBlock, FillMatrix>;

/// The command as one JSON object on one line, without the line end; numbers read back bit for
/// bit. Example: {"do":"set_cell","matrix":"W_Q","head":2,"row":0,"col":1,"value":0.5}
/// `head` is there for the matrices and stages that every head has. NaN and ±∞ are the strings
/// "NaN", "Infinity", "-Infinity"; a sentence that is no UTF-8 is written as "text_hex", two digits
/// a byte.
std::string to_json_line(const Command& command);

/// Most numbers that one SetBlock changes.
inline constexpr attention::Index kLargestBlock = attention::Index{1} << 18;

/// Longest line that is read, in bytes: every block that fits, up to 16 bytes a number, and every
/// sentence that fits, each byte escaped.
inline constexpr std::size_t kLongestCommand = std::size_t{1} << 23;

/// Reads what to_json_line wrote, and set_mask with "mask":"none" (no rule at all) or "causal".
/// Fails with kBadInput saying which member is missing or wrong; an unknown member is an error too.
/// Whether the values suit a document is for apply() to say.
Expected<Command> command_from_json_line(std::string_view line);

/// The matrix as the Edit menu calls it: "W_Q, head 2", "X".
std::string matrix_label(MatrixRef ref);
/// The stage of the cell in the same way: "scores, head 2", "output".
std::string cell_label(const StageCell& cell);
/// The matrix within a sentence: "W_Q of head 2", "X".
std::string matrix_place(MatrixRef ref);

/// What the step is called in the Edit menu: "Edit W_Q, head 2", "Change sentence".
std::string command_label(const Command& command);

}  // namespace lab
