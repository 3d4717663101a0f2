#include <algorithm>

#include "app/document/commands/reduce.h"

// The switches and numbers of the layer, positions, dropout, and the mix of the heads.

namespace lab {

using attention::Config;
using attention::HeadMix;

Expected<Document> with_switch(const Document& document, const LayerSwitch& record,
                               std::optional<bool> on, std::optional<float> epsilon) {
  return with_config(document, [&](Config& config) {
    if (on) config.*record.on = *on;
    if (epsilon) config.*record.epsilon = *epsilon;
  });
}

Expected<Document> with_number(const Document& document, const LayerNumber& record, float value) {
  if (auto fits = record.check(value); !fits) return tl::make_unexpected(fits.error());
  return with_config(document, [&](Config& config) { config.*record.member = value; });
}

Expected<Document> reduce(const Document& document, const SetPositions& command) {
  return with_config(document, [&](Config& config) {
    config.positions = command.type.value_or(config.positions);
    config.rotary_base = command.base.value_or(config.rotary_base);
    config.rotary_pairs = command.pairs.value_or(config.rotary_pairs);
  });
}

Expected<Document> reduce(const Document& document, const SetDropout& command) {
  return with_config(document, [&](Config& config) {
    config.dropout_rate = command.rate.value_or(config.dropout_rate);
    config.dropout_seed = command.seed.value_or(config.dropout_seed);
  });
}

Expected<Document> reduce(const Document& /*document*/, const SetAdapterGain& /*command*/) {
  return fail(ErrorType::kBadInput, tr("only a trained model can have an adapter"));
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
