#include <algorithm>

#include "app/document/commands/reduce.h"

// Positions, biases, dropout, residual, norms, the cap of scores, and the mix of the heads.

namespace lab {

using attention::Config;
using attention::HeadMix;

Expected<Document> reduce(const Document& document, const SetPositions& command) {
  return with_config(document, [&](Config& config) {
    config.positions = command.kind.value_or(config.positions);
    config.rotary_base = command.base.value_or(config.rotary_base);
    config.rotary_pairs = command.pairs.value_or(config.rotary_pairs);
  });
}

Expected<Document> reduce(const Document& document, const SetBiases& command) {
  return with_config(document, [&](Config& config) { config.biases = command.on; });
}

Expected<Document> reduce(const Document& document, const SetDropout& command) {
  return with_config(document, [&](Config& config) {
    config.dropout_rate = command.rate.value_or(config.dropout_rate);
    config.dropout_seed = command.seed.value_or(config.dropout_seed);
  });
}

Expected<Document> reduce(const Document& document, const SetResidual& command) {
  return with_config(document, [&](Config& config) { config.residual = command.on; });
}

Expected<Document> reduce(const Document& document, const SetLayerNorm& command) {
  return with_config(document, [&](Config& config) {
    config.layer_norm = command.on.value_or(config.layer_norm);
    config.layer_norm_epsilon = command.epsilon.value_or(config.layer_norm_epsilon);
  });
}

Expected<Document> reduce(const Document& document, const SetHeadNorm& command) {
  return with_config(document, [&](Config& config) {
    config.head_norm = command.on.value_or(config.head_norm);
    config.head_norm_epsilon = command.epsilon.value_or(config.head_norm_epsilon);
  });
}

Expected<Document> reduce(const Document& document, const SetScoreCap& command) {
  if (auto fits = check_value(command.value); !fits) return tl::make_unexpected(fits.error());
  return with_config(document, [&](Config& config) { config.score_cap = command.value; });
}

Expected<Document> reduce(const Document& document, const SetHeadMix& command) {
  const int n_heads = document.problem.config.n_heads;
  if (auto there = check_head(command.head, n_heads); !there) {
    return tl::make_unexpected(there.error());
  }
  if (command.scale) {
    if (auto fits = check_value(*command.scale); !fits) return tl::make_unexpected(fits.error());
  }
  Document changed = document;
  auto& all = changed.problem.head_mix;
  all.resize(static_cast<std::size_t>(n_heads));
  HeadMix& mix = all[static_cast<std::size_t>(command.head)];
  mix.mute = command.mute.value_or(mix.mute);
  mix.solo = command.solo.value_or(mix.solo);
  mix.scale = command.scale.value_or(mix.scale);
  if (all == document.problem.head_mix) return document;
  const bool is_default =
      std::ranges::all_of(all, [](const HeadMix& head) { return head == HeadMix{}; });
  if (is_default) all.clear();
  return changed;
}

}  // namespace lab
