#include "app/document/command.h"
#include "app/document/variant_names.h"
#include "app/document/wording.h"

namespace lab {

std::string matrix_label(MatrixRef ref) {
  std::string label(matrix_name(ref.id));
  if (is_per_head(ref.id)) label += ", head " + std::to_string(ref.head + 1);
  return label;
}

std::string matrix_place(MatrixRef ref) {
  std::string place(matrix_name(ref.id));
  if (is_per_head(ref.id)) place += " of head " + std::to_string(ref.head + 1);
  return place;
}

namespace {

std::string block_label(const SetBlock& command) {
  const auto rows = command.values.rows(), cols = command.values.cols();
  return "Edit " + std::to_string(rows) + " × " + std::to_string(cols) + " cells of " +
         matrix_label(command.matrix);
}

std::string cell_label(const StageCell& cell) {
  std::string label(stage_name(cell.stage));
  if (is_per_head(cell.stage)) label += ", head " + std::to_string(cell.head + 1);
  return label;
}

std::string_view fill_label(attention::FillKind kind) {
  switch (kind) {
    case attention::FillKind::kZero:
      return "zeros";
    case attention::FillKind::kIdentity:
      return "the identity";
    case attention::FillKind::kNormal:
      return "normal numbers";
    case attention::FillKind::kXavier:
      return "Xavier";
  }
  return {};
}

std::string switched(const std::string& what, bool on) { return what + (on ? " on" : " off"); }

// Parts side by side: "Mask causal, window 3".
class Parts {
 public:
  explicit Parts(std::string what) : text_(std::move(what)) {}
  void add(const std::string& part) {
    text_ += (empty_ ? " " : ", ") + part;
    empty_ = false;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool empty_ = true;
};

std::string mask_label(const SetMask& command) {
  const int key_count = command.key_count.value_or(0), window = command.window.value_or(0);
  if (!command.causal.value_or(false) && key_count == 0 && window == 0 && command.causal) {
    return "Mask none";
  }
  Parts label("Mask");
  if (command.causal) label.add(*command.causal ? "causal" : "not causal");
  if (command.key_count) {
    label.add(key_count == 0 ? "every key" : "first " + std::to_string(key_count) + " keys");
  }
  if (command.window) {
    label.add(window == 0 ? "any distance" : "window " + std::to_string(window));
  }
  return label.take();
}

std::string positions_label(const SetPositions& command) {
  Parts label("Positions");
  if (command.kind) label.add(std::string(positions_name(*command.kind)));
  if (command.base) label.add("rotary base " + shortest(*command.base));
  if (command.pairs) label.add("rotary pairs " + std::string(rotary_pairs_name(*command.pairs)));
  return label.take();
}

std::string dropout_label(const SetDropout& command) {
  Parts label("Dropout");
  if (command.rate) label.add(shortest(*command.rate));
  if (command.seed) label.add("seed " + std::to_string(*command.seed));
  return label.take();
}

std::string layer_norm_label(const SetLayerNorm& command) {
  Parts label("Layer norm");
  if (command.on) label.add(*command.on ? "on" : "off");
  if (command.epsilon) label.add("epsilon " + shortest(*command.epsilon));
  return label.take();
}

std::string head_mix_label(const SetHeadMix& command) {
  Parts label("Head " + std::to_string(command.head + 1));
  if (command.mute) label.add(*command.mute ? "muted" : "not muted");
  if (command.solo) label.add(*command.solo ? "solo" : "not solo");
  if (command.scale) label.add("times " + shortest(*command.scale));
  return label.take();
}

struct Label {
  std::string operator()(const SetSentence&) const { return "Change sentence"; }
  std::string operator()(const SetKvSentence& command) const {
    return command.text.empty() ? "Remove second sentence" : "Change second sentence";
  }
  std::string operator()(const SetTokenMode& command) const {
    return command.mode == TokenMode::kWords ? "Cut into words" : "Cut into characters";
  }
  std::string operator()(const SetSize& command) const {
    return "Set " + std::string(size_name(command.size)) + " to " + std::to_string(command.value);
  }
  std::string operator()(const SetHeadBuild& command) const {
    return command.build == attention::HeadBuild::kSplit ? "Split heads" : "Separate heads";
  }
  std::string operator()(const SetScale& command) const { return switched("Scale", command.on); }
  std::string operator()(const SetTemperature& command) const {
    return "Set temperature to " + shortest(command.value);
  }
  std::string operator()(const SetMask& command) const { return mask_label(command); }
  std::string operator()(const SetMaskCell&) const { return "Paint mask"; }
  std::string operator()(const FillMask& command) const {
    return command.allowed ? "Clear painted mask" : "Forbid every pair";
  }
  std::string operator()(const SetBiasCell&) const { return "Edit score bias"; }
  std::string operator()(const FillBias& command) const {
    return command.value == 0 ? "Remove score bias"
                              : "Set score bias to " + shortest(command.value);
  }
  std::string operator()(const SetPositions& command) const { return positions_label(command); }
  std::string operator()(const SetBiases& command) const { return switched("Biases", command.on); }
  std::string operator()(const SetDropout& command) const { return dropout_label(command); }
  std::string operator()(const SetResidual& command) const {
    return switched("Residual", command.on);
  }
  std::string operator()(const SetLayerNorm& command) const { return layer_norm_label(command); }
  std::string operator()(const SetHeadMix& command) const { return head_mix_label(command); }
  std::string operator()(const SetOverride& command) const {
    return "Override " + cell_label(command.cell);
  }
  std::string operator()(const RemoveOverride& command) const {
    return "Remove override of " + cell_label(command.cell);
  }
  std::string operator()(const ClearOverrides&) const { return "Remove every override"; }
  std::string operator()(const SetCell& command) const {
    return "Edit " + matrix_label(command.matrix);
  }
  std::string operator()(const SetBlock& command) const { return block_label(command); }
  std::string operator()(const FillMatrix& command) const {
    return "Fill " + matrix_label(command.matrix) + " with " +
           std::string(fill_label(command.kind));
  }
};

}  // namespace

std::string command_label(const Command& command) { return std::visit(Label{}, command); }

}  // namespace lab
