#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/base/error.h"
#include "app/document/commands/batch_commands.h"
#include "app/document/commands/command_fields.h"
#include "app/document/commands/edited_places.h"
#include "app/document/commands/layer_switches.h"
#include "app/document/commands/override_commands.h"
#include "app/document/splitting/splitting.h"
#include "core/initialise.h"
#include "core/matrix.h"

namespace lab {

struct Document;

// The edits. Each is plain data, with its name in the text form (kName), the component it edits
// (kComponent, unless it names a matrix) and its fields in the order of the text form;
// fields(command, visit) is used for reading and for writing. reduce() applies it to a document and
// fails as apply() does; use apply() of reducer.h, which also checks the result. An optional field
// that is not given leaves its value unchanged.

struct SetSentence {
  std::string text;
  std::optional<float> new_token_scale = {};  ///< Document::new_token_scale; words that are there
                                              ///< keep their vectors

  static constexpr std::string_view kName = "set_sentence";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& command, auto&& visit) {
    visit("text", command.text);
    visit("new_word_scale", command.new_token_scale);
  }
};
/// Fails when the text has no token or too many, or the scale is not in 0.001 … 1 000.
Expected<Document> reduce(const Document& document, const SetSentence& command);

/// The second sentence, which keys and values come from; empty: the first one again.
struct SetKvSentence {
  std::string text;
  std::optional<float> new_token_scale = {};  ///< as in SetSentence

  static constexpr std::string_view kName = "set_kv_sentence";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& command, auto&& visit) {
    visit("text", command.text);
    visit("new_word_scale", command.new_token_scale);
  }
};
/// Fails as for SetSentence, but an empty text removes the second sentence.
Expected<Document> reduce(const Document& document, const SetKvSentence& command);

/// Whether equal words of both sentences share one vector. When they begin to, words of the second
/// sentence give up their own; when they end to, each keeps the vector that it had.
struct SetSharedTokens {
  bool on = true;

  static constexpr std::string_view kName = "set_shared_words";
  static constexpr ModelComponent kComponent = ModelComponent::kEmbeddings;
  static void fields(auto& command, auto&& visit) { visit("on", command.on); }
};
/// Never fails.
Expected<Document> reduce(const Document& document, const SetSharedTokens& command);

/// How both sentences are split into tokens. What is still a whole word keeps its vector.
struct SetTokenMode {
  TokenMode mode = TokenMode::kWords;
  NamedTokenizer tokenizer = {};              ///< of kTokenizer; must be open when it is applied
  std::optional<bool> special_tokens = {};    ///< of kTokenizer: adds tokens such as [CLS]; yes,
                                              ///< unless given
  std::optional<float> new_token_scale = {};  ///< as in SetSentence

  static constexpr std::string_view kName = "set_token_mode";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& command, auto&& visit) {
    visit("mode", command.mode);
    visit("tokenizer", command.tokenizer);
    visit("special_tokens", command.special_tokens);
    visit("new_word_scale", command.new_token_scale);
  }
};
/// Fails when a tokenizer has no name, or a sentence has no token or too many then.
Expected<Document> reduce(const Document& document, const SetTokenMode& command);

struct SetSize {
  SizeId size = SizeId::kDModel;
  int value = 1;

  static constexpr std::string_view kName = "set_size";
  static constexpr ModelComponent kComponent = ModelComponent::kSizes;
  static void fields(auto& command, auto&& visit) {
    visit("size", command.size);
    visit("value", AnyWhole(command.value));
  }
};
/// Fails when sizes do not go together or exceed attention::Limits, and for d_k and d_v of split
/// heads.
Expected<Document> reduce(const Document& document, const SetSize& command);

/// Whether each head has its own matrices, or columns of a shared one.
struct SetHeadBuild {
  attention::HeadBuild build = attention::HeadBuild::kSeparate;

  static constexpr std::string_view kName = "set_head_build";
  static constexpr ModelComponent kComponent = ModelComponent::kSizes;
  static void fields(auto& command, auto&& visit) { visit("build", command.build); }
};
/// Fails when heads are to be split and d_model is no multiple of their number.
Expected<Document> reduce(const Document& document, const SetHeadBuild& command);

