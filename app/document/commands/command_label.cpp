#include <algorithm>

#include "app/base/wording.h"
#include "app/document/commands/command.h"
#include "app/document/variant_names.h"
#include "app/translation/words.h"

namespace lab {

std::string matrix_label(MatrixRef ref) {
  const std::string name = name_in_words(matrix_name(ref.id));
  return is_per_head(ref.id) ? tr("{}, head {}", {name, std::to_string(ref.head + 1)}) : name;
}

std::string matrix_in_text(MatrixRef ref) {
  const std::string name = name_in_words(matrix_name(ref.id));
  return is_per_head(ref.id) ? tr("{} of head {}", {name, std::to_string(ref.head + 1)}) : name;
}

std::string cell_label(const StageCell& cell) {
  const std::string name = name_in_words(stage_name(cell.stage));
  return is_per_head(cell.stage) ? tr("{}, head {}", {name, std::to_string(cell.head + 1)}) : name;
}

namespace {

// As the Model card calls the size.
std::string size_words(SizeId size) {
  return size == SizeId::kHeads ? tr("heads h") : std::string(size_name(size));
}

std::string block_label(const SetBlock& command) {
  const auto rows = command.values.rows(), cols = command.values.cols();
  return tr("Edit {} × {} cells of {}",
            {std::to_string(rows), std::to_string(cols), matrix_label(command.matrix)});
}

// Of several matrices only the first is named.
std::string blocks_label(const SetBlocks& command) {
  attention::Index numbers = 0;
  for (const SetBlock& block : command.blocks) numbers += block.values.size();
  const std::string count = std::to_string(numbers);
  if (command.blocks.empty()) return tr("Edit {} cells", {count});
  const MatrixRef first = command.blocks.front().matrix;
  const auto same = [&](const SetBlock& block) { return block.matrix == first; };
  return std::ranges::all_of(command.blocks, same)
             ? tr("Edit {} cells of {}", {count, matrix_label(first)})
             : tr("Edit {} cells of {} and others", {count, matrix_label(first)});
}

std::string fill_label(const FillMatrix& command) {
  const std::string matrix = matrix_label(command.matrix);
  if (command.value) return tr("Set {} to {}", {matrix, shortest(*command.value)});
  switch (command.type) {
    case attention::FillType::kZero:
      return tr("Fill {} with zeros", {matrix});
    case attention::FillType::kIdentity:
      return tr("Fill {} with the identity", {matrix});
    case attention::FillType::kNormal:
      return tr("Fill {} with normal numbers", {matrix});
    case attention::FillType::kXavier:
      return tr("Fill {} with Xavier", {matrix});
  }
  return {};
}

// Parts separated by commas: "causal, window 3".
class Parts {
 public:
  void add(const std::string& part) { text_ += (text_.empty() ? "" : ", ") + part; }
  /// `words` with the parts inserted.
  std::string in(std::string_view words) const { return tr(words, {text_}); }

