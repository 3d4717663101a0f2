#include "app/document/model/adapter_gain.h"

#include <cmath>
#include <memory>

#include "app/document/model/layer_name.h"
#include "core/network/layer_matrix.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::Attention;
using attention::network::Network;

// `changed` with the numbers of `edited` that differ from `before`; all of the same sublayer.
void follow_edits(const Attention& before, const Attention& edited, Attention& changed) {
  for (const attention::MatrixInfo& info : attention::kMatrixInfos)
    for (Index head = 0; head < layer_matrix_count(before, info.id); ++head) {
      if (same_layer_matrix(before, edited, info.id, head)) continue;
      const Matrix old = layer_matrix_values(before, info.id, head);
      const Matrix typed = layer_matrix_values(edited, info.id, head);
      Matrix values = layer_matrix_values(changed, info.id, head);
      bool differs = false;
      for (Index i = 0; i < values.size(); ++i)
        if (!attention::same_bits(old.data()[i], typed.data()[i])) {
          values.data()[i] = typed.data()[i];
          differs = true;
        }
      if (differs) set_layer_matrix(changed, info.id, head, values);
    }
}

Network with_edits(const Network& before, const Network& edited, const Network& after) {
  Network result = after;
  for (const auto& at : all_layer_ids(before)) {
    const Attention& old = *find_attention(before, at);
    const Attention& changed = *find_attention(edited, at);
    if (!(old == changed)) follow_edits(old, changed, *find_attention(result, at));
  }
  return result;
}

}  // namespace

Expected<ModelDocument> reduce(const ModelDocument& document, const SetAdapterGain& command) {
  if (document.source->adapter.empty())
    return fail(ErrorType::kBadInput, "the model has no adapter");
  if (!(std::abs(command.gain) <= kLargestAdapterGain))
    return fail(ErrorType::kBadInput, "the gain of an adapter should be from −100 to 100");
  ModelDocument changed = document;
  changed.adapter_gain = command.gain;
  changed.adapted = nullptr;
  if (!attention::same_bits(command.gain, 1))
    changed.adapted =
        std::make_shared<const Network>(with_adapter_gain(document.source->network, command.gain));
  const Network &before = unedited_network(document), &after = unedited_network(changed);
  changed.network = with_edits(before, document.network, after);
  if (document.weights_off) changed.weights_off = with_edits(before, *document.weights_off, after);
  return changed;
}

}  // namespace lab
