#pragma once

#include <string>

#include "app/document/commands/command_spelling.h"
#include "app/document/commands/layer_switches.h"
#include "app/document/document.h"
#include "app/files/session/json_fields.h"
#include "app/files/session/stage_cell_json.h"
#include "core/problem.h"

// The variants of the layer, under the names used in both sessions and problem files.

namespace lab::files {

/// Calls visit(name, value, default value) for every variant in `config` other than its sizes,
/// scaling, temperature and causal mask.
template <typename AnyConfig, typename Visit>
void for_each_variant(AnyConfig& config, Visit&& visit) {
  static const attention::Config kDefault;
  const auto visit_switches = [&](VariantGroup group) {
    for_each_switch(group, [&](const LayerSwitch& record, auto) {
      visit(record.name, config.*record.on, kDefault.*record.on);
      if (record.epsilon != nullptr)
        visit(record.epsilon_name, config.*record.epsilon, kDefault.*record.epsilon);
    });
  };
  visit("key_count", config.mask.key_count, kDefault.mask.key_count);
  visit("window", config.mask.window, kDefault.mask.window);
  visit("positions", config.positions, kDefault.positions);
  visit("rotary_base", config.rotary_base, kDefault.rotary_base);
  visit("rotary_pairs", config.rotary_pairs, kDefault.rotary_pairs);
  visit("rotary_scale", config.rotary_scale, kDefault.rotary_scale);
  visit_switches(VariantGroup::kHeads);
  visit("head_norm_joint", config.head_norm_joint, kDefault.head_norm_joint);
  visit("value_norm", config.value_norm, kDefault.value_norm);
  visit("score_cap", config.score_cap, kDefault.score_cap);
  visit("dropout_rate", config.dropout_rate, kDefault.dropout_rate);
  visit("dropout_seed", config.dropout_seed, kDefault.dropout_seed);
  visit_switches(VariantGroup::kOutput);
}

/// The names of positions, pairs and builds of heads.
template <Spelt Id>
struct JsonValue<Id> {
  static Id read(const JsonCursor& value) {
    return value.named(Spelling<Id>::id, std::string(", should be ") + Spelling<Id>::kAllowed);
  }
  static void write(JsonWriter& out, Id id) { out.string(Spelling<Id>::name(id)); }
};

/// The mix of a head: {"mute": false, "solo": false, "scale": 1}; missing members have their
/// defaults.
template <>
struct JsonFields<attention::HeadMix> : StrictLine {
  static void visit(auto& mix, auto&& members) {
    members.may_miss("mute", mix.mute);
    members.may_miss("solo", mix.solo);
    members.may_miss("scale", mix.scale);
  }
};
/// Those of all heads, on one line.
inline constexpr JsonList<attention::HeadMix> kHeadMixList{.layout = JsonLayout::kOneLine};

/// An override: {"stage": "scores", "head": 1, "row": 0, "col": 2, "value": 4}; heads count from 1,
/// and a missing head is 1.
template <>
struct JsonFields<attention::Override> : StrictLine {
  static void visit(auto& one, auto&& members) {
    members("stage", one.stage);
    members.may_miss("head", one.head, JsonFromOne());
    members("row", one.row);
    members("col", one.col);
    members("value", one.value);
  }
};
/// All of them, on one line.
inline constexpr JsonList<attention::Override> kOverrideList{.layout = JsonLayout::kOneLine};

/// What is switched off: {"head_mix": […], "overrides": […]}.
template <>
struct JsonFields<SwitchedOff> : StrictLine {
  static void visit(auto& off, auto&& members) {
    members.unless_default("head_mix", off.head_mix, kHeadMixList);
    members.unless_default("overrides", off.overrides, kOverrideList);
  }
};

}  // namespace lab::files
