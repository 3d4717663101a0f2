#include "app/document/listed_edits.h"

#include <algorithm>
#include <tuple>

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
using Type = ListedEdit::Type;
using Effect = ListedEdit::Effect;

// The edit that each kind of intervention is a part of, without the number of its cells.
ListedEdit edit_of(const HeadGain& gain) {
  return {.type = Type::kMix,
          .at = gain.at,
          .head = gain.head,
          .mix = {gain.mute, gain.solo, gain.gain}};
}
ListedEdit edit_of(const HeadPatch& patch) {
  return {.type = Type::kPatch, .at = patch.at, .head = patch.head, .stage = patch.stage};
}
ListedEdit edit_of(const CellOverride& one) {
  const bool of_head = is_per_head(one.cell.stage);
  return {.type = Type::kCells,
          .at = one.at,
          .head = of_head ? one.cell.head : 0,
          .stage = one.cell.stage};
}
ListedEdit edit_of(const StreamOverride& one) { return {.type = Type::kStream, .at = one.at}; }

Index numbers_of(const HeadGain&) { return 0; }
Index numbers_of(const HeadPatch& patch) { return patch.values->size(); }
Index numbers_of(const CellOverride&) { return 1; }
Index numbers_of(const StreamOverride&) { return 1; }

bool same_subject(const ListedEdit& a, const ListedEdit& b) {
  return a.type == b.type && a.at == b.at && a.head == b.head && a.stage == b.stage;
}

// Calls visit(list) with each list of interventions.
template <typename All, typename Visit>
void for_each_list(All& all, Visit visit) {
  visit(all.gains), visit(all.patches), visit(all.overrides), visit(all.stream);
}

void add_interventions(const Interventions& all, Effect effect, std::vector<ListedEdit>& edits) {
  for_each_list(all, [&](const auto& list) {
    for (const auto& item : list) {
      ListedEdit edit = edit_of(item);
      edit.effect = effect;
      // From the end: cells of one edit follow one another.
      const auto known = std::find_if(edits.rbegin(), edits.rend(), [&](const ListedEdit& other) {
        return other.effect == effect && same_subject(other, edit);
      });
      ListedEdit& counted = known == edits.rend() ? edits.emplace_back(edit) : *known;
      counted.numbers += numbers_of(item);
    }
  });
}

// Those of a layer made by hand.
Interventions interventions_of(const std::vector<attention::HeadMix>& mix,
                               const std::vector<attention::Override>& overrides) {
  Interventions all;
  set_layer_mix(mix, {}, all);
  for (const attention::Override& cell : overrides) all.overrides.push_back({{}, cell});
  return all;
}

std::vector<attention::Override> cells_of(const Interventions& all) {
  std::vector<attention::Override> cells;
  for (const CellOverride& one : all.overrides) cells.push_back(one.cell);
  return cells;
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
std::vector<ListedEdit> weight_edits(const Attention& a, const Attention& b, const LayerId& at,
                                     Effect effect) {
  std::vector<ListedEdit> edits;
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
                 std::vector<ListedEdit>& edits) {
  for (const LayerId& at : all_layer_ids(unedited))
    for (const ListedEdit& edit :
         weight_edits(*find_attention(unedited, at), *find_attention(edited, at), at, effect))
      edits.push_back(edit);
}

Matrix values_in(const Network& network, const ListedEdit& edit) {
  return layer_matrix_values(*find_attention(network, edit.at), edit.matrix, edit.head);
}

// Takes the edit away again. The layer is that of the source itself once nothing of it is edited.
void restore_values(Network& network, const Network& unedited, const ListedEdit& edit) {
  Attention& edited = *find_attention(network, edit.at);
  set_layer_matrix(edited, edit.matrix, edit.head, values_in(unedited, edit));
  const Attention& original = *find_attention(unedited, edit.at);
  if (weight_edits(original, edited, edit.at, Effect::kOn).empty()) edited = original;
}

ModelDocument with_switched_weights(const ModelDocument& document, const ListedEdit& edit,
                                    bool on) {
  ModelDocument changed = document;
  const Network& unedited = unedited_network(document);
  Network off = document.weights_off.value_or(unedited);
  Network &from = on ? off : changed.network, &to = on ? changed.network : off;
  if (differences(values_in(to, edit), values_in(unedited, edit)) == 0)
    set_layer_matrix(*find_attention(to, edit.at), edit.matrix, edit.head, values_in(from, edit));
  restore_values(from, unedited, edit);
  changed.weights_off = off == unedited ? std::nullopt : std::optional(std::move(off));
  return changed;
}

// Moves what `edit` is about from one list to the other. What is there about the same stays
// instead.
template <typename Item>
void move_subject(const ListedEdit& edit, std::vector<Item>& from, std::vector<Item>& to) {
  const auto is_subject = [&](const Item& item) { return same_subject(edit_of(item), edit); };
  const bool taken = std::ranges::any_of(to, is_subject);
  if (!taken) std::ranges::copy_if(from, std::back_inserter(to), is_subject);
  std::erase_if(from, is_subject);
}

void move_subject(const ListedEdit& edit, Interventions& from, Interventions& to) {
  move_subject(edit, from.gains, to.gains);
  move_subject(edit, from.patches, to.patches);
  move_subject(edit, from.overrides, to.overrides);
  move_subject(edit, from.stream, to.stream);
}

// By layer and subject, so that an edit that is switched off stays where it was.
void sort(std::vector<ListedEdit>& edits) {
  std::ranges::stable_sort(edits, {}, [](const ListedEdit& edit) {
    return std::tuple(edit.at.layer, edit.at.sublayer, edit.type, edit.head, edit.stage,
                      edit.matrix);
  });
}

}  // namespace

