#include <algorithm>
#include <stdexcept>

#include "core/network/attribution.h"
#include "core/network/block_pass.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// Products of few rows wait for memory, so several runs, each without another head, go through the
// later layers together, their rows below each other.
constexpr Index kMostRows = 1024;

// The network with only one logit.
Network with_one_logit(const Network& network, std::uint32_t token) {
  Network result = network;
  Linear& tokens = result.read_out->tokens;
  tokens.W = tokens.W.columns(token, 1);
  if (!tokens.b.empty()) tokens.b = tokens.b.columns(token, 1);
  return result;
}

Projected rows_of(const Projected& all, Index first, Index n) {
  Projected part;
  for (const Matrix& rows : all.parts) part.parts.emplace_back(rows.middleRows(first, n));
  return part;
}

// Runs of n rows each that go through one block together.
struct Runs {
  const Block& block;
  LayerInterventions interventions;
  Index n;
  ThreadPool& pool;

  // The block's output where `concat_of(rows)` gives the heads' outputs of the normalised input.
  template <typename ConcatOf>
  Matrix output(const Matrix& x, ConcatOf concat_of) const {
    const Precision precision = precision_of(block.attention);
    const auto attention = [&](const Matrix& rows) {
      return project(concat_of(rows), block.attention.output, precision, pool);
    };
    const auto mlp = [&](const Matrix& rows) {
      return compute_mlp(block.mlp, rows, precision, pool);
    };
    const Matrix y = with_sublayer(block.attention_norms, x, attention);
    if (block.parallel) return y + (with_sublayer(block.mlp_norms, x, mlp) - x);
    return with_sublayer(block.mlp_norms, y, mlp);
  }

  // The heads' outputs of each run.
  Matrix concat(const Matrix& rows) const {
    Projected all;
    update_projections(block.attention, rows, 0, pool, all, n);
    Matrix result(rows.rows(), block.attention.n_heads * block.attention.head_dim);
    Matrix weights;
    for (Index first = 0; first < rows.rows(); first += n)
      result.middleRows(first, n) =
          mix_heads(block.attention, rows_of(all, first, n), 0, interventions, pool, weights);
    return result;
  }
};

// The rows of `x` once for each head, below each other, and the heads' outputs with one head of
// each run at 0.
Matrix without_heads(const Attention& attention, const Matrix& concat, Index first_head,
                     Index heads) {
  const Index n = concat.rows();
  Matrix result = concat.replicate(heads, 1);
  for (Index run = 0; run < heads; ++run)
    result.block(run * n, (first_head + run) * attention.head_dim, n, attention.head_dim).setZero();
  return result;
}

// Knocks out the heads of one layer after another.
class KnockOut {
 public:
  KnockOut(const Network& network, const Interventions& interventions, const Answer& answer,
           ThreadPool& pool)
      : network_(network), interventions_(interventions), answer_(answer), pool_(pool) {}

  // The logits without each of `heads` heads of `layer` from `first_head` on. `x` is its input.
  RowVector logits_without(const Matrix& x, Index layer, Index first_head, Index heads) const {
    const Runs one = runs(layer, x.rows());
    Matrix rows = one.output(x.replicate(heads, 1), [&](const Matrix& normed) {
      const Matrix concat = one.concat(normed.topRows(x.rows()));
      return without_heads(one.block.attention, concat, first_head, heads);
    });
    override_stream(layer + 1, x.rows(), rows);
    for (Index next = layer + 1; next < std::ssize(network_.stack.blocks); ++next) {
      const Runs several = runs(next, x.rows());
      rows = several.output(rows, [&](const Matrix& normed) { return several.concat(normed); });
      override_stream(next + 1, x.rows(), rows);
    }
    return answers(rows, x.rows());
  }

 private:
  Runs runs(Index layer, Index n) const {
    return {network_.stack.blocks[static_cast<std::size_t>(layer)],
            {&interventions_, {Sublayer::kSelf, layer}},
            n,
            pool_};
  }

  void override_stream(Index layer, Index n, Matrix& rows) const {
    for (const StreamOverride& override : interventions_.stream) {
      if (override.at != LayerPlace{Sublayer::kSelf, layer}) continue;
      for (Index first = 0; first < rows.rows(); first += n)
        rows(first + override.row, override.col) = override.value;
    }
  }

