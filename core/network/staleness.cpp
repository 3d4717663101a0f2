#include "core/network/staleness.h"

#include <algorithm>

namespace attention::network {
namespace {

// Collects the first stale row of each block.
class Collector {
 public:
  Collector(const StackInputs& next, Sublayer sublayer)
      : stack_(*next.stack),
        interventions_(*next.interventions),
        n_(static_cast<Index>(next.ids->size())),
        sublayer_(sublayer) {
    stale_.embedding = stale_.final = false;
    stale_.rows.assign(stack_.blocks.size(), n_);
  }

  void mark_embedding(Index row) {
    stale_.embedding = true;
    mark(0, row);
  }
  void mark_final() { stale_.final = true; }
  void mark(Index layer, Index row) {
    Index& first = stale_.rows[static_cast<std::size_t>(layer)];
    first = std::min(first, row);
  }
  void mark(const LayerId& at, Index row) {
    const bool here = sublayer_ == Sublayer::kEncoder ? at.sublayer == Sublayer::kEncoder
                                                      : at.sublayer != Sublayer::kEncoder;
    if (here) mark(at.layer, row);
  }
  // What was overridden in the stream before a block is the output of the one before it.
  void mark_stream(const StreamOverride& override) {
    if (override.at.sublayer != sublayer_) return;
    if (override.at.layer == 0) return mark_embedding(override.row);
    mark(override.at.layer - 1, override.row);
  }

  StaleRows remapped() {
    Index row = n_;
    for (std::size_t layer = 0; layer < stale_.rows.size(); ++layer) {
      row = std::min(row, stale_.rows[layer]);
      if (row < n_) row = first_reader(layer, row);
      stale_.rows[layer] = row;
    }
    stale_.final = stale_.final || stale_.embedding || row < n_;
    return std::move(stale_);
  }

 private:
  // The first row of a block that depends on the rows of its input from `row` on: with causal
  // attention `row` itself, unless an intervention lets an earlier one see them.
  Index first_reader(std::size_t layer, Index row) const {
    const Block& block = stack_.blocks[layer];
    if (block.convolution) return row;
    if (!block.attention.causal) return 0;
    const LayerId at{sublayer_, static_cast<Index>(layer)};
    for (const HeadPatch& patch : interventions_.patches)
      if (patch.at == at && patch.stage == Stage::kWeights) return 0;
    Index first = row;
    for (const CellOverride& override : interventions_.overrides) {
      const Override& cell = override.cell;
      const bool lets_see = cell.stage == Stage::kMaskedScores || cell.stage == Stage::kWeights ||
                            cell.stage == Stage::kDroppedWeights;
      if (override.at == at && lets_see && cell.col >= row) first = std::min(first, cell.row);
    }
    return first;
  }

  const Stack& stack_;
  const Interventions& interventions_;
  Index n_;
  Sublayer sublayer_;
  StaleRows stale_;
};

template <typename Item>
bool contains(const std::vector<Item>& items, const Item& item) {
  return std::ranges::find(items, item) != items.end();
}

// Calls `mark` for the items that only one of the lists has.
template <typename Item, typename Mark>
void for_each_difference(const std::vector<Item>& a, const std::vector<Item>& b, Mark mark) {
  if (a == b) return;
  for (const Item& item : a)
    if (!contains(b, item)) mark(item);
  for (const Item& item : b)
    if (!contains(a, item)) mark(item);
}

// The first query that depends on an overridden cell, with a causal mask where there may be one.
Index first_reader_of(const CellOverride& override) {
  const bool encoder_rows =
      override.at.sublayer == Sublayer::kCross && has_key_rows(override.cell.stage);
  return encoder_rows ? 0 : override.cell.row;
}

void mark_interventions(const Interventions& last, const Interventions& next, Collector& stale) {
  for_each_difference(last.gains, next.gains, [&](const auto& gain) { stale.mark(gain.at, 0); });
  for_each_difference(last.patches, next.patches,
                      [&](const auto& patch) { stale.mark(patch.at, 0); });
  for_each_difference(last.overrides, next.overrides, [&](const CellOverride& override) {
    stale.mark(override.at, first_reader_of(override));
  });
  for_each_difference(last.stream, next.stream,
                      [&](const auto& override) { stale.mark_stream(override); });
}

// The first place where two lists of the same length differ.
template <typename Item>
Index first_difference(const std::vector<Item>& a, const std::vector<Item>& b) {
  return std::ranges::mismatch(a, b).in1 - a.begin();
}

}  // namespace

StaleRows all_stale(const Stack& stack) {
  return {true, std::vector<Index>(stack.blocks.size(), 0), true};
}

StaleRows stale_rows(const StackInputs& last, const StackInputs& next, Sublayer sublayer,
                     bool encoder_changed) {
  const Stack& before = *last.stack;
  const Stack& after = *next.stack;
  if (last.ids->size() != next.ids->size() || last.types->size() != next.types->size() ||
      before.blocks.size() != after.blocks.size())
    return all_stale(after);
  Collector stale(next, sublayer);
  if (!(before.embedding == after.embedding)) stale.mark_embedding(0);
  if (*last.ids != *next.ids) stale.mark_embedding(first_difference(*last.ids, *next.ids));
  if (*last.types != *next.types) stale.mark_embedding(first_difference(*last.types, *next.types));
  for (std::size_t layer = 0; layer < after.blocks.size(); ++layer) {
    const bool reads_encoder = encoder_changed && after.blocks[layer].cross_attention;
    if (reads_encoder || !(before.blocks[layer] == after.blocks[layer]))
      stale.mark(static_cast<Index>(layer), 0);
  }
  if (!(before.final_norm == after.final_norm)) stale.mark_final();
  mark_interventions(*last.interventions, *next.interventions, stale);
  return stale.remapped();
}

}  // namespace attention::network