std::vector<ListedEdit> edits_of(const ModelDocument& model) {
  std::vector<ListedEdit> edits;
  add_interventions(model.interventions, Effect::kOn, edits);
  add_interventions(model.switched_off, Effect::kOff, edits);
  add_interventions(model.detached.edits, Effect::kDetached, edits);
  add_interventions(model.detached.switched_off, Effect::kDetached, edits);
  add_weights(unedited_network(model), model.network, Effect::kOn, edits);
  if (model.weights_off)
    add_weights(unedited_network(model), *model.weights_off, Effect::kOff, edits);
  sort(edits);
  return edits;
}

std::vector<ListedEdit> edits_of(const Document& document) {
  if (document.layer.model) return edits_of(*document.layer.model);
  const attention::Problem& problem = document.problem;
  const SwitchedOff& off = document.switched_off;
  std::vector<ListedEdit> edits;
  add_interventions(interventions_of(problem.head_mix, problem.overrides), Effect::kOn, edits);
  add_interventions(interventions_of(off.head_mix, off.overrides), Effect::kOff, edits);
  add_interventions(interventions_of({}, document.detached->overrides), Effect::kDetached, edits);
  add_interventions(interventions_of({}, document.detached->switched_off), Effect::kDetached,
                    edits);
  sort(edits);
  return edits;
}

std::vector<ListedEdit> matching_edits(const SwitchEdit& command, const LayerId& at) {
  const Index head = command.head;
  if (command.what == "mix") return {{.type = Type::kMix, .at = at, .head = head}};
  if (command.what == "stream") return {{.type = Type::kStream, .at = at}};
  const auto matrix = matrix_from_name(command.what);
  const auto stage = attention::stage_from_name(command.what);
  if (!stage && matrix)
    return {{.type = Type::kWeights, .at = at, .head = head, .matrix = *matrix}};
  if (!stage) return {};
  const Index of_head = is_per_head(*stage) ? head : 0;
  return {{.type = Type::kCells, .at = at, .head = of_head, .stage = *stage},
          {.type = Type::kPatch, .at = at, .head = of_head, .stage = *stage}};
}

Matrix unedited_values(const ModelDocument& document, const ListedEdit& edit) {
  return values_in(unedited_network(document), edit);
}

ModelDocument with_switched(const ModelDocument& document, const ListedEdit& edit, bool on) {
  if (edit.type == Type::kWeights) return with_switched_weights(document, edit, on);
  ModelDocument changed = document;
  Interventions& from = on ? changed.switched_off : changed.interventions;
  move_subject(edit, from, on ? changed.interventions : changed.switched_off);
  return changed;
}

Document with_switched(const Document& document, const ListedEdit& edit, bool on) {
  Document changed = document;
  attention::Problem& problem = changed.problem;
  SwitchedOff& switched_off = changed.switched_off;
  Interventions active = interventions_of(problem.head_mix, problem.overrides);
  Interventions off = interventions_of(switched_off.head_mix, switched_off.overrides);
  move_subject(edit, on ? off : active, on ? active : off);
  const auto n_heads = static_cast<Index>(problem.config.n_heads);
  problem.head_mix = layer_mix(active, {}, n_heads);
  problem.overrides = cells_of(active);
  switched_off = {layer_mix(off, {}, n_heads), cells_of(off)};
  return changed;
}

}  // namespace lab
