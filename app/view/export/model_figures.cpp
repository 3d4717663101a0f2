#include "app/view/export/model_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/model/layer_document.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/token_name.h"
#include "app/figure/compose/layer_grid.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_patches.h"
#include "app/view/maps/model_words.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::Sublayer;
using figure::ModelBars;
using figure::ModelFigure;
using figure::ModelMap;
using figure::ModelMaps;

struct WholeFigure {
  WholeModel whole;
  const char* name;
  const char* stem;
  bool predicts;  // needs a read-out
};
constexpr std::array kWholeFigures{
    WholeFigure{WholeModel::kAttention, tr_later("Attention of all layers × heads"),
                "layers-attention", false},
    WholeFigure{WholeModel::kEffect, tr_later("Effect of each head on the answer"), "layers-effect",
                true},
    WholeFigure{WholeModel::kWritten, tr_later("What each head writes to the answer"),
                "layers-written", true},
    WholeFigure{WholeModel::kPatched, tr_later("Effect of each head patched from A"),
                "layers-patched", true},
    WholeFigure{WholeModel::kEntropy, tr_later("Entropy of each head"), "layers-entropy", false},
    WholeFigure{WholeModel::kReadOut, tr_later("Read-out after each layer"), "read-out", true},
    WholeFigure{WholeModel::kNext, tr_later("The likeliest next tokens"), "next-tokens", true}};

figure::ModelCaption caption(const Ui& ui) { return figure::caption_of(*shown_model(ui)); }

std::string answer_text(const AskedAnswer& answer, const Ui& ui) {
  std::string text = tr("“{}”", {piece_of(ui, answer.token.prediction.id)});
  if (answer.minus) text += " − " + tr("“{}”", {piece_of(ui, answer.minus->prediction.id)});
  return text;
}

// A map for each sublayer, with muted heads.
std::vector<ModelMap> maps_of(const Ui& ui, const std::vector<HeadMap>& maps,
                              const std::string& name) {
  const ModelDocument& model = *shown_model(ui);
  std::vector<ModelMap> made;
  for (const HeadMap& map : maps) {
    const bool one = !model.network.encoder;
    const std::string title = one                                ? ""
                              : map.sublayer == Sublayer::kSelf  ? tr("Decoder")
                              : map.sublayer == Sublayer::kCross ? tr("Decoder to encoder")
                                                                 : tr("Encoder");
    made.push_back(figure::map_of_heads(title, name, map.values));
    for (Index layer = 0; layer < map.values.rows(); ++layer)
      for (Index head = 0; head < map.values.cols(); ++head)
        if (head_gain(model.interventions, {map.sublayer, layer}, head) == 0)
          made.back().muted.push_back({layer, head});
  }
  return made;
}

ModelFigure answer_maps(const Ui& ui, const AnswerMaps& maps, const std::string& title,
                        const std::string& name) {
  return ModelMaps{caption(ui), tr(title, {answer_text(maps.answer, ui)}),
                   maps_of(ui, maps.maps, name), true};
}

ModelFigure entropies(const Ui& ui, const std::vector<HeadMap>& maps) {
  ModelMaps made{caption(ui), tr("Entropy of the weights of each head, in nats"),
                 maps_of(ui, maps, "entropy"), true};
  for (ModelMap& map : made.maps) {
    map.is_signed = false;
    map.most = std::max(map.values.maxCoeff(), 1e-6f);
  }
  return made;
}

ModelFigure read_out(const Ui& ui, const LensGrid& grid) {
  ModelMap map;
  map.name = "probability";
  map.is_signed = false;
  map.row_caption = tr("token##axis"), map.column_caption = tr("after layer##axis");
  map.values = Matrix(grid.rows, grid.layers);
  for (Index row = 0; row < grid.rows; ++row) {
    map.row_labels.push_back(row_label(ui.document(), row));
    for (Index layer = 0; layer < grid.layers; ++layer) {
      map.values(row, layer) = grid.at(layer, row).probability;
      map.words.push_back(piece_of(ui, grid.at(layer, row).id));
    }
  }
  for (Index layer = 0; layer < grid.layers; ++layer)
    map.column_labels.push_back(layer == 0 ? tr("in##before the first layer")
                                           : "L" + std::to_string(layer - 1));
  return ModelMaps{
      caption(ui), tr("Logit lens: the likeliest token after each layer"), {std::move(map)}};
}

ModelFigure next_tokens_figure(const Ui& ui, const RowPredictions& next) {
  const bool causal = shown_model(ui)->source->causal;
  const std::string token = row_label(ui.document(), next.row);
  ModelBars bars{caption(ui),
                 causal ? tr("The likeliest tokens after “{}”", {token})
                        : tr("The likeliest tokens in place of “{}”", {token}),
                 {},
                 {}};
  const auto& before = ui.unedited.predictions.value;
  for (const Prediction& one : next.top) {
    figure::ModelBar bar;
    bar.token = piece_of(ui, one.id);
    bar.probability = one.probability;
    bar.accent = bars.bars.empty();
    if (before && before->row == next.row) {
      const auto known = std::ranges::find(before->pinned, one.id, &Prediction::id);
      if (known != before->pinned.end()) bar.before = known->probability;
    }
    bars.bars.push_back(std::move(bar));
  }
  return bars;
}

