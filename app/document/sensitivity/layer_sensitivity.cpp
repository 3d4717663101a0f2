#include "app/document/sensitivity/layer_sensitivity.h"

#include <utility>

#include "app/document/document.h"
#include "core/analysis/cost.h"

namespace lab {
namespace {

using attention::Index;
using attention::LayerGradient;
using attention::Problem;
using attention::Stage;
using attention::Trace;

// A gradient takes up to 2.5 times as long as the forward pass; this many multiply-adds of that
// leave it about 4 ms.
constexpr std::int64_t kAtOnce = 4'000'000;

bool same_cell(const LayerQuestion& a, Stage stage, Index head, Index row, Index col) {
  return a.stage == stage && a.head == head && a.row == row && a.col == col;
}

bool same_sizes(const Problem& a, const Problem& b) {
  const attention::Config &one = a.config, &other = b.config;
  return a.seq_len() == b.seq_len() && a.kv_len() == b.kv_len() && a.cross() == b.cross() &&
         one.d_model == other.d_model && one.d_k == other.d_k && one.d_v == other.d_v &&
         one.d_out == other.d_out && one.n_heads == other.n_heads &&
         kv_head_count(one) == kv_head_count(other);
}

LayerGradient gradient_of(const LayerQuestion& one) {
  return attention::gradient_of(one.problem, one.trace,
                                cell_seed(one.problem, one.stage, one.head, one.row, one.col));
}

bool is_quick(const Problem& problem) {
  return cost_of(problem).multiply_adds.at(problem.seq_len()) <= kAtOnce;
}

}  // namespace

void LayerSensitivity::ask(const Problem& problem, const Trace& trace, Stage stage, Index head,
                           Index row, Index col) {
  settle();
  const bool same = asked_ && same_cell(*asked_, stage, head, row, col);
  if (same && same_problem(asked_->problem, problem)) return;
  asked_ = LayerQuestion{problem, trace, stage, head, row, col};
  const bool fits = answered_ && same_cell(*answered_, stage, head, row, col) &&
                    same_sizes(answered_->problem, problem);
  if (!fits) result_.reset(), answered_.reset();
  waiting_ = true;
  if (running_.busy()) return;
  is_quick(problem) ? compute(*asked_) : start(*asked_);
}

void LayerSensitivity::stop() {
  asked_.reset(), answered_.reset(), result_.reset();
  waiting_ = false;
  settle();
}

void LayerSensitivity::compute(const LayerQuestion& question) {
  waiting_ = false;
  result_ = std::make_shared<const LayerGradient>(gradient_of(question));
  answered_ = question;
}

void LayerSensitivity::start(LayerQuestion question) {
  waiting_ = false;
  being_answered_ = question;
  running_.start([question = std::move(question)] { return gradient_of(question); }, on_ready_);
}

// Takes what has been computed if it still answers the question, and starts what was asked since.
void LayerSensitivity::settle() {
  if (!running_.finished()) return;
  LayerGradient gradient = running_.take();
  LayerQuestion& done = being_answered_;
  if (asked_ && same_cell(done, asked_->stage, asked_->head, asked_->row, asked_->col) &&
      same_sizes(done.problem, asked_->problem)) {
    result_ = std::make_shared<const LayerGradient>(std::move(gradient));
    answered_ = std::move(done);
  }
  being_answered_ = {};
  if (waiting_ && asked_) start(*asked_);
}

}  // namespace lab
