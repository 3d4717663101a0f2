#include "core/network/generation/continuation.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "core/network/generation/token_rows.h"
#include "core/network/positions.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// The items that only one of two lists has.
template <typename Item, typename Visit>
void visit_differences(const std::vector<Item>& a, const std::vector<Item>& b, Visit visit) {
  if (a == b) return;
  for (const Item& item : a)
    if (std::ranges::find(b, item) == b.end()) visit(item);
  for (const Item& item : b)
    if (std::ranges::find(a, item) == a.end()) visit(item);
}

// The first row that another edit changes; 0 for one whose rows are not those of the stack.
Index row_of(const CellOverride& override) {
  const bool other_text =
      override.at.sublayer == Sublayer::kEncoder ||
      (override.at.sublayer == Sublayer::kCross && has_key_rows(override.cell.stage));
  return other_text ? 0 : override.cell.row;
}
Index row_of(const StreamOverride& override) {
  return override.at.sublayer == Sublayer::kEncoder ? 0 : override.row;
}

// The number of rows, at most `rows`, that are the same with both.
Index rows_before_edits(const Interventions& last, const Interventions& next, Index rows) {
  const bool whole = !last.patches.empty() || !next.patches.empty() || last.gains != next.gains;
  if (whole) return 0;
  const auto keep_before = [&](const auto& edit) { rows = std::min(rows, row_of(edit)); };
  visit_differences(last.overrides, next.overrides, keep_before);
  visit_differences(last.stream, next.stream, keep_before);
  return rows;
}

// True when an override lets a query before `rows` see a key from there on.
bool sees_later(const CellOverride& override, Index rows) {
  const Stage stage = override.cell.stage;
  const bool lets_see =
      stage == Stage::kMaskedScores || stage == Stage::kWeights || stage == Stage::kDroppedWeights;
  return lets_see && override.at.sublayer == Sublayer::kSelf && override.cell.row < rows &&
         override.cell.col >= rows;
}

// The rows before those that see something from there on.
Index rows_that_see_none_later(const Interventions& interventions, Index rows) {
  for (bool again = true; std::exchange(again, false);)
    for (const CellOverride& override : interventions.overrides)
      if (sees_later(override, rows)) {
        rows = override.cell.row;
        again = true;
      }
  return rows;
}

// True when a row depends on those before it alone.
bool is_causal(const Stack& stack) {
  return std::ranges::all_of(stack.blocks, [](const Block& block) {
    return (block.convolution || block.attention.causal) && !block.added_convolution;
  });
}

// True when positions are rotated alike in texts of both lengths.
bool rotated_alike(const Stack& stack, Index last, Index next) {
  return std::ranges::all_of(stack.blocks, [&](const Block& block) {
    const auto& rotary = block.attention.rotary;
    return block.convolution || !rotary || !rotary->long_texts ||
           rotary_frequencies(*rotary, last) == rotary_frequencies(*rotary, next);
  });
}

// How many ids, and types, are the same at the beginning.
Index common_beginning(const Tokens& a, const Tokens& b) {
  const auto common = [](const std::vector<std::uint32_t>& x, const std::vector<std::uint32_t>& y) {
    const std::size_t shorter = std::min(x.size(), y.size());
    return std::mismatch(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(shorter), y.begin())
               .first -
           x.begin();
  };
  const Index ids = common(a.ids, b.ids);
  if (a.types.empty() && b.types.empty()) return ids;
  return std::min<Index>(ids, common(a.types, b.types));
}

// One stack while its rows from `first_row` on are computed.
struct StackContinuation {
  const Stack& stack;
  Sublayer sublayer;
  std::span<const std::uint32_t> ids, types;
  const Interventions& interventions;
  Index first_row;
  const Matrix* encoded;  // null without an encoder
  ThreadPool& pool;
  WorkWatch* watch;
};

// The rows from `first_row` on after the last block.
Matrix run_blocks(const StackContinuation& run, std::vector<BlockState>& states) {
  const std::vector<Block>& blocks = run.stack.blocks;
  const Embedding& embedding = run.stack.embedding;
  states.resize(blocks.size());
  Matrix rows = embed(embedding, run.ids, run.types, run.first_row, run.pool);
  Matrix inputs;  // of each layer
  if (embedding.layer_inputs)
    inputs = embed_layer_inputs(*embedding.layer_inputs, run.ids, run.first_row, rows, run.pool);
  replace_in_stream(run.interventions, {run.sublayer, 0}, run.first_row, rows);
  for (std::size_t layer = 0; layer < states.size(); ++layer) {
    const LayerId at{run.sublayer, static_cast<Index>(layer)};
    const std::optional<Index> key_layer = blocks[layer].attention.key_layer;
    const auto source = static_cast<std::size_t>(key_layer.value_or(0));
    const KeySource keys{blocks[source].attention, states[source].attention};
    const BlockPass pass{blocks[layer], run.first_row, run.interventions,           at,
                         run.encoded,   run.pool,      key_layer ? &keys : nullptr, &inputs};
    rows = continue_block(pass, rows, states[layer]);
    replace_in_stream(run.interventions, {run.sublayer, at.layer + 1}, run.first_row, rows);
    report_work(run.watch, rows.rows());
  }
  return rows;
}

}  // namespace

RowVector Continuation::compute(const Network& network, const Tokens& tokens,
                                const Interventions& interventions, WorkWatch* watch) {
  const Index n = std::ssize(tokens.ids);
  Index kept = 0;
  const bool comparable = network_ == network && tokens_.encoder_ids == tokens.encoder_ids &&
                          is_causal(network.stack) &&
                          rotated_alike(network.stack, std::ssize(tokens_.ids), n);
  if (comparable) {
    kept = std::min(common_beginning(tokens_, tokens), n - 1);
    kept = rows_before_edits(interventions_, interventions, kept);
    kept = rows_that_see_none_later(interventions, kept);
  }
  const bool encodes = network.encoder && kept == 0;
  const Index encoder_rows = encodes ? std::ssize(tokens.encoder_ids) : 0;
  computed_ = n - kept;
  expect_work(watch, computed_ * std::ssize(network.stack.blocks) +
                         (encodes ? encoder_rows * std::ssize(network.encoder->blocks) : 0));
  if (encodes) {
    const Stack& encoder = *network.encoder;
    std::vector<BlockState> states;
    encoded_ = run_blocks({encoder,
                           Sublayer::kEncoder,
                           tokens.encoder_ids,
                           {},
                           interventions,
                           0,
                           nullptr,
                           pool_,
                           watch},
                          states);
    if (encoder.final_norm) normalise(*encoder.final_norm, encoded_, pool_);
  }
  const Matrix rows =
      run_blocks({network.stack, Sublayer::kSelf, tokens.ids, tokens.types, interventions, kept,
                  network.encoder ? &encoded_ : nullptr, pool_, watch},
                 states_);
  Matrix last = rows.bottomRows(1);
  if (network.stack.final_norm) normalise(*network.stack.final_norm, last);
  return network::logits(network, last, pool_).row(0);
}

RowVector Continuation::logits(const Network& network, const Tokens& tokens,
                               const Interventions& interventions, WorkWatch* watch) {
  check_tokens(network, tokens);
  validate(interventions, network, std::ssize(tokens.ids), std::ssize(tokens.encoder_ids));
  try {
    RowVector result = compute(network, tokens, interventions, watch);
    if (!(network_ == network)) network_ = network;
    tokens_ = tokens;
    interventions_ = interventions;
    return result;
  } catch (...) {
    network_ = {};
    tokens_ = {};
    interventions_ = {};
    states_.clear();
    throw;
  }
}

}  // namespace attention::network
