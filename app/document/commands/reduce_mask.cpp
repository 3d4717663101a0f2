#include "app/document/commands/reduce.h"
#include "app/document/words/carry_cells.h"

// The rules of the mask, and filling the mask given cell by cell.

namespace lab {

Expected<Document> reduce(const Document& document, const SetMask& command) {
  return with_config(document, [&](attention::Config& config) {
    config.mask.causal = command.causal.value_or(config.mask.causal);
    config.mask.key_count = command.key_count.value_or(config.mask.key_count);
    config.mask.window = command.window.value_or(config.mask.window);
  });
}

Expected<Document> reduce(const Document& document, const FillMask& command) {
  Document changed = filled_with(document, {MatrixId::kMask, 0}, command.allowed ? 1.0f : 0.0f);
  forget_aside_mask(changed);
  return changed;
}

}  // namespace lab
