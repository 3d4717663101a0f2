#include "core/network/absorb_layer.h"

#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/network/layer_matrix.h"

namespace attention::network {
namespace {

[[noreturn]] void refuse_edit(const std::string& problem) { throw std::invalid_argument(problem); }

void require_kept(bool kept, const std::string& what) {
  if (!kept) refuse_edit(what + " cannot be changed in a layer of a model");
}

void require_same_config(const Config& a, const Config& b) {
  require_kept(a.d_model == b.d_model && a.d_out == b.d_out, "d_model");
  require_kept(a.n_heads == b.n_heads && a.n_kv_heads == b.n_kv_heads, "the number of heads");
  require_kept(a.d_k == b.d_k && a.d_v == b.d_v, "the size of heads");
  require_kept(a.head_build == b.head_build, "how heads are built");
  require_kept(a.scale == b.scale && a.temperature == b.temperature, "the scale of scores");
  require_kept(a.mask == b.mask, "the mask");
  require_kept(a.positions == b.positions && a.rotary_base == b.rotary_base &&
                   a.rotary_pairs == b.rotary_pairs && a.rotary_scale == b.rotary_scale,
               "the kind of positions");
  require_kept(a.biases == b.biases, "whether biases are added");
  require_kept(a.sink == b.sink, "whether there are sinks");
  require_kept(a.dropout_rate == b.dropout_rate && a.dropout_seed == b.dropout_seed, "dropout");
  require_kept(a.residual == b.residual && a.layer_norm == b.layer_norm,
               "the residual and the layer norm");
  require_kept(a == b, "this setting");
}

bool same_list(const std::vector<SharedMatrix>& a, const std::vector<SharedMatrix>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = a[i].same_as(b[i]);
  return same;
}

void require_same_inputs(const Problem& a, const Problem& b) {
  if (!a.embedding.same_as(b.embedding))
    refuse_edit("X of a model's layer is computed by the layers before it, and cannot be edited");
  if (!a.embedding_kv.same_as(b.embedding_kv))
    refuse_edit("X_kv of a model's layer is computed by other layers, and cannot be edited");
  require_kept(a.position_table.same_as(b.position_table) &&
                   a.position_table_kv.same_as(b.position_table_kv) &&
                   a.rotary_first == b.rotary_first &&
                   a.rotary_frequencies.same_as(b.rotary_frequencies),
               "positions");
  require_kept(a.input_parts == b.input_parts, "what X consists of");
  require_kept(a.key_layer == b.key_layer, "whose keys and values are used");
  require_kept(same_relative(a.relative, b.relative), "scores by distance");
  require_kept(a.allowed.same_as(b.allowed), "the mask");
  require_kept(a.bias.same_as(b.bias) && same_list(a.head_bias, b.head_bias), "score_bias");
}

void absorb_parameters(const Problem& shown, const Problem& edited, Attention& attention) {
  for_each_parameter(
      edited.parameters, [&](const MatrixInfo& info, Index head, const SharedMatrix& matrix) {
        if (matrix.same_as(matrix_of(shown, info.id, head))) return;
        if (const auto other = matrix_of_other_layer(attention, info.id); !other.empty())
          refuse_edit(other);
        require_kept(layer_matrix_count(attention, info.id) > 0, std::string(info.name));
        set_layer_matrix(attention, info.id, head, *matrix);
      });
}

// The overrides of one layer by their cells.
class CellTable {
 public:
  explicit CellTable(const std::vector<Override>& overrides) {
    for (const Override& cell : overrides) cells_.emplace(key(cell), cell.value);
  }
  // True when the cell is overridden, with any number.
  bool contains(const Override& cell) const { return cells_.contains(key(cell)); }

 private:
  using Key = std::tuple<Stage, Index, Index, Index>;
  static Key key(const Override& cell) { return {cell.stage, cell.head, cell.row, cell.col}; }
  std::map<Key, float> cells_;
};

// True when `cell` is one of the patch.
bool covers(const HeadPatch& patch, const Override& cell) {
  return patch.stage == cell.stage && patch.head == cell.head;
}

bool is_whole(const HeadPatch& patch, const CellTable& cells) {
  for (Index i = 0; i < patch.values->rows(); ++i)
    for (Index j = 0; j < patch.values->cols(); ++j)
      if (!cells.contains({patch.stage, patch.head, i, j, 0})) return false;
  return true;
}

// The overrides of keys and values that are another layer's, or those of the layer itself.
std::vector<Override> overrides_of(const Problem& problem, const Attention& attention,
                                   bool of_other) {
  std::vector<Override> found;
  for (const Override& cell : problem.overrides)
    if (refused_stage(attention, cell.stage).empty() != of_other) found.push_back(cell);
  return found;
}

// Those of another layer stay as they are, also where all are cleared.
void require_others_kept(const Problem& shown, const Problem& edited, const Attention& attention) {
  const std::vector<Override> before = overrides_of(shown, attention, true);
  const std::vector<Override> now = overrides_of(edited, attention, true);
  const bool cleared = edited.overrides.empty() && before.size() < shown.overrides.size();
  if (before == now || cleared) return;
  const Override& changed = now.size() > before.size() ? now.back() : before.back();
  refuse_edit(std::string(stage_name(changed.stage)) + " " +
              refused_stage(attention, changed.stage));
}

void require_replaceable(const Override& cell, const LayerId& at) {
  const std::string refused = refused_stage(cell.stage, at.sublayer);
  if (!refused.empty()) refuse_edit(std::string(stage_name(cell.stage)) + " " + refused);
}

void absorb_overrides(const std::vector<Override>& edited, const LayerId& at, Interventions& all) {
  const CellTable cells(edited);
  std::erase_if(all.patches,
                [&](const HeadPatch& patch) { return patch.at == at && !is_whole(patch, cells); });
  std::erase_if(all.overrides, [&](const CellOverride& other) { return other.at == at; });
  const auto patched = [&](const Override& cell) {
    for (const HeadPatch& patch : all.patches)
      if (patch.at == at && covers(patch, cell))
        return same_bits((*patch.values)(cell.row, cell.col), cell.value);
    return false;
  };
  for (const Override& cell : edited)
    if (!patched(cell)) all.overrides.push_back({at, cell});
}

}  // namespace

EditedNetwork absorb_layer(const EditedNetwork& before, const LayerId& at, const Problem& shown,
                           const Problem& edited) {
  require_same_config(shown.config, edited.config);
  require_same_inputs(shown, edited);
  EditedNetwork result = before;
  Attention* const attention = find_attention(result.network, at);
  if (attention == nullptr) refuse_edit("there is no layer " + std::to_string(at.layer));
  require_others_kept(shown, edited, *attention);
  const std::vector<Override> overrides = overrides_of(edited, *attention, false);
  for (const Override& cell : overrides) require_replaceable(cell, at);
  validate(edited);
  absorb_parameters(shown, edited, *attention);
  set_layer_mix(edited.head_mix, at, result.interventions);
  if (edited.overrides != shown.overrides) absorb_overrides(overrides, at, result.interventions);
  return result;
}

}  // namespace attention::network
