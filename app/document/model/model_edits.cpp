#include "app/document/model/model_edits.h"

#include <algorithm>

#include "app/document/model/layer_name.h"
#include "core/network/layer_matrix.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::MatrixInfo;
using attention::network::Attention;
using attention::network::CellOverride;
using attention::network::HeadGain;
using attention::network::HeadPatch;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::Network;
using attention::network::StreamOverride;
using Type = ModelEdit::Type;
using Effect = ModelEdit::Effect;

// The edit that each kind of intervention is a part of, without the number of its cells.
ModelEdit edit_of(const HeadGain& gain) {
  return {.type = Type::kMix,
          .at = gain.at,
          .head = gain.head,
          .mix = {gain.mute, gain.solo, gain.gain}};
}
ModelEdit edit_of(const HeadPatch& patch) {
  return {.type = Type::kPatch, .at = patch.at, .head = patch.head, .stage = patch.stage};
}
ModelEdit edit_of(const CellOverride& one) {
  const bool of_head = is_per_head(one.cell.stage);
  return {.type = Type::kCells,
          .at = one.at,
          .head = of_head ? one.cell.head : 0,
          .stage = one.cell.stage};
}
ModelEdit edit_of(const StreamOverride& one) { return {.type = Type::kStream, .at = one.at}; }

Index numbers_of(const HeadGain&) { return 0; }
Index numbers_of(const HeadPatch& patch) { return patch.values->size(); }
Index numbers_of(const CellOverride&) { return 1; }
Index numbers_of(const StreamOverride&) { return 1; }

bool same_subject(const ModelEdit& a, const ModelEdit& b) {
  return a.type == b.type && a.at == b.at && a.head == b.head && a.stage == b.stage;
}

// Calls visit(list) with each list of interventions.
template <typename All, typename Visit>
void for_each_list(All& all, Visit visit) {
  visit(all.gains), visit(all.patches), visit(all.overrides), visit(all.stream);
}

void add_interventions(const Interventions& all, Effect effect, std::vector<ModelEdit>& edits) {
  for_each_list(all, [&](const auto& list) {
    for (const auto& item : list) {
      ModelEdit edit = edit_of(item);
      edit.effect = effect;
      const auto known = std::ranges::find_if(edits, [&](const ModelEdit& other) {
        return other.effect == effect && same_subject(other, edit);
      });
      ModelEdit& counted = known == edits.end() ? edits.emplace_back(edit) : *known;
      counted.numbers += numbers_of(item);
    }
  });
}

// Two numbers differ also when one of them is not a number.
Index differences(const Matrix& a, const Matrix& b) {
  Index count = 0;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j)
      if (!attention::same_bits(a(i, j), b(i, j))) ++count;
  return count;
}

// The edits that make `b` of `a`, the attention of the same layer.
std::vector<ModelEdit> weight_edits(const Attention& a, const Attention& b, const LayerId& at,
                                    Effect effect) {
  std::vector<ModelEdit> edits;
  if (a == b) return edits;
  for (const MatrixInfo& info : attention::kMatrixInfos)
    for (Index head = 0; head < layer_matrix_count(a, info.id); ++head) {
      const Index count =
          differences(layer_matrix_values(a, info.id, head), layer_matrix_values(b, info.id, head));
      if (count > 0)
        edits.push_back({.type = Type::kWeights,
                         .at = at,
                         .head = head,
                         .matrix = info.id,
                         .numbers = count,
                         .effect = effect});
    }
  return edits;
}

void add_weights(const Network& unedited, const Network& edited, Effect effect,
                 std::vector<ModelEdit>& edits) {
  for (const LayerId& at : all_layer_ids(unedited))
    for (const ModelEdit& edit :
         weight_edits(*find_attention(unedited, at), *find_attention(edited, at), at, effect))
      edits.push_back(edit);
}

Matrix values_in(const Network& network, const ModelEdit& edit) {
  return layer_matrix_values(*find_attention(network, edit.at), edit.matrix, edit.head);
}

// Takes the edit away again. The layer is that of the source itself once nothing of it is edited.
void restore_values(Network& network, const Network& unedited, const ModelEdit& edit) {
  Attention& edited = *find_attention(network, edit.at);
  set_layer_matrix(edited, edit.matrix, edit.head, values_in(unedited, edit));
  const Attention& original = *find_attention(unedited, edit.at);
  if (weight_edits(original, edited, edit.at, Effect::kOn).empty()) edited = original;
}

ModelDocument with_switched_weights(const ModelDocument& document, const ModelEdit& edit, bool on) {
  ModelDocument changed = document;
  const Network& unedited = document.source->network;
  Network off = document.weights_off.value_or(unedited);
  Network &from = on ? off : changed.network, &to = on ? changed.network : off;
  if (differences(values_in(to, edit), values_in(unedited, edit)) == 0)
    set_layer_matrix(*find_attention(to, edit.at), edit.matrix, edit.head, values_in(from, edit));
  restore_values(from, unedited, edit);
  changed.weights_off = off == unedited ? std::nullopt : std::optional(std::move(off));
  return changed;
}

// Moves what `edit` is about from one list to the other, where what is there already stays.
template <typename Item>
void move_subject(const ModelEdit& edit, std::vector<Item>& from, std::vector<Item>& to) {
  const auto is_subject = [&](const Item& item) { return same_subject(edit_of(item), edit); };
  const bool taken = std::ranges::any_of(to, is_subject);
  if (!taken) std::ranges::copy_if(from, std::back_inserter(to), is_subject);
  std::erase_if(from, is_subject);
}

}  // namespace

std::vector<ModelEdit> edits_of(const ModelDocument& document) {
  std::vector<ModelEdit> edits;
  add_interventions(document.interventions, Effect::kOn, edits);
  add_interventions(document.switched_off, Effect::kOff, edits);
  add_interventions(document.detached.edits, Effect::kDetached, edits);
  add_interventions(document.detached.switched_off, Effect::kDetached, edits);
  add_weights(document.source->network, document.network, Effect::kOn, edits);
  if (document.weights_off)
    add_weights(document.source->network, *document.weights_off, Effect::kOff, edits);
  std::ranges::stable_sort(edits, {}, [](const ModelEdit& edit) { return edit.at.layer; });
  return edits;
}

Matrix unedited_values(const ModelDocument& document, const ModelEdit& edit) {
  return values_in(document.source->network, edit);
}

ModelDocument with_switched(const ModelDocument& document, const ModelEdit& edit, bool on) {
  if (edit.type == Type::kWeights) return with_switched_weights(document, edit, on);
  ModelDocument changed = document;
  Interventions& from = on ? changed.switched_off : changed.interventions;
  Interventions& to = on ? changed.interventions : changed.switched_off;
  move_subject(edit, from.gains, to.gains);
  move_subject(edit, from.patches, to.patches);
  move_subject(edit, from.overrides, to.overrides);
  move_subject(edit, from.stream, to.stream);
  return changed;
}

}  // namespace lab
