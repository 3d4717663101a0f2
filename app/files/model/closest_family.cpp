#include "app/files/model/closest_family.h"

#include <set>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/files/model/families.h"

namespace lab::files {
namespace {

// LayerNames in a layer, without ".weight" and ".bias".
using LayerNames = std::set<std::string>;

void add(LayerNames& names, const std::vector<const char*>& more) {
  for (const char* name : more)
    if (name != nullptr) names.insert(name);
}

// Those that every model of the family has; `optional` are those that some have.
LayerNames names_of(const StackNames& stack, LayerNames& optional) {
  LayerNames names;
  for (const AttentionNames* attention : {&stack.attention, &stack.cross_attention}) {
    add(names,
        {attention->fused, attention->query, attention->key, attention->value, attention->output});
    add(names, {attention->sinks, attention->query_bias, attention->value_bias});
    add(optional, {attention->query_norm, attention->key_norm, attention->distance_bias,
                   attention->position_key, attention->position_query});
    const LatentNames& latent = attention->latent;
    add(names, {latent.key_value_down, latent.key_value_norm, latent.key_value_up});
    add(optional, {latent.query_down, latent.query_norm, latent.query_up});
    add(names, {attention->norms.before, attention->norms.branch, attention->norms.after});
  }
  add(names, {stack.gate_up, stack.up, stack.down, stack.mlp_norms.before, stack.mlp_norms.branch,
              stack.mlp_norms.after});
  add(optional, {stack.gate, stack.gated_up, stack.convolution.in, stack.convolution.kernel,
                 stack.convolution.out});
  return names;
}

// The names of the tensors that begin with `start`, without it.
LayerNames names_after(const Checkpoint& checkpoint, const std::string& start) {
  LayerNames names;
  for (auto at = checkpoint.tensors().lower_bound(start);
       at != checkpoint.tensors().end() && at->first.starts_with(start); ++at) {
    std::string name = at->first.substr(start.size());
    for (const std::string_view ending : {".weight", ".bias"})
      if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    names.insert(name);
  }
  return names;
}

LayerNames without(const LayerNames& names, const LayerNames& others) {
  LayerNames rest;
  for (const std::string& name : names)
    if (!others.contains(name)) rest.insert(name);
  return rest;
}

struct Likeness {
  const Family* family = nullptr;
  double share = 0;  // names in common, of all names of both
  LayerNames more{}, missing{};
};

Likeness likeness(const Family& family, const Checkpoint& checkpoint) {
  Likeness best{.family = &family};
  LayerNames optional;
  const LayerNames expected = names_of(family.names.stack, optional);
  for (const char* prefix : family.names.prefixes) {
    if (prefix == nullptr) continue;
    std::string start = prefix + std::string(family.names.stack.layer);
    replace_all(start, "{}", "0");
    const LayerNames found = names_after(checkpoint, start);
    const LayerNames missing = without(expected, found);
    const LayerNames more = without(without(found, expected), optional);
    const auto common = static_cast<double>(expected.size() - missing.size());
    const double share =
        common / (common + static_cast<double>(missing.size()) + static_cast<double>(more.size()));
    if (common > 0 && share > best.share) best = {&family, share, more, missing};
  }
  return best;
}

std::string list_of(const LayerNames& names) {
  constexpr std::size_t kNamed = 3;
  std::string list;
  std::size_t count = 0;
  for (const std::string& name : names)
    if (count++ < kNamed) list += (list.empty() ? "" : ", ") + in_quotes(name);
  return count > kNamed ? list + " and " + std::to_string(count - kNamed) + " more" : list;
}

}  // namespace

std::string closest_family(const Checkpoint& checkpoint) {
  Likeness closest;
  for (const Family& family : families())
    if (Likeness one = likeness(family, checkpoint); one.share > closest.share)
      closest = std::move(one);
  if (closest.share < 0.5) return {};
  std::string text =
      "its tensors are named most like those of " + std::string(closest.family->name);
  if (!closest.more.empty()) text += ", but there is " + list_of(closest.more);
  if (!closest.missing.empty())
    text += (closest.more.empty() ? ", but there is no " : " and no ") + list_of(closest.missing);
  return text;
}

}  // namespace lab::files
