#include "app/document/heads.h"

#include <algorithm>

#include "app/document/model/model_document.h"
#include "app/translation/words.h"

namespace lab {

using attention::Override;
using attention::network::CellOverride;
using attention::network::HeadPatch;

bool has_head(const Document& document, const HeadRef& head) {
  if (!document.layer.model)
    return head.at == document.layer.at && head.head < document.problem.config.n_heads;
  const auto* const attention = find_attention(document.layer.model->network, head.at);
  return attention != nullptr && head.head < attention->n_heads;
}

attention::HeadMix head_mix(const Document& document, const HeadRef& head) {
  if (document.layer.model)
    return head_mix(document.layer.model->interventions, head.at, head.head);
  const auto& mix = document.problem.head_mix;
  return mix.empty() ? attention::HeadMix{} : mix[static_cast<std::size_t>(head.head)];
}

bool is_silent(const Document& document, const HeadRef& head) {
  return document.layer.model
             ? head_gain(document.layer.model->interventions, head.at, head.head) == 0
             : head_gain(document.problem, head.head) == 0;
}

bool is_overridden(const Document& document, const HeadRef& head) {
  const auto of_head = [&](const Override& one) {
    return is_per_head(one.stage) && one.head == head.head;
  };
  if (!document.layer.model) return std::ranges::any_of(document.problem.overrides, of_head);
  const auto& all = document.layer.model->interventions;
  return std::ranges::any_of(
             all.overrides,
             [&](const CellOverride& one) { return one.at == head.at && of_head(one.cell); }) ||
         std::ranges::any_of(all.patches, [&](const HeadPatch& patch) {
           return patch.at == head.at && patch.head == head.head;
         });
}

const HeadPatch* output_patch(const Document& document, const HeadRef& head) {
  if (!document.layer.model) return nullptr;
  const auto& patches = document.layer.model->interventions.patches;
  const auto patch = std::ranges::find_if(patches, [&](const HeadPatch& one) {
    return one.at == head.at && one.head == head.head && one.stage == attention::Stage::kHeadOutput;
  });
  return patch == patches.end() ? nullptr : &*patch;
}

int first_head_number(const Document& document) { return document.layer.model ? 0 : 1; }

std::string head_in_text(const Document& document, const HeadRef& head) {
  return document.layer.model ? model_head_name(head.at, head.head)
                              : head_in_text(document, head.head);
}

std::string heads_in_text(const Document& document, const std::vector<HeadRef>& heads) {
  std::string text = head_in_text(document, heads.front());
  if (heads.size() > 1) text += " " + tr("and {} more", {std::to_string(heads.size() - 1)});
  return text;
}

}  // namespace lab
