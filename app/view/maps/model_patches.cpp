#include "app/view/maps/model_patches.h"

#include <algorithm>

#include "app/document/model/shown_layer.h"
#include "app/translation/words.h"

namespace lab::view {
namespace {

using attention::Matrix;
using attention::Stage;

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

void patch_from_a(Ui& ui, const std::vector<HeadRef>& heads) {
  const AnalysedModel from = model_of_a(ui);
  if (!from.document) return;
  const auto names = names_for_label(ui, heads);
  for (const HeadRef& head : heads) {
    const Matrix values = head_output(*from.document, *from.trace, head);
    ui.queue(
        intent::Apply{SetOverrides{{Stage::kHeadOutput, static_cast<int>(head.head), 0, 0}, values},
                      {},
                      head.at,
                      [names] { return tr("Patch {} from A", {names()}); },
                      key_of_step(ui)});
  }
}

void remove_patches(Ui& ui, std::vector<HeadRef> heads) {
  if (ui.state.compare.shown()) return;
  std::erase_if(heads, [&](const HeadRef& head) { return !output_patch(ui.edited(), head); });
  const auto names = names_for_label(ui, heads);
  for (const HeadRef& head : heads) {
    const Matrix& values = *output_patch(ui.edited(), head)->values;
    ui.queue(intent::Apply{RemoveOverrides{{Stage::kHeadOutput, static_cast<int>(head.head), 0, 0},
                                           static_cast<int>(values.rows()),
                                           static_cast<int>(values.cols())},
                           {},
                           head.at,
                           [names] { return tr("Remove the patch of {}", {names()}); },
                           key_of_step(ui)});
  }
}

}  // namespace lab::view
