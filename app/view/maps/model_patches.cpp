#include "app/view/maps/model_patches.h"

#include <algorithm>

#include "app/document/model/shown_layer.h"
#include "app/translation/words.h"

namespace lab::view {
namespace {

using attention::Matrix;
using attention::Stage;
using attention::network::HeadPatch;

bool is_of(const HeadPatch& patch, const ModelHead& head) {
  return patch.at == head.at && patch.head == head.head && patch.stage == Stage::kHeadOutput;
}

// The kept state while both are trained models; otherwise null.
const Snapshot* kept_model(const Ui& ui) {
  const Snapshot* const a = ui.state.compare.a.get();
  const bool both = a != nullptr && a->document.layer.model && edited_model(ui) != nullptr;
  return both && a->network ? a : nullptr;
}

// "7", or "7 + 3" of a model with two stacks.
std::string token_counts(const ModelDocument& model) {
  std::string counts = std::to_string(model.text.ids.size());
  if (model.network.encoder) counts += " + " + std::to_string(model.decoder_text.ids.size());
  return counts;
}

// Why positions of A are none of B, one sentence; empty when they are.
std::string difference_of(const ModelDocument& a, const ModelDocument& b) {
  if (a.source != b.source)
    return tr("A is another model: its heads cannot be patched into this one");
  const std::string in_a = token_counts(a), in_b = token_counts(b);
  if (in_a == in_b) return {};
  return tr("A has {} tokens and B {}: heads can be patched when both have as many tokens",
            {in_a, in_b});
}

}  // namespace

bool has_positions_of_a(const Ui& ui) {
  const Snapshot* const a = kept_model(ui);
  return a != nullptr && difference_of(*a->document.layer.model, *edited_model(ui)).empty();
}

AnalysedModel model_of_a(const Ui& ui) {
  if (ui.kept != nullptr || !has_positions_of_a(ui)) return {};
  const Snapshot& a = *kept_model(ui);
  return {a.document.layer.model, a.network};
}

std::string why_no_model_of_a(const Ui& ui) {
  const Snapshot* const a = kept_model(ui);
  if (ui.kept != nullptr || a == nullptr) return {};
  return difference_of(*a->document.layer.model, *edited_model(ui));
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
                      key_of_step(ui)});
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
                           key_of_step(ui)});
  }
}

bool is_patched(const ModelDocument& model, const ModelHead& head) {
  return std::ranges::any_of(model.interventions.patches,
                             [&](const HeadPatch& patch) { return is_of(patch, head); });
}

}  // namespace lab::view
