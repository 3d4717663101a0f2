#include <algorithm>

#include "app/document/commands/reduce.h"
#include "app/document/words/remap_cells.h"

// The rules of the mask, and filling the mask given cell by cell.

namespace lab {

int padded_key_count(const Batch& batch, const std::vector<Token>& keys) {
  const int real = static_cast<int>(without_padding(batch, keys).size());
  return batch.key_count > 0 ? std::min(batch.key_count, real) : real;
}

Expected<Document> reduce(const Document& document, const SetMask& command) {
  const bool padded = document.batch.padded && command.key_count.value_or(0) >= 0;
  Document changed = document;
  if (padded) changed.batch.key_count = command.key_count.value_or(changed.batch.key_count);
  return with_config(changed, [&](attention::Config& config) {
    config.mask.causal = command.causal.value_or(config.mask.causal);
    config.mask.key_count = padded ? padded_key_count(changed.batch, key_tokens(changed))
                                   : command.key_count.value_or(config.mask.key_count);
    config.mask.window = command.window.value_or(config.mask.window);
  });
}

Expected<Document> reduce(const Document& document, const FillMask& command) {
  Document changed = filled_with(document, {MatrixId::kMask, 0}, command.allowed ? 1.0f : 0.0f);
  forget_detached_mask(changed);
  return changed;
}

}  // namespace lab
