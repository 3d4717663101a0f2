#include <algorithm>
#include <string>
#include <vector>

#include "app/document/listed_edits.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/text_limit.h"
#include "app/translation/words.h"
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

const attention::network::Block& first_block(const Network& network) {
  return network.stack.blocks.front();
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

std::string sizes_of(const Network& network) {
  const attention::network::Block& block = first_block(network);
  const auto& experts = network.stack.blocks.back().experts;  // the first may have none
  const std::string inner = experts ? std::to_string(experts->experts.size()) + " × " +
                                          std::to_string(experts->experts.front().up.W.cols())
                                    : std::to_string(block.mlp.up.W.cols());
  return std::to_string(network.d_model()) + " · " + std::to_string(block.attention.head_dim) +
         " · " + inner;
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
std::string edits_text(const std::vector<ListedEdit>& edits) {
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
      {tr("Layers × heads"), std::to_string(network.stack.blocks.size()) + " × " +
                                 std::to_string(first_block(network).attention.n_heads)},
      {"d_model · d_k · d_mlp", sizes_of(network)},
      {tr("Positions"), positions_of(*model.source)},
      {tr("Norm"), norm_of(network)},
      {tr("Mask"), mask_of(attention)},
      {tr("Vocabulary"), std::to_string(network.stack.embedding.tokens.rows())},
      {tr("Edits"), edits_text(edits), edit_count_text(edits)}};
  return rows;
}

float network_card_height(Ui& ui, const Rect&) {
  if (edited_model(ui)->source->training) return 0;
  return ui.px(kInfoHeading) + static_cast<float>(rows_of(ui).size()) * ui.px(kInfoRow);
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
}

}  // namespace

extern constexpr PanelInfo kNetworkPanel{.name = "network",
                                         .region = PanelRegion::kLeft,
                                         .of = PanelOf::kModel,
                                         .draw = network_card,
                                         .preferred_height = network_card_height,
                                         .of_edited = true};

}  // namespace lab::view