// A part whose numbers are whole and of what is shown.
template <typename Value>
const Value* ready(const AnalysisPart<Value>& part) {
  return part.current && part.progress >= 1 ? part.value.get() : nullptr;
}

}  // namespace

std::vector<ModelFigureChoice> model_figure_choices(const Ui& ui) {
  const ModelDocument* const model = shown_model(ui);
  std::vector<ModelFigureChoice> choices;
  if (model == nullptr) return choices;
  for (const WholeFigure& one : kWholeFigures) {
    if (one.predicts && !model->network.read_out) continue;
    if (one.whole == WholeModel::kPatched && !model_of_a(ui).document) continue;
    choices.push_back({one.whole, tr(one.name)});
  }
  return choices;
}

WholeModel chosen_whole_model(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  if (exporting.mode != ExportMode::kFigure) return WholeModel::kNone;
  const auto choices = model_figure_choices(ui);
  const auto chosen = std::ranges::find(choices, exporting.whole, &ModelFigureChoice::whole);
  return chosen == choices.end() ? WholeModel::kNone : exporting.whole;
}

void want_model_figure(Ui& ui, WholeModel whole) {
  AnalysisRequest& wanted = ui.wanted;
  if (whole == WholeModel::kEffect) wanted.knock_out = true;
  if (whole == WholeModel::kWritten) wanted.direct = true;
  if (whole == WholeModel::kPatched) wanted.patch_from = model_of_a(ui);
  if (whole == WholeModel::kEntropy) wanted.entropies = true;
  if (whole == WholeModel::kReadOut) wanted.lens_of_all_rows = true;
  if (whole == WholeModel::kNext) wanted.predictions = true;
}

std::optional<ModelFigure> model_figure_of(const Ui& ui, WholeModel whole) {
  const AnalysisResult& known = ui.analysis;
  if (whole == WholeModel::kEffect)
    if (const auto* maps = ready(known.knock_out))
      return answer_maps(ui, *maps, tr_later("Change of the logit of {} when a head is muted"),
                         "knock_out");
  if (whole == WholeModel::kPatched)
    if (const auto* maps = ready(known.patching))
      return answer_maps(ui, *maps,
                         tr_later("Change of the logit of {} when a head is patched from A"),
                         "patching");
  if (whole == WholeModel::kWritten)
    if (const auto* parts = ready(known.direct))
      return answer_maps(ui, {parts->answer, {{Sublayer::kSelf, parts->parts.heads}}},
                         tr_later("What each head adds to the logit of {}"), "direct");
  if (whole == WholeModel::kEntropy)
    if (const auto* maps = ready(known.entropies)) return entropies(ui, *maps);
  if (whole == WholeModel::kReadOut)
    if (const auto* grid = ready(known.lens_of_all_rows)) return read_out(ui, *grid);
  if (whole == WholeModel::kNext)
    if (const auto* next = ready(known.predictions)) return next_tokens_figure(ui, *next);
  return std::nullopt;
}

Snapshot attention_of_all_layers(const Ui& ui) {
  const ModelDocument& model = *shown_model(ui);
  return all_layers(*model.source, tokens_of(model), *ui.network_trace(), model.interventions,
                    ui.document().layer.at.sublayer);
}

figure::FigureOptions all_layers_options(const Ui& ui, const Document& all,
                                         figure::FigureOptions options) {
  options.kind = figure::FigureKind::kHeads;
  options.stage = attention::Stage::kWeights;
  options.heads.clear();
  options.range_rule = figure::RangeRule::kShared;
  return figure::with_layers(all, figure::caption_text(caption(ui)), std::move(options));
}

std::string whole_model_stem(WholeModel whole) {
  return std::ranges::find(kWholeFigures, whole, &WholeFigure::whole)->stem;
}

const void* model_figure_numbers(const Ui& ui, WholeModel whole) {
  switch (whole) {
    case WholeModel::kNone:
      return nullptr;
    case WholeModel::kAttention:
      return ui.network_trace().get();
    case WholeModel::kEffect:
      return ready(ui.analysis.knock_out);
    case WholeModel::kWritten:
      return ready(ui.analysis.direct);
    case WholeModel::kPatched:
      return ready(ui.analysis.patching);
    case WholeModel::kEntropy:
      return ready(ui.analysis.entropies);
    case WholeModel::kReadOut:
      return ready(ui.analysis.lens_of_all_rows);
    case WholeModel::kNext:
      return ready(ui.analysis.predictions);
  }
  return nullptr;
}

}  // namespace lab::view