  RowVector answers(const Matrix& rows, Index n) const {
    Matrix last(rows.rows() / n, rows.cols());
    for (Index run = 0; run < last.rows(); ++run) last.row(run) = rows.row(run * n + answer_.row);
    if (network_.stack.final_norm) normalise(*network_.stack.final_norm, last);
    return logits(network_, last, pool_).col(0).transpose();
  }

  const Network& network_;
  const Interventions& interventions_;
  Answer answer_;
  ThreadPool& pool_;
};

// The interventions with one more head muted; which heads are solo remains.
Interventions without_head(Interventions all, const LayerPlace& at, Index head) {
  for (HeadGain& gain : all.gains) {
    if (gain.at != at || gain.head != head) continue;
    gain.mute = true;
    return all;
  }
  all.gains.push_back({at, head, 0});
  return all;
}

// The heads of one sublayer of a network.
struct HeadGrid {
  Sublayer sublayer;
  Index layers = 0, heads = 0;  // heads of each layer
};

HeadGrid head_grid(const Network& network, Sublayer sublayer) {
  HeadGrid grid{sublayer};
  while (const Attention* attention = find_attention(network, {sublayer, grid.layers})) {
    grid.heads = attention->n_heads;
    ++grid.layers;
  }
  return grid;
}

// Mutes one head after the other: in networks with two stacks, where a head may reach several
// layers at once.
Matrix one_by_one(const Network& network, const Tokens& tokens, const Interventions& interventions,
                  const Answer& answer, const HeadGrid& grid, NetworkEvaluator& evaluator,
                  WorkWatch* watch) {
  const auto logit_with = [&](const Interventions& all) {
    const NetworkTrace& trace = evaluator.evaluate(network, tokens, all);
    return logits(network, trace.stack.final.row(answer.row), evaluator.pool())(0, 0);
  };
  const float usual = logit_with(interventions);
  Matrix map(grid.layers, grid.heads);
  for (Index i = map.size(); i-- > 0;) {
    const LayerPlace at{grid.sublayer, i / map.cols()};
    const Index head = i % map.cols();
    map(at.layer, head) = logit_with(without_head(interventions, at, head)) - usual;
    report_work(watch, 1);
  }
  return map;
}

}  // namespace

Matrix knock_out_map(const Network& network, const Tokens& tokens,
                     const Interventions& interventions, const Answer& answer, int threads,
                     WorkWatch* watch) {
  if (!network.read_out) throw std::invalid_argument("the network has no read-out");
  if (network.stack.blocks.empty()) return {};
  const Network one_logit = with_one_logit(network, answer.token);
  NetworkEvaluator evaluator(threads);
  const HeadGrid grid = head_grid(network, Sublayer::kSelf);
  const Index layers = grid.layers, heads = grid.heads;
  expect_work(watch, layers * heads);
  if (network.encoder)
    return one_by_one(one_logit, tokens, interventions, answer, grid, evaluator, watch);
  const StackTrace& stack = evaluator.evaluate(one_logit, tokens, interventions).stack;
  const float usual = logits(one_logit, stack.final.row(answer.row), evaluator.pool())(0, 0);
  const KnockOut knock_out(one_logit, interventions, answer, evaluator.pool());
  const Index together = std::clamp<Index>(kMostRows / stack.n(), 1, heads);
  Matrix map(layers, heads);
  for (Index layer = 0; layer < layers; ++layer) {
    const Matrix& input = stack.blocks[static_cast<std::size_t>(layer)].input;
    for (Index head = 0; head < heads; head += together) {
      const Index count = std::min(together, heads - head);
      map.row(layer).segment(head, count) =
          knock_out.logits_without(input, layer, head, count).array() - usual;
      report_work(watch, count);
    }
  }
  return map;
}

Matrix knock_out_map(const Network& network, const Tokens& tokens,
                     const Interventions& interventions, const Answer& answer, Sublayer sublayer,
                     int threads, WorkWatch* watch) {
  if (sublayer == Sublayer::kSelf)
    return knock_out_map(network, tokens, interventions, answer, threads, watch);
  if (!network.read_out) throw std::invalid_argument("the network has no read-out");
  const HeadGrid grid = head_grid(network, sublayer);
  if (grid.layers == 0) throw std::invalid_argument("the network has no such layers");
  expect_work(watch, grid.layers * grid.heads);
  NetworkEvaluator evaluator(threads);
  return one_by_one(with_one_logit(network, answer.token), tokens, interventions, answer, grid,
                    evaluator, watch);
}

}  // namespace attention::network
