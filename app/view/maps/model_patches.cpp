#include "app/view/maps/model_patches.h"

#include <algorithm>

#include "app/document/model/seen_layer.h"
#include "app/translation/words.h"

namespace lab::view {
namespace {

using attention::Matrix;
using attention::Stage;
using attention::network::HeadPatch;

bool is_of(const HeadPatch& patch, const ModelHead& head) {
  return patch.at == head.at && patch.head == head.head && patch.stage == Stage::kHeadOutput;
}

}  // namespace

AnalysedModel model_of_a(const Ui& ui) {
  const auto& a = ui.state.compare.a;
  const ModelDocument* const edited = edited_model(ui);
  if (!a || ui.kept || edited == nullptr || !a->document.layer.model || !a->network) return {};
  const ModelDocument& model = *a->document.layer.model;
  const bool same = model.source == edited->source &&
                    model.text.ids.size() == edited->text.ids.size() &&
                    model.decoder_text.ids.size() == edited->decoder_text.ids.size();
  if (!same) return {};
  return {a->document.layer.model, a->network};
}

void patch_from_a(Ui& ui, const std::vector<ModelHead>& heads) {
  const AnalysedModel from = model_of_a(ui);
  if (!from.document) return;
  for (const ModelHead& head : heads) {
    const Matrix values = head_output(*from.document, *from.trace, head);
    ui.queue(
        intent::Apply{SetOverrides{{Stage::kHeadOutput, static_cast<int>(head.head), 0, 0}, values},
                      {},
                      head.at,
                      [heads] { return tr("Patch {} from A", {name_of_heads(heads)}); },
                      key_of_heads(ui)});
  }
}

void remove_patches(Ui& ui, std::vector<ModelHead> heads) {
  const ModelDocument* const model = edited_model(ui);
  if (model == nullptr || ui.kept) return;
  std::erase_if(heads, [&](const ModelHead& head) { return !is_patched(*model, head); });
  for (const ModelHead& head : heads) {
    const auto patch = std::ranges::find_if(model->interventions.patches,
                                            [&](const auto& one) { return is_of(one, head); });
    const Matrix& values = *patch->values;
    ui.queue(intent::Apply{RemoveOverrides{{Stage::kHeadOutput, static_cast<int>(head.head), 0, 0},
                                           static_cast<int>(values.rows()),
                                           static_cast<int>(values.cols())},
                           {},
                           head.at,
                           [heads] { return tr("Remove the patch of {}", {name_of_heads(heads)}); },
                           key_of_heads(ui)});
  }
}

bool is_patched(const ModelDocument& model, const ModelHead& head) {
  return std::ranges::any_of(model.interventions.patches,
                             [&](const HeadPatch& patch) { return is_of(patch, head); });
}

}  // namespace lab::view
