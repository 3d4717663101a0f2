#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "app/base/error.h"
#include "app/document/commands/command_fields.h"
#include "app/document/commands/edited_places.h"
#include "app/document/tokenizer.h"
#include "core/initialise.h"
#include "core/matrix.h"

namespace lab {

/// What of the model a command edits.
enum class ModelPart {
  kSentence,    ///< both sentences and how they are cut into tokens
  kEmbeddings,  ///< X, X_kv, the tables of positions
  kWeights,     ///< W_Q, W_K, W_V, W_O and the biases, gamma and beta
  kMask,        ///< who may look at whom, and the score bias
  kSizes,       ///< d_model, heads, d_k, d_v, how heads are built
  kSwitches,    ///< scale, temperature, positions, biases, dropout, residual, LayerNorm
  kHeads,       ///< mute, solo and gain of heads
  kOverrides    ///< numbers of stages that are set by hand
};

struct Document;

// The edits. Each is plain data, with its name in the text form (kName), what it edits (kPart,
// where it names no matrix) and its fields in the order of the text form; fields(command, visit)
// serves reading and writing alike. reduce() says what it does to a document and fails as apply()
// does; use apply() of reducer.h, which also checks the result. A field that is optional leaves as
// it is what it stands for when it is not given.

struct SetSentence {
  std::string text;

  static constexpr std::string_view kName = "set_sentence";
  static constexpr ModelPart kPart = ModelPart::kSentence;
  static void fields(auto& command, auto&& visit) { visit("text", command.text); }
};
Expected<Document> reduce(const Document& document, const SetSentence& command);

/// The second sentence, which keys and values come from; empty: the first one again.
struct SetKvSentence {
  std::string text;

  static constexpr std::string_view kName = "set_kv_sentence";
  static constexpr ModelPart kPart = ModelPart::kSentence;
  static void fields(auto& command, auto&& visit) { visit("text", command.text); }
};
Expected<Document> reduce(const Document& document, const SetKvSentence& command);

struct SetTokenMode {
  TokenMode mode = TokenMode::kWords;

  static constexpr std::string_view kName = "set_token_mode";
  static constexpr ModelPart kPart = ModelPart::kSentence;
  static void fields(auto& command, auto&& visit) { visit("mode", command.mode); }
};
Expected<Document> reduce(const Document& document, const SetTokenMode& command);

struct SetSize {
  SizeId size = SizeId::kDModel;
  int value = 1;

  static constexpr std::string_view kName = "set_size";
  static constexpr ModelPart kPart = ModelPart::kSizes;
  static void fields(auto& command, auto&& visit) {
    visit("size", command.size);
    visit("value", AnyWhole(command.value));
  }
};
Expected<Document> reduce(const Document& document, const SetSize& command);

/// Whether heads have matrices of their own, or their columns of one.
struct SetHeadBuild {
  attention::HeadBuild build = attention::HeadBuild::kSeparate;

  static constexpr std::string_view kName = "set_head_build";
  static constexpr ModelPart kPart = ModelPart::kSizes;
  static void fields(auto& command, auto&& visit) { visit("build", command.build); }
};
Expected<Document> reduce(const Document& document, const SetHeadBuild& command);

struct SetScale {
  bool on = true;

  static constexpr std::string_view kName = "set_scale";
  static constexpr ModelPart kPart = ModelPart::kSwitches;
  static void fields(auto& command, auto&& visit) { visit("on", command.on); }
};
Expected<Document> reduce(const Document& document, const SetScale& command);

struct SetTemperature {
  float value = 1;

  static constexpr std::string_view kName = "set_temperature";
  static constexpr ModelPart kPart = ModelPart::kSwitches;
  static void fields(auto& command, auto&& visit) { visit("value", command.value); }
};
Expected<Document> reduce(const Document& document, const SetTemperature& command);

/// The rules of the mask.
struct SetMask {
  std::optional<bool> causal = {};
  std::optional<int> key_count = {};  ///< 0: every key exists
  std::optional<int> window = {};     ///< 0: any distance

  static constexpr std::string_view kName = "set_mask";
  static constexpr ModelPart kPart = ModelPart::kMask;
  static void fields(auto& command, auto&& visit) {
    visit("causal", command.causal);
    visit("key_count", command.key_count);
    visit("window", command.window);
  }
};
Expected<Document> reduce(const Document& document, const SetMask& command);

/// All of the mask that is given cell by cell; with `allowed` it is gone.
struct FillMask {
  bool allowed = true;

  static constexpr std::string_view kName = "fill_mask";
  static constexpr ModelPart kPart = ModelPart::kMask;
  static void fields(auto& command, auto&& visit) { visit("allowed", command.allowed); }
};
Expected<Document> reduce(const Document& document, const FillMask& command);

struct SetPositions {
  std::optional<attention::Positions> kind = {};
  std::optional<float> base = {};  ///< of rotary positions
  std::optional<attention::RotaryPairs> pairs = {};

  static constexpr std::string_view kName = "set_positions";
  static constexpr ModelPart kPart = ModelPart::kSwitches;
  static void fields(auto& command, auto&& visit) {
    visit("kind", command.kind);
    visit("base", command.base);
    visit("pairs", command.pairs);
  }
};
Expected<Document> reduce(const Document& document, const SetPositions& command);

struct SetBiases {
  bool on = true;