 private:
  std::string text_;
};

std::string mask_label(const SetMask& command) {
  const int key_count = command.key_count.value_or(0), window = command.window.value_or(0);
  if (!command.causal.value_or(false) && key_count == 0 && window == 0 && command.causal) {
    return tr("Mask none");
  }
  Parts label;
  if (command.causal) label.add(*command.causal ? tr("causal") : tr("not causal"));
  if (command.key_count) {
    label.add(key_count == 0 ? tr("every key") : tr("first {} keys", {std::to_string(key_count)}));
  }
  if (command.window) {
    label.add(window == 0 ? tr("any distance") : tr("window {}", {std::to_string(window)}));
  }
  return label.in(tr_later("Mask {}"));
}

std::string positions_label(const SetPositions& command) {
  Parts label;
  if (command.type) label.add(tr(positions_name(*command.type)));
  if (command.base) label.add(tr("rotary base {}", {shortest(*command.base)}));
  if (command.pairs) label.add(tr("rotary pairs {}", {tr(rotary_pairs_name(*command.pairs))}));
  return label.in(tr_later("Positions {}"));
}

std::string dropout_label(const SetDropout& command) {
  Parts label;
  if (command.rate) label.add(shortest(*command.rate));
  if (command.seed) label.add(tr("seed {}", {std::to_string(*command.seed)}));
  return label.in(tr_later("Dropout {}"));
}

// Of a norm.
std::string norm_label(const LayerSwitch& record, std::optional<bool> on,
                       std::optional<float> epsilon) {
  Parts label;
  if (on) label.add(*on ? tr("on") : tr("off"));
  if (epsilon) label.add(tr("epsilon {}", {shortest(*epsilon)}));
  return label.in(record.step_on);
}

std::string number_label(const LayerNumber& record, float value) {
  return value == 0 && record.step_zero != nullptr ? tr(record.step_zero)
                                                   : tr(record.step, {shortest(value)});
}

}  // namespace

std::string head_mix_label(const SetHeadMix& command, const std::string& head) {
  Parts label;
  if (command.mute) label.add(*command.mute ? tr("muted") : tr("not muted"));
  if (command.solo) label.add(*command.solo ? tr("solo") : tr("not solo"));
  if (command.scale) label.add(tr("times {}", {shortest(*command.scale)}));
  return head + " " + label.in("{}");
}

namespace {

struct Label {
  std::string operator()(const SetSentence&) const { return tr("Change sentence"); }
  std::string operator()(const SetKvSentence& command) const {
    return command.text.empty() ? tr("Remove second sentence") : tr("Change second sentence");
  }
  std::string operator()(const AddSentence&) const { return tr("Add a sentence"); }
  std::string operator()(const RemoveSentence&) const { return tr("Remove a sentence"); }
  std::string operator()(const GoToSentence& command) const {
    return tr("Go to sentence {}", {std::to_string(command.sentence + 1)});
  }
  std::string operator()(const SetPadding& command) const {
    return command.on ? tr("Padding on") : tr("Padding off");
  }
  std::string operator()(const SetChat& command) const {
    if (!command.on) return tr("Change the conversation");
    return *command.on ? tr("Chat on") : tr("Chat off");
  }
  std::string operator()(const SetSharedTokens& command) const {
    return command.on ? tr("Share vectors of equal words") : tr("Separate vectors of equal words");
  }
  std::string operator()(const SetTokenMode& command) const {
    switch (command.mode) {
      case TokenMode::kWords:
        return tr("Split into words");
      case TokenMode::kCharacters:
        return tr("Split into characters");
      case TokenMode::kTokenizer:
        return tr("Split by {}", {short_tokenizer_name(command.tokenizer.name)});
    }
    return {};
  }
  std::string operator()(const SetSize& command) const {
    return tr("Set {} to {}", {size_words(command.size), std::to_string(command.value)});
  }
  std::string operator()(const SetHeadBuild& command) const {
    return command.build == attention::HeadBuild::kSplit ? tr("Split heads") : tr("Separate heads");
  }
  template <const LayerSwitch& kRecord>
  std::string operator()(const SetSwitch<kRecord>& command) const {
    return tr(command.on ? kRecord.step_on : kRecord.step_off);
  }
  template <const LayerSwitch& kRecord>
  std::string operator()(const SetNorm<kRecord>& command) const {
    return norm_label(kRecord, command.on, command.epsilon);
  }
  template <const LayerNumber& kRecord>
  std::string operator()(const SetNumber<kRecord>& command) const {
    return number_label(kRecord, command.value);
  }
  std::string operator()(const SetMask& command) const { return mask_label(command); }
  std::string operator()(const FillMask& command) const {
    return command.allowed ? tr("Clear painted mask") : tr("Forbid every pair");
  }
  std::string operator()(const SetPositions& command) const { return positions_label(command); }
  std::string operator()(const SetDropout& command) const { return dropout_label(command); }
  std::string operator()(const SetAdapterGain& command) const {
    return tr("Adapter × {}", {shortest(command.gain)});
  }
  std::string operator()(const SetHeadMix& command) const {
    return head_mix_label(command, tr("Head {}", {std::to_string(command.head + 1)}));
  }
  std::string operator()(const SetOverride& command) const {
    return tr("Override {}", {cell_label(command.cell)});
  }
  std::string operator()(const RemoveOverride& command) const {
    return tr("Remove override of {}", {cell_label(command.cell)});
  }
  std::string operator()(const SetOverrides& command) const {
    return tr("Override {}", {cell_label(command.cell)});
  }
  std::string operator()(const RemoveOverrides& command) const {
    return tr("Remove override of {}", {cell_label(command.cell)});
  }
  std::string operator()(const SwitchEdit& command) const {
    return command.on ? tr("Switch an edit on") : tr("Switch an edit off");
  }
  std::string operator()(const TrainTo& command) const {
    return tr("Step {} of training", {grouped(command.step)});
  }
  std::string operator()(const ClearOverrides&) const { return tr("Remove every override"); }
  std::string operator()(const SetCell& command) const {
    return tr("Edit {}", {matrix_label(command.matrix)});
  }
  std::string operator()(const SetBlock& command) const { return block_label(command); }
  std::string operator()(const SetBlocks& command) const { return blocks_label(command); }
  std::string operator()(const FillMatrix& command) const { return fill_label(command); }
};

}  // namespace

std::string command_label(const Command& command) { return std::visit(Label{}, command); }

}  // namespace lab
