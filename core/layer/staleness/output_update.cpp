#include "core/layer/staleness/update.h"

#include <algorithm>

#include "core/layer/stages.h"
#include "core/numerics/kernels.h"

namespace attention {
namespace {

// The output is computed in blocks of this many columns, which are distributed over the threads.
// The blocks do not depend on the number of threads, so neither do the numbers.
constexpr Index kColumnsPerTask = 128;

float gain_before(const Problem& before, Index head) {
  const bool known = before.head_mix.empty() || head < std::ssize(before.head_mix);
  return known ? head_gain(before, head) : 0.0f;
}

// Calls work(CellBlock) for each block of columns of `box`.
template <typename Work>
void for_column_blocks(ThreadPool& pool, const CellBlock& box, Work work) {
  const Index count = (box.cols + kColumnsPerTask - 1) / kColumnsPerTask;
  pool.run(count, [&](Index i) {
    const Index first = box.col + i * kColumnsPerTask;
    const Index cols = std::min(kColumnsPerTask, box.col + box.cols - first);
    work(CellBlock{box.row, first, box.rows, cols});
  });
}

auto block(Matrix& matrix, const CellBlock& box) {
  return matrix.block(box.row, box.col, box.rows, box.cols);
}

void set_bias(Matrix& output, const SharedMatrix& b_O, const CellBlock& box) {
  if (b_O.empty()) {
    block(output, box).setZero();
  } else {
    block(output, box).rowwise() = b_O->row(0).segment(box.col, box.cols);
  }
}

}  // namespace

void OutputUpdate::change_block(Index head, bool all) {
  const Shape shape{trace_.concat->rows(), trace_.heads[0].head_output->cols()};
  const bool same_gain = same_bits(head_gain(plan_.now(), head), gain_before(plan_.before(), head));
  const Change change =
      all || !same_gain ? Change::whole() : heads_[static_cast<size_t>(head)].output;
  blocks_[static_cast<size_t>(head)] = simplified(change, shape);
}

void OutputUpdate::update_concat() {
  const Shape shape = stage_shape(plan_.now(), Stage::kConcat);
  const bool all = trace_.concat.shape() != shape || plan_.overrides_changed(Stage::kConcat, 0);
  blocks_.resize(trace_.heads.size());
  for (Index h = 0; h < std::ssize(blocks_); ++h) change_block(h, all);
  if (std::ranges::all_of(blocks_, &Change::is_none)) return;
  Matrix values = all ? trace_.concat.recycle(shape) : trace_.concat.release();
  const Index d_v = plan_.now().config.d_v;
  Change written;
  for (Index h = 0; h < std::ssize(blocks_); ++h) {
    if (blocks_[static_cast<size_t>(h)].is_none()) continue;
    const Matrix& output = *trace_.heads[static_cast<size_t>(h)].head_output;
    const CellBlock box = cells_of(blocks_[static_cast<size_t>(h)], {output.rows(), output.cols()});
    mix_head(output.block(box.row, box.col, box.rows, box.cols), head_gain(plan_.now(), h),
             values.block(box.row, h * d_v + box.col, box.rows, box.cols));
    const bool rows = blocks_[static_cast<size_t>(h)].is_rows();
    written = either(written, rows ? blocks_[static_cast<size_t>(h)]
                                   : Change::columns(h * d_v + box.col, box.cols));
  }
  plan_.set_overrides(Stage::kConcat, 0, values);
  trace_.concat = SharedMatrix(std::move(values));
  log_.push_back({Stage::kConcat, 0, simplified(written, shape)});
}

// The part of the output that a change of concat, W_O or b_O affects.
Change OutputUpdate::stale_output() const {
  const Parameters &before = plan_.before().parameters, &now = plan_.now().parameters;
  Change stale = changed_columns(before.W_O, now.W_O);
  stale = either(stale, changed_columns(bias_in_use(plan_.before(), before.b_O),
                                        bias_in_use(plan_.now(), now.b_O)));
  for (const Change& block : blocks_) stale = either(stale, changed_product(block, {}));
  const Shape shape = stage_shape(plan_.now(), Stage::kOutput);
  return trace_.output.shape() == shape ? simplified(stale, shape) : Change::whole();
}

bool OutputUpdate::few_heads_changed() const {
  const auto changed = std::ranges::count_if(blocks_, [](const Change& c) { return !c.is_none(); });
  return 2 * changed <= std::ssize(blocks_);
}

// Adds the contribution of `head` to that block of the output.
void OutputUpdate::add_product(Index head, const CellBlock& box, Matrix& sum) const {
  const Index d_v = plan_.now().config.d_v;
  const auto concat = trace_.concat->block(box.row, head * d_v, box.rows, d_v);
  const auto W = plan_.now().parameters.W_O->block(head * d_v, box.col, d_v, box.cols);
  kernels().multiply_add(block_of(concat), block_of(W), slot_of(block(sum, box)));
  report_work(watch_, box.rows * box.cols * d_v);
}

void OutputUpdate::sum_products(Matrix& output, const CellBlock& box) {
  for_column_blocks(pool_, box, [&](const CellBlock& task) {
    set_bias(output, bias_in_use(plan_.now(), plan_.now().parameters.b_O), task);
    for (Index h = 0; h < std::ssize(trace_.heads); ++h) add_product(h, task, output);
  });
}

// Adds to −0, which changes nothing, in the same way as products are summed without parts, so both
// give the same sum bit for bit.
void OutputUpdate::compute_part(Index head, const CellBlock& box) {
  Matrix& part = parts_[static_cast<size_t>(head)];
  for_column_blocks(pool_, box, [&](const CellBlock& task) {
    block(part, task).setConstant(-0.0f);
    add_product(head, task, part);
  });
}

// Updates the parts of the heads that changed, and of the others what a change of W_O affects.
void OutputUpdate::update_parts(const CellBlock& box, const Change& W_O) {
  const Shape shape = stage_shape(plan_.now(), Stage::kOutput);
  const bool fresh = parts_.empty();
  if (fresh) parts_.assign(trace_.heads.size(), Matrix(shape.rows, shape.cols));
  for (Index h = 0; h < std::ssize(parts_); ++h) {
    const bool changed = !blocks_[static_cast<size_t>(h)].is_none();
    if (fresh) {
      compute_part(h, cells_of(Change::whole(), shape));
    } else if (changed) {
      compute_part(h, box);
    } else if (!W_O.is_none()) {
      compute_part(h, cells_of(W_O, shape));
    }
  }
}

void OutputUpdate::sum_parts(Matrix& output, const CellBlock& box) const {
  for (Index i = box.row; i < box.row + box.rows; ++i) {
    const CellBlock row{i, box.col, 1, box.cols};
    set_bias(output, bias_in_use(plan_.now(), plan_.now().parameters.b_O), row);
    for (const Matrix& part : parts_) {
      output.row(i).segment(box.col, box.cols) += part.row(i).segment(box.col, box.cols);
    }
  }
}

Change OutputUpdate::update_output() {
  const Change stale = stale_output();
  const Change W_O = changed_columns(plan_.before().parameters.W_O, plan_.now().parameters.W_O);
  const bool by_parts = stale.is_whole()
                            ? few_heads_changed() && !W_O.is_whole() &&
                                  trace_.output.shape() == stage_shape(plan_.now(), Stage::kOutput)
                            : !parts_.empty();
  if (!stale.is_none() && !by_parts) parts_.clear();
  return plan_.write(Stage::kOutput, 0, stale, trace_.output, log_,
                     [&](Matrix& values, const CellBlock& box) {
                       if (by_parts) {
                         update_parts(box, W_O);
                         sum_parts(values, box);
                       } else {
                         sum_products(values, box);
                       }
                     });
}

Change OutputUpdate::update_residual(const Change& X, const Change& output) {
  if (!plan_.active(Stage::kResidual)) return Plan::share(trace_.residual, trace_.output, output);
  const bool same = plan_.before().config.residual == plan_.now().config.residual;
  const Change stale = same ? either(X, output) : Change::whole();
  return plan_.write(Stage::kResidual, 0, stale, trace_.residual, log_,
                     [&](Matrix& values, const CellBlock& box) {
                       const auto part = trace_.output->block(box.row, box.col, box.rows, box.cols);
                       if (plan_.now().config.residual) {
                         add_residual(trace_.X->block(box.row, box.col, box.rows, box.cols), part,
                                      block(values, box));
                       } else {
                         block(values, box) = part;
                       }
                     });
}

void OutputUpdate::update_layer_norm(const Change& residual) {
  if (!plan_.active(Stage::kLayerNorm)) {
    Plan::share(trace_.layer_norm, trace_.residual, residual);
    return;
  }
  const Problem &before = plan_.before(), &now = plan_.now();
  const bool same = before.config.layer_norm == now.config.layer_norm &&
                    before.config.layer_norm_epsilon == now.config.layer_norm_epsilon &&
                    before.parameters.gamma.same_as(now.parameters.gamma) &&
                    before.parameters.beta.same_as(now.parameters.beta);
  const Change rows = residual.is_columns() ? Change::whole() : residual;
  plan_.write(Stage::kLayerNorm, 0, same ? rows : Change::whole(), trace_.layer_norm, log_,
              [&](Matrix& values, const CellBlock& box) {
                const auto input = trace_.residual->middleRows(box.row, box.rows);
                if (now.config.layer_norm) {
                  normalise_rows(input, *now.parameters.gamma, *now.parameters.beta,
                                 now.config.layer_norm_epsilon, block(values, box));
                } else {
                  block(values, box) = input;
                }
              });
}

Change OutputUpdate::run(const Change& X) {
  forget_if_same(trace_.layer_norm, trace_.residual);
  forget_if_same(trace_.residual, trace_.output);
  update_concat();
  const Change output = update_output();
  update_layer_norm(update_residual(X, output));
  return output;
}

}  // namespace attention
