#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/document/listed_edits.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/text_limit.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/editor/command_slider.h"
#include "app/view/maps/model_heads.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::network::Attention;
using attention::network::Network;
using attention::network::NormType;

constexpr float kInfoRow = 27, kInfoHeading = 44;

struct InfoRow {
  std::string label, value;
  std::string short_value = {};  // where that is too long; empty: there is none
};

// The first that attends.
const attention::network::Block& first_block(const Network& network) {
  const auto layers = attending_layers(network, attention::network::Sublayer::kSelf);
  return network.stack.blocks[static_cast<std::size_t>(layers.front())];
}

// "32 × 12", or with convolutions "16 × 32, in 6 layers".
std::string layers_of(const Network& network) {
  const auto layers = network.stack.blocks.size();
  const auto attending = attending_layers(network, attention::network::Sublayer::kSelf).size();
  const std::string text =
      std::to_string(layers) + " × " + std::to_string(first_block(network).attention.n_heads);
  return attending == layers ? text : tr("{}, in {} layers", {text, std::to_string(attending)});
}

std::string positions_of(const ModelSource& source) {
  const Network& network = source.network;
  const Attention& attention = first_block(network).attention;
  if (attention.rotary) return tr("rotary");
  if (attention.distance_bias || attention.distance_scores) return tr("by distance");
  if (attention.alibi) return "ALiBi";
  const Index most = most_tokens(source);
  return most == 0 ? tr("none##positions") : tr("learned, up to {}", {std::to_string(most)});
}

std::string norm_of(const Network& network) {
  const auto& norms = network.stack.blocks.back().attention_norms;  // the first may have none
  const auto& one = norms.before ? norms.before : norms.after ? norms.after : norms.branch;
  if (!one) return tr("none##norm");
  const std::string type = one->type == NormType::kRms ? "RMS" : "LayerNorm";
  return norms.before ? tr("{}, before", {type}) : tr("{}, after", {type});
}

std::string mask_of(const Attention& attention) {
  if (attention.window > 0) return tr("window of {}", {std::to_string(attention.window)});
  return attention.causal ? tr("causal") : tr("none##mask");
}

std::string sizes_of(const Network& network, const Attention& shown) {
  const attention::network::Block& block = first_block(network);
  const auto& experts = network.stack.blocks.back().experts;  // the first may have none
  const std::string inner = experts ? std::to_string(experts->experts.size()) + " × " +
                                          std::to_string(experts->experts.front().up.W.cols())
                                    : std::to_string(block.mlp.up.W.cols());
  return std::to_string(network.d_model()) + " · " + std::to_string(shown.head_dim) + " · " + inner;
}

// How many numbers of stages and of the stream are overridden.
long number_count(const std::vector<ListedEdit>& edits) {
  long count = 0;
  for (const ListedEdit& edit : edits) {
    const bool of_cells =
        edit.type == ListedEdit::Type::kCells || edit.type == ListedEdit::Type::kStream;
    if (of_cells && edit.effect == ListedEdit::Effect::kOn)
      count += static_cast<long>(edit.numbers);
  }
  return count;
}

// How much is edited, in a few words.
std::string edits_text(const std::vector<ListedEdit>& edits, float adapter_gain) {
  const auto count = [&](const auto& is_one) {
    return static_cast<long>(std::ranges::count_if(edits, [&](const ListedEdit& edit) {
      return edit.effect == ListedEdit::Effect::kOn && is_one(edit);
    }));
  };
  using Type = ListedEdit::Type;
  const auto of_kind = [&](Type type) {
    return count([type](const ListedEdit& edit) { return edit.type == type; });
  };
  const long muted = count([](const ListedEdit& edit) { return edit.mix.mute; });
  const long solo = count([](const ListedEdit& edit) { return edit.mix.solo; });
  const long gains =
      count([](const ListedEdit& edit) { return edit.type == Type::kMix && edit.mix.scale != 1; });
  const long patches = of_kind(Type::kPatch), cells = number_count(edits);
  std::string text;
  if (!attention::same_bits(adapter_gain, 1)) text = tr("adapter");
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (muted > 0) add(tr_count("{} head muted", "{} heads muted", muted));
  if (solo > 0) add(tr_count("{} solo", "{} solos", solo));
  if (gains > 0) add(tr_count("{} gain", "{} gains", gains));
  if (patches > 0) add(tr_count("{} patch", "{} patches", patches));
  if (cells > 0) add(tr_count("{} number", "{} numbers", cells));
  if (of_kind(Type::kWeights) > 0) add(tr("weights"));
  return text.empty() ? tr("none##edits") : text;
}

