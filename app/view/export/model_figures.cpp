#include "app/view/export/model_figures.h"

#include <algorithm>
#include <array>

#include "app/document/model/layer_document.h"
#include "app/document/training/training_document.h"
#include "app/figure/compose/layer_grid.h"
#include "app/figure/model/analysis_figures.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_patches.h"
#include "app/view/maps/training_lines.h"

namespace lab::view {
namespace {

using figure::ModelFigure;

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
    WholeFigure{WholeModel::kNext, tr_later("The likeliest next tokens"), "next-tokens", true},
    WholeFigure{WholeModel::kCurves, tr_later("Curves of the training"), "training", false}};

// Of the tokens that were shown before the edits; empty unless all are known.
std::vector<float> before_edits(const Ui& ui, const RowPredictions& next) {
  std::vector<float> probabilities;
  const auto& before = ui.unedited.predictions.value;
  if (!before || before->row != next.row) return probabilities;
  for (const Prediction& one : next.top) {
    const auto known = std::ranges::find(before->pinned, one.id, &Prediction::id);
    if (known == before->pinned.end()) return {};
    probabilities.push_back(known->probability);
  }
  return probabilities;
}

// A part whose numbers are whole and of what is shown.
template <typename Value>
const Value* ready(const AnalysisEntry<Value>& part) {
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
    if (one.whole == WholeModel::kCurves && shown_training(ui) == nullptr) continue;
    const bool answers = one.whole == WholeModel::kNext && answers_each_token(*model);
    choices.push_back({one.whole, answers ? tr("The likeliest answers") : tr(one.name)});
  }
  return choices;
}

WholeModel chosen_whole_model(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  const bool numbers =
      exporting.mode == ExportMode::kNumbers && exporting.whole != WholeModel::kAttention;
  if (exporting.mode != ExportMode::kFigure && !numbers) return WholeModel::kNone;
  const auto choices = model_figure_choices(ui);
  const auto chosen = std::ranges::find(choices, exporting.whole, &ModelFigureChoice::whole);
  return chosen == choices.end() ? WholeModel::kNone : exporting.whole;
}

void want_model_figure(Ui& ui, WholeModel whole) {
  AnalysisRequest& requested = ui.requested;
  if (whole == WholeModel::kEffect) requested.knock_out = true;
  if (whole == WholeModel::kWritten) requested.direct = true;
  if (whole == WholeModel::kPatched) requested.patch_from = model_of_a(ui);
  if (whole == WholeModel::kEntropy) requested.entropies = true;
  if (whole == WholeModel::kReadOut) requested.lens_of_all_rows = true;
  if (whole == WholeModel::kNext) requested.predictions = true;
  if (whole == WholeModel::kCurves) (void)training_lines(ui);
}

std::optional<ModelFigure> model_figure_of(const Ui& ui, WholeModel whole) {
  const AnalysisResult& known = ui.analysis;
  const ModelDocument& model = *shown_model(ui);
  if (whole == WholeModel::kEffect)
    if (const auto* maps = ready(known.knock_out))
      return figure::knock_out_figure(model, maps->answer, maps->maps);
  if (whole == WholeModel::kPatched)
    if (const auto* maps = ready(known.patching))
      return figure::patching_figure(model, maps->answer, maps->maps);
  if (whole == WholeModel::kWritten)
    if (const auto* parts = ready(known.direct))
      return figure::direct_figure(model, parts->answer, parts->parts.heads);
  if (whole == WholeModel::kEntropy)
    if (const auto* maps = ready(known.entropies)) return figure::entropy_figure(model, *maps);
  if (whole == WholeModel::kReadOut)
    if (const auto* grid = ready(known.lens_of_all_rows)) return figure::lens_figure(model, *grid);
  if (whole == WholeModel::kNext)
    if (const auto* next = ready(known.predictions))
      return figure::next_figure(model, next->row, next->top, before_edits(ui, *next));
  if (whole == WholeModel::kCurves && ui.state.training.lines) return *ui.state.training.lines;
  return std::nullopt;
}

Snapshot attention_of_all_layers(const Ui& ui) {
  const ModelDocument& model = *shown_model(ui);
  return all_layers(*model.source, tokens_of(model), *ui.network_trace(), model.interventions,
                    ui.document().layer.at.sublayer);
}

figure::FigureOptions all_layers_options(const Ui& ui, const Document& all,
                                         figure::FigureOptions options) {
  options.type = figure::FigureType::kHeads;
  options.stage = attention::Stage::kWeights;
  options.heads.clear();
  options.range_rule = figure::RangeRule::kShared;
  const auto focused =
      std::ranges::find(all.head_names, model_head_name(ui.document().layer.at, ui.state.head));
  if (focused != all.head_names.end())
    options.head = static_cast<int>(focused - all.head_names.begin());
  return figure::with_layers(all, figure::caption_text(figure::caption_of(*shown_model(ui))),
                             std::move(options));
}

std::string numbers_pending_text() { return tr("Its numbers are still being computed"); }

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
    case WholeModel::kCurves:
      return ui.state.training.lines.get();
  }
  return nullptr;
}

}  // namespace lab::view