/// The rules of the mask.
struct SetMask {
  std::optional<bool> causal = {};
  std::optional<int> key_count = {};  ///< 0: every key exists
  std::optional<int> window = {};     ///< 0: any distance

  static constexpr std::string_view kName = "set_mask";
  static constexpr ModelComponent kComponent = ModelComponent::kMask;
  static void fields(auto& command, auto&& visit) {
    visit("causal", command.causal);
    visit("key_count", command.key_count);
    visit("window", command.window);
  }
};
/// Fails when a number is negative or too large.
Expected<Document> reduce(const Document& document, const SetMask& command);

/// Fills the mask given cell by cell; with `allowed` it is removed.
struct FillMask {
  bool allowed = true;

  static constexpr std::string_view kName = "fill_mask";
  static constexpr ModelComponent kComponent = ModelComponent::kMask;
  static void fields(auto& command, auto&& visit) { visit("allowed", command.allowed); }
};
/// What is detached of the mask is forgotten too.
Expected<Document> reduce(const Document& document, const FillMask& command);

struct SetPositions {
  std::optional<attention::Positions> type = {};
  std::optional<float> base = {};  ///< of rotary positions
  std::optional<attention::RotaryPairs> pairs = {};

  static constexpr std::string_view kName = "set_positions";
  static constexpr ModelComponent kComponent = ModelComponent::kSwitches;
  static void fields(auto& command, auto&& visit) {
    visit("kind", command.type);
    visit("base", command.base);
    visit("pairs", command.pairs);
  }
};
/// Fails when the base is below 1, or d_k is odd for rotary positions.
Expected<Document> reduce(const Document& document, const SetPositions& command);

struct SetDropout {
  std::optional<float> rate = {};
  std::optional<std::uint64_t> seed = {};

  static constexpr std::string_view kName = "set_dropout";
  static constexpr ModelComponent kComponent = ModelComponent::kSwitches;
  static void fields(auto& command, auto&& visit) {
    visit("rate", command.rate);
    visit("seed", command.seed);
  }
};
/// Fails when the rate is not from 0 to below 1.
Expected<Document> reduce(const Document& document, const SetDropout& command);

/// How much of the output of `head` (from 0) reaches concat.
struct SetHeadMix {
  int head = 0;
  std::optional<bool> mute = {};
  std::optional<bool> solo = {};
  std::optional<float> scale = {};

  static constexpr std::string_view kName = "set_head_mix";
  static constexpr ModelComponent kComponent = ModelComponent::kHeads;
  static void fields(auto& command, auto&& visit) {
    visit("head", HeadNumber(command.head));
    visit("mute", command.mute);
    visit("solo", command.solo);
    visit("scale", command.scale);
  }
};
/// Fails when there is no such head, or check_value() refuses the scale.
Expected<Document> reduce(const Document& document, const SetHeadMix& command);

/// How much of its LoRA adapter a trained model has: W + gain · α / r · B A.
struct SetAdapterGain {
  float gain = 1;  ///< 0: the base alone; 1: as it was trained

  static constexpr std::string_view kName = "set_adapter_gain";
  static constexpr ModelComponent kComponent = ModelComponent::kWeights;
  static void fields(auto& command, auto&& visit) { visit("gain", command.gain); }
};
/// Fails: only models have adapters, see adapter_gain.h.
Expected<Document> reduce(const Document& document, const SetAdapterGain& command);

/// In X and X_kv this changes the row of the word, and so every position of that word; in X also
/// those of the second sentence that share it.
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
/// Fails when there is no such cell, or the matrix cannot hold the value.
Expected<Document> reduce(const Document& document, const SetCell& command);

/// Several cells at once: `values` [rows × cols] from (row, col) on. Where rows of X or X_kv belong
/// to the same word, the last one counts.
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
/// Fails when the block does not lie within the matrix, or the matrix cannot hold a value.
Expected<Document> reduce(const Document& document, const SetBlock& command);

