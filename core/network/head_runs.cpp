#include "core/network/head_runs.h"

#include <algorithm>

#include "core/network/convolution/short_convolution.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// Enough for products to be as fast as with more rows, and few enough for a block to take so little
// time that a watch can stop the runs soon.
constexpr Index kMostRows = 256;

// Several runs through one block, each with another head changed. All matrices hold their rows
// below each other.
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
    const Precision precision = precision_of(block);
    Matrix attention = project(concat, block.attention.output, precision, pool);
    for (Index first = 0; first < x.rows(); first += kept.count)
      replace(interventions, Stage::kOutput, 0, kept.first,
              attention.middleRows(first, kept.count));
    Matrix y = after_sublayer(block.attention_norms, x, std::move(attention), pool);
    return finish_block(block, after_convolution(block, x, std::move(y), pool, kept.count),
                        Matrix(), pool);
  }

  // The same where the block has a convolution in place of attention.
  Matrix convolved(const Matrix& x) const {
    RowBuffer gated;
    const Matrix mixed = convolve(
        *block.convolution, before_sublayer(block.attention_norms, x, pool), 0, pool, gated, n);
    const Matrix input = kept_rows(x);
    return after_mlp(block, input,
                     after_sublayer(block.attention_norms, input, kept_rows(mixed), pool), pool);
  }

  // The heads' outputs `concat` of one run once for each head of a range, with that head changed.
  Matrix with_changes(const Matrix& concat, const RowRange& heads, const ChangeHead& change) const {
    Matrix result = concat.replicate(heads.count, 1);
    const Index d = block.attention.d_v();
    for (Index i = 0; i < heads.count; ++i) {
      auto run = result.middleRows(i * kept.count, kept.count);
      const Index head = heads.first + i;
      change(interventions.at.layer, head, kept.first, run.middleCols(head * d, d));
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

// One group of runs on its way through the layers.
class GroupOfRuns {
 public:
  GroupOfRuns(const HeadRunsInput& input, const ChangeHead& change)
      : input_(input),
        change_(change),
        attending_(attending_layers(input.network, Sublayer::kSelf)),
        n_heads_(head_count(input.network, Sublayer::kSelf)) {}

  Matrix logits_of(const RowRange& heads, WorkWatch* watch) const {
    const Index end = heads.first + heads.count;
    Matrix rows(0, input_.network.d_model());
    auto place = static_cast<std::size_t>(heads.first / n_heads_);
    Index before = heads.first / n_heads_ * n_heads_;  // heads of the layers before
    for (Index layer = attending_[place]; layer < layers(); ++layer) {
      const bool attends = place < attending_.size() && attending_[place] == layer;
      const Index after = before + (attends ? n_heads_ : 0);
      const Index first = std::max(heads.first, before);
      const Index count = std::clamp<Index>(end - first, 0, std::max<Index>(after - first, 0));
      rows = after_block(layer, rows, {first - before, count});
      override_stream(layer + 1, runs(layer).kept, rows);
      report_work(watch, std::min(end, after) - heads.first);
      before = after;
      if (attends) ++place;
    }
    rows = asked_rows(rows);
    if (stack().final_norm) normalise(*stack().final_norm, rows, input_.pool);
    return logits(input_.network, rows, input_.pool);
  }

 private:
  const Stack& stack() const { return input_.network.stack; }
  Index layers() const { return std::ssize(stack().blocks); }

  // The row of each run whose logits are asked for.
  Matrix asked_rows(const Matrix& rows) const {
    const Index kept = runs(layers() - 1).kept.count;
    if (kept == 1) return rows;
    Matrix asked(rows.rows() / kept, rows.cols());
    for (Index run = 0; run < asked.rows(); ++run)
      asked.row(run) = rows.row(run * kept + input_.row);
    return asked;
  }

  // Of the last block only the row whose logits are asked for is needed, unless an added
  // convolution reads its neighbours.
  Runs runs(Index layer) const {
    const Index n = input_.trace.n();
    const RowRange all{0, n}, asked{input_.row, 1};
    const Block& block = stack().blocks[static_cast<std::size_t>(layer)];
    return {block,
            {&input_.interventions, {Sublayer::kSelf, layer}},
            n,
            layer + 1 == layers() && !block.added_convolution ? asked : all,
            input_.pool};
  }

  // The output of a block for the runs whose input is `x`, and then for those with each of `heads`
  // of this block changed.
  Matrix after_block(Index layer, const Matrix& x, const RowRange& heads) const {
    const Runs all = runs(layer);
    if (all.block.convolution) return all.convolved(x);
    if (heads.count == 0) return all.output(all.kept_rows(x), all.concat(x));
    const Matrix& unchanged = *input_.trace.blocks[static_cast<std::size_t>(layer)].input;
    const Matrix changed = all.with_changes(all.concat(unchanged), heads, change_);
    const Matrix kept = all.kept_rows(unchanged).replicate(heads.count, 1);
    if (x.rows() == 0) return all.output(kept, changed);
    return all.output(stacked(all.kept_rows(x), kept), stacked(all.concat(x), changed));
  }

  void override_stream(Index layer, const RowRange& kept, Matrix& rows) const {
    for (const StreamOverride& override : input_.interventions.stream) {
      const Index row = override.row - kept.first;
      if (override.at != LayerId{Sublayer::kSelf, layer} || row < 0 || row >= kept.count) continue;
      for (Index first = 0; first < rows.rows(); first += kept.count)
        rows(first + row, override.col) = override.value;
    }
  }

  const HeadRunsInput& input_;
  const ChangeHead& change_;
  std::vector<Index> attending_;  // layers
  Index n_heads_;                 // of each of them
};

}  // namespace

Index runs_together(Index n) { return std::max<Index>(kMostRows / n, 1); }

Matrix logits_of_runs(const HeadRunsInput& input, const RowRange& heads, const ChangeHead& change,
                      WorkWatch* watch) {
  return GroupOfRuns(input, change).logits_of(heads, watch);
}

}  // namespace attention::network
