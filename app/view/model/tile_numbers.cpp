#include "app/view/model/tile_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/translation/words.h"
#include "app/view/maps/model_patches.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::HeadScores;
using attention::network::LayerId;
using attention::network::Sublayer;

// The range that is as far on both sides of 0, of the numbers that are known; not so small that
// numbers which are written as 0.00 have colours.
figure::Range around_zero(const Matrix& values) {
  float most = 0.1f;
  for (const float value : values.reshaped())
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return {-most, most};
}

Matrix map_of(const std::vector<HeadMap>& maps, Sublayer sublayer) {
  const auto found = std::ranges::find(maps, sublayer, &HeadMap::sublayer);
  return found == maps.end() ? Matrix() : found->values;
}

// How the answer changes with each head; fills in.
TileNumbers changes(const Ui& ui, const AnalysisEntry<AnswerMaps>& entry) {
  TileNumbers numbers{.values = {}, .range = {}, .is_signed = true, .error = entry.error};
  numbers.progress = entry.progress;
  if (entry.value) numbers.values = map_of(entry.value->maps, ui.document().layer.at.sublayer);
  numbers.range = around_zero(numbers.values);
  return numbers;
}

TileNumbers effect(Ui& ui) {
  ui.requested.knock_out = true;
  return changes(ui, ui.analysis.knock_out);
}

TileNumbers patched(Ui& ui) {
  ui.requested.patch_from = model_of_a(ui);
  return changes(ui, ui.analysis.patching);
}

TileNumbers written(Ui& ui) {
  ui.requested.direct = true;
  const auto& entry = ui.analysis.direct;
  TileNumbers numbers{.values = {}, .range = {}, .is_signed = true, .error = entry.error};
  const bool self = ui.document().layer.at.sublayer == Sublayer::kSelf;
  if (entry.value && self) numbers.values = entry.value->parts.heads;
  numbers.range = around_zero(numbers.values);
  return numbers;
}

// While nothing is asked, of the answer.
TileNumbers sensitivity(Ui& ui) {
  if (!ui.requested.gradient) ui.requested.gradient = GradientRequest{ui.document().layer.at, {}};
  const auto& entry = ui.analysis.gradient;
  TileNumbers numbers{.values = {}, .range = {}, .is_signed = true, .error = entry.error};
  if (entry.value) numbers.values = map_of(entry.value->heads, ui.document().layer.at.sublayer);
  numbers.range = around_zero(numbers.values);
  return numbers;
}

TileNumbers entropy(Ui& ui) {
  ui.requested.entropies = true;
  const auto& entry = ui.analysis.entropies;
  TileNumbers numbers{.values = {}, .range = {}, .error = entry.error};
  if (entry.value) numbers.values = map_of(*entry.value, ui.document().layer.at.sublayer);
  numbers.range = {0, std::log(std::max(2.0f, static_cast<float>(ui.problem().kv_len())))};
  return numbers;
}

float score_in(const HeadScores& scores, TileView view) {
  switch (view) {
    case TileView::kPrevious:
      return scores.previous;
    case TileView::kInduction:
      return scores.induction;
    case TileView::kDuplicate:
      return scores.duplicate;
    default:
      return scores.first;
  }
}

TileNumbers labels(Ui& ui, TileView view) {
  ui.requested.labels = true;
  const auto& entry = ui.analysis.labels;
  TileNumbers numbers{.values = {}, .range = {0, 1}, .error = entry.error};
  numbers.progress = entry.progress;
  if (!entry.value) return numbers;
  const Sublayer sublayer = ui.document().layer.at.sublayer;
  Index layers = 0, heads = 0;
  for (const LabelledHead& head : entry.value->heads) {
    if (head.at.at.sublayer != sublayer) continue;
    layers = std::max(layers, head.at.at.layer + 1);
    heads = std::max(heads, head.at.head + 1);
  }
  numbers.values = Matrix::Constant(layers, heads, std::numeric_limits<float>::quiet_NaN());
  for (const LabelledHead& head : entry.value->heads)
    if (head.at.at.sublayer == sublayer)
      numbers.values(head.at.at.layer, head.at.head) = score_in(head.scores, view);
  return numbers;
}

}  // namespace

bool can_show(const Ui& ui, TileView view) {
  const ModelDocument& model = *shown_model(ui);
  if (view == TileView::kSensitivity) return model.network.read_out || ui.state.sensitivity.on;
  if (view == TileView::kPatched) return model.network.read_out && model_of_a(ui).document;
  if (view != TileView::kReadOut) return true;
  return model.network.read_out && ui.document().layer.at.sublayer == Sublayer::kSelf;
}

TileView shown_tile_view(const Ui& ui) {
  const TileView chosen = ui.state.model.tiles;
  return can_show(ui, chosen) ? chosen : TileView::kAttention;
}

const char* tile_view_name(TileView view) {
  switch (view) {
    case TileView::kAttention:
      return tr_later("attention");
    case TileView::kEffect:
      return tr_later("effect on the answer");
    case TileView::kWritten:
      return tr_later("written to the answer");
    case TileView::kPrevious:
      return tr_later("previous");
    case TileView::kInduction:
      return tr_later("induction");
    case TileView::kDuplicate:
      return tr_later("duplicate");
    case TileView::kFirst:
      return tr_later("first");
    case TileView::kEntropy:
      return tr_later("entropy");
    case TileView::kPatched:
      return tr_later("patched from A");
    case TileView::kReadOut:
      return tr_later("read-out");
    case TileView::kSensitivity:
      return tr_later("moves the answer");
  }
  return "";
}

std::string tile_view_meaning(TileView view) {
  switch (view) {
    case TileView::kAttention:
      return tr("The attention weights of each head on this text");
    case TileView::kEffect:
      return tr("How the logit of the answer changes when the head is muted");
    case TileView::kWritten:
      return tr("What the head writes to the logit of the answer directly");
    case TileView::kPrevious:
      return tr("Attention to the token before, on random tokens that are repeated");
    case TileView::kInduction:
      return tr("Attention to what followed an equal token, on random tokens that are repeated");
    case TileView::kDuplicate:
      return tr("Attention to an equal token before, on random tokens that are repeated");
    case TileView::kFirst:
      return tr("Attention to the first token, on random tokens that are repeated");
    case TileView::kEntropy:
      return tr("Mean entropy of the weights on this text: 0 is one token alone");
    case TileView::kPatched:
      return tr("How the logit of the answer changes when the head writes what it writes in A");
    case TileView::kReadOut:
      return tr("What would be read out after each layer, at every token");
    case TileView::kSensitivity:
      return tr(
          "The derivative of the answer, or of the number asked about, by what the head is "
          "multiplied by");
  }
  return {};
}

std::optional<TileNumbers> tile_numbers(Ui& ui, TileView view) {
  switch (view) {
    case TileView::kAttention:
    case TileView::kReadOut:
      return std::nullopt;
    case TileView::kEffect:
      return effect(ui);
    case TileView::kWritten:
      return written(ui);
    case TileView::kPatched:
      return patched(ui);
    case TileView::kSensitivity:
      return sensitivity(ui);
    case TileView::kEntropy:
      return entropy(ui);
    default:
      return labels(ui, view);
  }
}

}  // namespace lab::view