  static constexpr std::string_view kName = "set_biases";
  static constexpr ModelPart kPart = ModelPart::kSwitches;
  static void fields(auto& command, auto&& visit) { visit("on", command.on); }
};
Expected<Document> reduce(const Document& document, const SetBiases& command);

struct SetDropout {
  std::optional<float> rate = {};
  std::optional<std::uint64_t> seed = {};

  static constexpr std::string_view kName = "set_dropout";
  static constexpr ModelPart kPart = ModelPart::kSwitches;
  static void fields(auto& command, auto&& visit) {
    visit("rate", command.rate);
    visit("seed", command.seed);
  }
};
Expected<Document> reduce(const Document& document, const SetDropout& command);

struct SetResidual {
  bool on = true;

  static constexpr std::string_view kName = "set_residual";
  static constexpr ModelPart kPart = ModelPart::kSwitches;
  static void fields(auto& command, auto&& visit) { visit("on", command.on); }
};
Expected<Document> reduce(const Document& document, const SetResidual& command);

struct SetLayerNorm {
  std::optional<bool> on = {};
  std::optional<float> epsilon = {};

  static constexpr std::string_view kName = "set_layer_norm";
  static constexpr ModelPart kPart = ModelPart::kSwitches;
  static void fields(auto& command, auto&& visit) {
    visit("on", command.on);
    visit("epsilon", command.epsilon);
  }
};
Expected<Document> reduce(const Document& document, const SetLayerNorm& command);

/// How much of `head` (from 0) reaches concat.
struct SetHeadMix {
  int head = 0;
  std::optional<bool> mute = {};
  std::optional<bool> solo = {};
  std::optional<float> scale = {};

  static constexpr std::string_view kName = "set_head_mix";
  static constexpr ModelPart kPart = ModelPart::kHeads;
  static void fields(auto& command, auto&& visit) {
    visit("head", CountedFromOne(command.head));
    visit("mute", command.mute);
    visit("solo", command.solo);
    visit("scale", command.scale);
  }
};
Expected<Document> reduce(const Document& document, const SetHeadMix& command);

/// A number in place of what the stage computes; −∞ is one where scores are.
struct SetOverride {
  StageCell cell;
  float value = 0;

  static constexpr std::string_view kName = "set_override";
  static constexpr ModelPart kPart = ModelPart::kOverrides;
  static void fields(auto& command, auto&& visit) {
    visit(command.cell);
    visit("value", command.value);
  }
};
Expected<Document> reduce(const Document& document, const SetOverride& command);

struct RemoveOverride {
  StageCell cell;

  static constexpr std::string_view kName = "remove_override";
  static constexpr ModelPart kPart = ModelPart::kOverrides;
  static void fields(auto& command, auto&& visit) { visit(command.cell); }
};
Expected<Document> reduce(const Document& document, const RemoveOverride& command);

struct ClearOverrides {
  static constexpr std::string_view kName = "clear_overrides";
  static constexpr ModelPart kPart = ModelPart::kOverrides;
  static void fields(auto& /*command*/, auto&& /*visit*/) {}
};
Expected<Document> reduce(const Document& document, const ClearOverrides& command);

/// In X and X_kv the row's word is changed: every position of that word follows.
struct SetCell {
  MatrixRef matrix;
  int row = 0;
  int col = 0;
  float value = 0;

  static constexpr std::string_view kName = "set_cell";
  static void fields(auto& command, auto&& visit) {
    visit(command.matrix);
    visit("row", command.row);
    visit("col", command.col);
    visit("value", command.value);
  }
};
Expected<Document> reduce(const Document& document, const SetCell& command);

/// Several cells at once: `values` [rows × cols] from (row, col) on. Of rows of X and X_kv that are
/// the same word the last one counts.
struct SetBlock {
  MatrixRef matrix;
  int row = 0;
  int col = 0;
  attention::Matrix values;

  static constexpr std::string_view kName = "set_block";
  static void fields(auto& command, auto&& visit) {
    visit(command.matrix);
    visit("row", command.row);
    visit("col", command.col);
    visit("values", command.values);
  }
};
Expected<Document> reduce(const Document& document, const SetBlock& command);

/// The whole matrix at once: as `kind` says, or `value` in every cell where it is given.
struct FillMatrix {
  MatrixRef matrix;
  attention::FillKind kind{};
  std::uint64_t seed = 0;
  std::optional<float> value = {};

  static constexpr std::string_view kName = "fill_matrix";
  static void fields(auto& command, auto&& visit) {
    visit(command.matrix);
    visit("fill", command.kind);
    visit("seed", command.seed);
    visit("value", command.value);
  }
};
Expected<Document> reduce(const Document& document, const FillMatrix& command);

using Command = std::variant<SetSentence, SetKvSentence, SetTokenMode, SetSize, SetHeadBuild,
                             SetScale, SetTemperature, SetMask, FillMask, SetPositions, SetBiases,
                             SetDropout, SetResidual, SetLayerNorm, SetHeadMix, SetOverride,
                             RemoveOverride, ClearOverrides, SetCell, SetBlock, FillMatrix>;

/// What of the model the command edits.
ModelPart edited_part(const Command& command);

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

/// Reads what to_json_line wrote, in this version or an earlier one (see command_legacy.h). Fails
/// with kBadInput saying which member is missing or wrong; an unknown member is an error too.
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