/// Several blocks at once, one after the other, such as what a number that was dragged has changed.
struct SetBlocks {
  std::vector<SetBlock> blocks;

  static constexpr std::string_view kName = "set_blocks";
  static void fields(auto& command, auto&& visit) { visit("blocks", command.blocks); }
};
/// Fails as for SetBlock, and for no numbers or more than kLargestBlock in all.
Expected<Document> reduce(const Document& document, const SetBlocks& command);

/// Fills the whole matrix according to `type`, or with `value` if it is given.
struct FillMatrix {
  MatrixRef matrix;
  attention::FillType type{};
  std::uint64_t seed = 0;
  std::optional<float> value = {};

  static constexpr std::string_view kName = "fill_matrix";
  static void fields(auto& command, auto&& visit) {
    visit(command.matrix);
    visit("fill", command.type);
    visit("seed", command.seed);
    visit("value", command.value);
  }
};
/// Fails when there is no such matrix, or it cannot hold the value.
Expected<Document> reduce(const Document& document, const FillMatrix& command);

using Command =
    WithLayerSwitches<SetSentence, SetKvSentence, AddSentence, RemoveSentence, GoToSentence,
                      SetPadding, SetChat, SetSharedTokens, SetTokenMode, SetSize, SetHeadBuild,
                      SetMask, FillMask, SetPositions, SetDropout, SetHeadMix, SetAdapterGain,
                      SetOverride, RemoveOverride, SetOverrides, RemoveOverrides, SwitchEdit,
                      TrainTo, ClearOverrides, SetCell, SetBlock, SetBlocks, FillMatrix>;

/// What the command is called in its JSON line: "set_cell".
std::string command_name(const Command& command);

/// The component of the model that the command edits; of several blocks, kEmbeddings if one of
/// them edits embeddings.
ModelComponent edited_component(const Command& command);

/// The command as one JSON object on one line, without the line end; numbers read back bit for bit.
/// Example: {"do":"set_cell","matrix":"W_Q","head":2,"row":0,"col":1,"value":0.5} `head` is present
/// for the matrices and stages that every head has. NaN and ±∞ are the strings "NaN", "Infinity",
/// "-Infinity"; a sentence that is not UTF-8 is written as "text_hex", two digits per byte.
std::string to_json_line(const Command& command);

/// The most numbers that one SetBlock, SetBlocks or SetOverrides can change.
inline constexpr attention::Index kLargestBlock = attention::Index{1} << 18;

/// The longest line that is read, in bytes: long enough for every allowed block with up to 16 bytes
/// per number, and for every allowed sentence with each byte escaped.
inline constexpr std::size_t kLongestCommand = std::size_t{1} << 23;

/// Reads what to_json_line wrote, in this version or an earlier one (see command_read.cpp). Fails
/// with kBadInput saying which member is missing or wrong; an unknown member is an error too.
/// Whether the values fit a document is checked by apply().
Expected<Command> command_from_json_line(std::string_view line);

/// The name of the matrix in the Edit menu: "W_Q, head 2", "X".
std::string matrix_label(MatrixRef ref);
/// The name of the cell's stage in the same way: "scores, head 2", "output".
std::string cell_label(const StageCell& cell);
/// The name of the matrix within a sentence: "W_Q of head 2", "X".
std::string matrix_in_text(MatrixRef ref);

/// The name of the step in the Edit menu: "Edit W_Q, head 2", "Change sentence".
std::string command_label(const Command& command);

/// The name of the step of a head that is called `head`: "L1H0 muted".
std::string head_mix_label(const SetHeadMix& command, const std::string& head);

/// A line with a command on a trained model: as of a session, but heads count from 0 in it, and
/// "layer" names the layer.
struct LayeredLine {
  std::optional<std::string> layer;  ///< as written; unset: not specified
  Command command;
};

/// The line as JSON, as to_json_line() of its command writes it.
std::string to_json_line(const LayeredLine& line);

/// Reads such a line. Fails as command_from_json_line() does.
Expected<LayeredLine> layered_line_from_json(std::string_view line);

}  // namespace lab
