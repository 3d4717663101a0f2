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

// Several runs through one block, each without another head. All matrices hold their rows below
// each other.
struct Runs {
  const Block& block;
  LayerInterventions interventions;
  Index n;        // rows of a run
  RowRange kept;  // those that are computed
  ThreadPool& pool;

  // The kept rows of each run.
  Matrix kept_rows(const Matrix& rows) const {
    if (kept.count == n) return rows;
    Matrix result(rows.rows() / n * kept.count, rows.cols());
    for (Index run = 0; run * n < rows.rows(); ++run)
      result.middleRows(run * kept.count, kept.count) =
          rows.middleRows(run * n + kept.first, kept.count);
    return result;
  }

  // The heads' outputs in the kept rows, where `x` is the input of each run.
  Matrix concat(const Matrix& x) const {
    Projected all;
    update_projections(block.attention, before_sublayer(block.attention_norms, x, pool), 0,
                       interventions, pool, all, n);
    return mix_heads_of_texts(block.attention, all, n, kept, interventions, pool);
  }

  // The block's output in the kept rows, where `x` and `concat` are in them.
  Matrix output(const Matrix& x, const Matrix& concat) const {
    const Precision precision = precision_of(block.attention);
    Matrix attention = project(concat, block.attention.output, precision, pool);
    for (Index first = 0; first < x.rows(); first += kept.count)
      replace(interventions, Stage::kOutput, 0, kept.first,
              attention.middleRows(first, kept.count));
    const Matrix y = after_sublayer(block.attention_norms, x, std::move(attention), pool);
    const auto mlp = [&](const Matrix& rows) {
      return compute_mlp(block.mlp, rows, precision, pool);
    };
    if (block.parallel) return y + (with_sublayer(block.mlp_norms, x, pool, mlp) - x);
    return with_sublayer(block.mlp_norms, y, pool, mlp);
  }

  // The heads' outputs `concat` of one run once for each head of a range, with that head at 0.
  Matrix without_heads(const Matrix& concat, const RowRange& heads) const {
    Matrix result = concat.replicate(heads.count, 1);
    const Index d = block.attention.head_dim;
    for (Index i = 0; i < heads.count; ++i) {
      auto run = result.middleRows(i * kept.count, kept.count);
      run.middleCols((heads.first + i) * d, d).setZero();
      replace(interventions, Stage::kConcat, 0, kept.first, run);
    }
    return result;
  }
};

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix result(above.rows() + below.rows(), below.cols());
  result << above, below;
  return result;
}

// Knocks out some heads after the other. Heads are numbered layer by layer.
class KnockOut {
 public:
  KnockOut(const Network& network, const StackTrace& trace, const Interventions& interventions,
           const Answer& answer, ThreadPool& pool, WorkWatch* watch)
      : network_(network),
        trace_(trace),
        interventions_(interventions),
        answer_(answer),
        pool_(pool),
        watch_(watch) {}

  // The logits without each of `heads`.
  RowVector logits_without(const RowRange& heads) const {
    const Index end = heads.first + heads.count;
    Matrix rows(0, network_.d_model());
    for (Index layer = heads.first / n_heads(); layer < layers(); ++layer) {
      const Index before = layer * n_heads();
      const Index first = std::max(heads.first, before);
      const Index count = std::clamp<Index>(end - first, 0, before + n_heads() - first);
      rows = after_block(layer, rows, {first - before, count});
      override_stream(layer + 1, runs(layer).kept, rows);
      report_work(watch_, std::min(end - heads.first, before + n_heads() - heads.first));
    }
    if (network_.stack.final_norm) normalise(*network_.stack.final_norm, rows, pool_);
    return logits(network_, rows, pool_).col(0).transpose();
  }

 private:
  Index layers() const { return std::ssize(network_.stack.blocks); }
  Index n_heads() const { return network_.stack.blocks.front().attention.n_heads; }

  // Of the last block only the answer's row is needed.
  Runs runs(Index layer) const {
    const Index n = trace_.n();
    const RowRange all{0, n}, answer{answer_.row, 1};
    return {network_.stack.blocks[static_cast<std::size_t>(layer)],
            {&interventions_, {Sublayer::kSelf, layer}},
            n,
            layer + 1 == layers() ? answer : all,
            pool_};
  }

  // The output of a block for the runs whose input is `x`, and then for those without each of
  // `heads` of this block.
  Matrix after_block(Index layer, const Matrix& x, const RowRange& heads) const {
    const Runs all = runs(layer);
    if (heads.count == 0) return all.output(all.kept_rows(x), all.concat(x));
    const Matrix& usual = trace_.blocks[static_cast<std::size_t>(layer)].input;
    const Matrix muted = all.without_heads(all.concat(usual), heads);
    const Matrix own = all.kept_rows(usual).replicate(heads.count, 1);
    if (x.rows() == 0) return all.output(own, muted);
    return all.output(stacked(all.kept_rows(x), own), stacked(all.concat(x), muted));
  }

  void override_stream(Index layer, const RowRange& kept, Matrix& rows) const {
    for (const StreamOverride& override : interventions_.stream) {
      const Index row = override.row - kept.first;
      if (override.at != LayerPlace{Sublayer::kSelf, layer} || row < 0 || row >= kept.count)
        continue;
      for (Index first = 0; first < rows.rows(); first += kept.count)
        rows(first + row, override.col) = override.value;
    }
  }

  const Network& network_;
  const StackTrace& trace_;
  const Interventions& interventions_;
  Answer answer_;
  ThreadPool& pool_;
  WorkWatch* watch_;
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
  expect_work(watch, map.size());
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
  if (network.encoder)
    return one_by_one(one_logit, tokens, interventions, answer, grid, evaluator, watch);
  const StackTrace& stack = evaluator.evaluate(one_logit, tokens, interventions).stack;
  const float usual = logits(one_logit, stack.final.row(answer.row), evaluator.pool())(0, 0);
  const KnockOut knock_out(one_logit, stack, interventions, answer, evaluator.pool(), watch);
  expect_work(watch, heads * layers * (layers + 1) / 2);
  const Index together = std::max<Index>(kMostRows / stack.n(), 1);
  RowVector changes(layers * heads);
  for (Index first = 0; first < changes.size(); first += together) {
    const Index count = std::min(together, changes.size() - first);
    changes.segment(first, count) = knock_out.logits_without({first, count}).array() - usual;
  }
  return changes.reshaped<Eigen::RowMajor>(layers, heads);
}

Matrix knock_out_map(const Network& network, const Tokens& tokens,
                     const Interventions& interventions, const Answer& answer, Sublayer sublayer,
                     int threads, WorkWatch* watch) {
  if (sublayer == Sublayer::kSelf)
    return knock_out_map(network, tokens, interventions, answer, threads, watch);
  if (!network.read_out) throw std::invalid_argument("the network has no read-out");
  const HeadGrid grid = head_grid(network, sublayer);
  if (grid.layers == 0) throw std::invalid_argument("the network has no such layers");
  NetworkEvaluator evaluator(threads);
  return one_by_one(with_one_logit(network, answer.token), tokens, interventions, answer, grid,
                    evaluator, watch);
}

}  // namespace attention::network
