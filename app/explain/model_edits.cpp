#include "app/explain/model_edits.h"

#include <algorithm>

#include "app/document/model/layer_name.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"

namespace lab::explain {
namespace {

using attention::network::HeadGain;
using attention::network::Interventions;

void append(std::string& text, const std::string& addition, const char* between) {
  if (!addition.empty()) text += (text.empty() ? "" : between) + addition;
}

// "L1H0, L2H3": the heads for which `is` holds.
template <typename Is>
std::string heads_that(const Interventions& interventions, Is is) {
  std::string names;
  for (const HeadGain& gain : interventions.gains)
    if (is(gain)) append(names, model_head_name(gain.at, gain.head), ", ");
  return names;
}

std::string gains_in_words(const Interventions& interventions) {
  std::string text;
  const std::string muted = heads_that(interventions, [](const HeadGain& g) { return g.mute; });
  const std::string solo = heads_that(interventions, [](const HeadGain& g) { return g.solo; });
  if (!muted.empty()) append(text, tr("{} muted", {muted}), " · ");
  if (!solo.empty()) append(text, tr("{} alone in its layer", {solo}), " · ");
  for (const HeadGain& gain : interventions.gains)
    if (!gain.mute && !attention::same_bits(gain.gain, 1))
      append(text,
             model_head_name(gain.at, gain.head) + " × " +
                 with_minus_signs(format_significant(gain.gain, 3)),
             " · ");
  return text;
}

// "3, cross.0": the layers whose weights were edited.
std::string edited_layers(const ModelDocument& document) {
  std::string names;
  const attention::network::Network& unedited = unedited_network(document);
  for (const auto& at : all_layer_ids(unedited))
    if (!(*find_attention(unedited, at) == *find_attention(document.network, at)))
      append(names, layer_name(at), ", ");
  return names;
}

}  // namespace

std::string edits_in_words(const ModelDocument& document) {
  const Interventions& done = document.interventions;
  std::string text = gains_in_words(done);
  if (!attention::same_bits(document.adapter_gain, 1))
    append(text,
           tr("adapter × {}", {with_minus_signs(format_significant(document.adapter_gain, 3))}),
           " · ");
  const auto numbers = static_cast<long>(done.overrides.size() + done.stream.size());
  if (numbers > 0)
    append(text, tr_count("{} number set by hand", "{} numbers set by hand", numbers), " · ");
  const auto patches = static_cast<long>(done.patches.size());
  if (patches > 0) append(text, tr_count("{} head patched", "{} heads patched", patches), " · ");
  const std::string layers = edited_layers(document);
  if (!layers.empty()) append(text, tr("weights of layer {} edited", {layers}), " · ");
  return text;
}

}  // namespace lab::explain