std::string edit_count_text(const std::vector<ListedEdit>& edits) {
  return tr_count("{} edit", "{} edits", static_cast<long>(edits.size()));
}

std::vector<InfoRow> rows_of(Ui& ui) {
  const ModelDocument& model = *edited_model(ui);
  const Network& network = model.network;
  const Attention& attention = *find_attention(network, ui.edited().layer.at);
  const std::vector<ListedEdit>& edits = listed_edits(ui);
  std::vector<InfoRow> rows{
      {tr("Layers × heads"), layers_of(network)},
      {"d_model · d_k · d_mlp", sizes_of(network, attention)},
      {tr("Positions"), positions_of(*model.source)},
      {tr("Norm"), norm_of(network)},
      {tr("Mask"), mask_of(attention)},
      {tr("Vocabulary"), std::to_string(network.stack.embedding.tokens.rows())},
      {tr("Edits"), edits_text(edits, model.adapter_gain), edit_count_text(edits)}};
  if (attention.key_layer)
    rows.insert(rows.end() - 1, InfoRow{tr("Keys and values"),
                                        tr("of layer {}", {std::to_string(*attention.key_layer)})});
  return rows;
}

// Slider positions 0 … 1 stand for gains from 0 to 2: as it was trained in the middle.
float gain_at(float position) { return std::round(position * 200) / 100; }

void adapter_row(Ui& ui, Rect line) {
  const float gain = edited_model(ui)->adapter_gain;
  constexpr float kHeight = 24;
  Rect bounds = line.cut_right(ui.px(128));
  draw_text(ui, ui.fonts.text, line, tr("Adapter"), ui.theme.text);
  bounds = {bounds.x, bounds.y + (bounds.h - ui.px(kHeight)) / 2, bounds.w, ui.px(kHeight)};
  command_slider(ui, bounds,
                 {.id = "network/adapter",
                  .value = gain,
                  .position = std::clamp(gain / 2, 0.0f, 1.0f),
                  .text = "× " + explain::format_significant(gain, 3),
                  .command = [](float value) -> Command { return SetAdapterGain{value}; },
                  .value_at = gain_at,
                  .step = "gain of the adapter by keys",
                  .typed = &ui.state.model.adapter_text});
}

bool has_adapter(Ui& ui) { return !edited_model(ui)->source->adapter.empty(); }

float network_card_height(Ui& ui, const Rect&) {
  if (edited_model(ui)->source->training) return 0;
  const std::size_t rows = rows_of(ui).size() + (has_adapter(ui) ? 1 : 0);
  return ui.px(kInfoHeading) + static_cast<float>(rows) * ui.px(kInfoRow);
}

void network_card(Ui& ui, const Rect& rect) {
  const ModelDocument& model = *edited_model(ui);
  Rect content = card(ui, rect, tr("Model"), {}, model.source->name);
  for (const InfoRow& row : rows_of(ui)) {
    const Rect line = content.cut_top(ui.px(kInfoRow));
    const bool fits =
        text_width(ui, ui.fonts.mono_small, row.value) <= value_room(ui, line, row.label);
    const std::string& value = fits || row.short_value.empty() ? row.value : row.short_value;
    labelled_value(ui, line, row.label, value, ui.theme.text);
  }
  if (has_adapter(ui)) adapter_row(ui, content.cut_top(ui.px(kInfoRow)));
}

}  // namespace

extern constexpr PanelInfo kNetworkPanel{.name = "network",
                                         .region = PanelRegion::kLeft,
                                         .of = PanelOf::kModel,
                                         .draw = network_card,
                                         .preferred_height = network_card_height,
                                         .of_edited = true};

}  // namespace lab::view
