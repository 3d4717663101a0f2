#include <algorithm>

#include "app/document/commands/reduce.h"
#include "app/document/commands/resize.h"
#include "app/translation/words.h"
#include "core/layer/head_build.h"

namespace lab {

using attention::Config;
using attention::HeadBuild;

namespace {

// The largest number of key and value heads up to `requested` that n_heads query heads can share; 0
// (one for each) when that is n_heads.
int fitting_kv_heads(int n_heads, int requested) {
  int fitting = std::min(requested, n_heads);
  while (fitting > 1 && n_heads % fitting != 0) --fitting;
  return fitting == n_heads ? 0 : fitting;
}

Config with_size(Config config, const SetSize& command) {
  switch (command.size) {
    case SizeId::kDModel:
      if (config.d_out == config.d_model) config.d_out = command.value;
      config.d_model = command.value;
      break;
    case SizeId::kHeads:
      config.n_heads = command.value;
      if (config.n_kv_heads != 0) {
        config.n_kv_heads = fitting_kv_heads(config.n_heads, config.n_kv_heads);
      }
      break;
    case SizeId::kDK:
      config.d_k = command.value;
      break;
    case SizeId::kDV:
      config.d_v = command.value;
      break;
    case SizeId::kKvHeads:
      config.n_kv_heads = command.value == config.n_heads ? 0 : command.value;
      break;
  }
  return config;
}

// The sizes of split heads follow from d_model and their number.
Expected<Config> split_evenly(const Config& config) {
  const bool sensible = config.n_heads >= 1 && config.d_model >= 1;
  const auto split = sensible ? split_config(config) : std::optional(config);
  if (split) return *split;
  return fail(ErrorType::kBadInput,
              tr("d_model {} cannot be split among {} heads: it must be a multiple of their "
                 "number; or give each head its own matrices",
                 {std::to_string(config.d_model), std::to_string(config.n_heads)}));
}

Expected<Config> changed_config(const Config& old, const SetSize& command) {
  const Config config = with_size(old, command);
  if (old.head_build == HeadBuild::kSeparate || config == old) return config;
  if (command.size == SizeId::kDK || command.size == SizeId::kDV) {
    return fail(ErrorType::kBadInput, tr("{} is d_model / n_heads while heads are split; change "
                                         "those, or give each head its own matrices",
                                         {size_name(command.size)}));
  }
  return split_evenly(config);
}

// Fails when `config` cannot be computed for this document.
Expected<void> check_sizes(const Document& document, const Config& config) {
  if (auto fits = check_config(config); !fits) return fits;
  const auto words = static_cast<attention::Index>(
      std::max(document.lexicon->size(), document.kv_lexicon->size()));
  if (auto fits = check_lexicon(words, config.d_model); !fits) return fits;
  return check_scores(config.n_heads, document.problem.seq_len(), document.problem.kv_len());
}

Expected<Document> with_sizes(const Document& document, const Config& config) {
  if (config == document.problem.config) return document;
  if (const auto fits = check_sizes(document, config); !fits) {
    return tl::make_unexpected(fits.error());
  }
  return resized(document, config);
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetSize& command) {
  const auto config = changed_config(document.problem.config, command);
  if (!config) return tl::make_unexpected(config.error());
  return with_sizes(document, *config);
}

Expected<Document> reduce(const Document& document, const SetHeadBuild& command) {
  Config config = document.problem.config;
  config.head_build = command.build;
  if (command.build == HeadBuild::kSplit) {
    const auto split = split_evenly(config);
    if (!split) return tl::make_unexpected(split.error());
    config = *split;
  }
  return with_sizes(document, config);
}

}  // namespace lab
