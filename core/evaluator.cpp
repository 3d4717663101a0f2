#include "core/evaluator.h"

#include <algorithm>
#include <utility>

#include "core/stages.h"

namespace attention {
namespace {

// A problem as one head sees it.
struct HeadInputs {
  const Problem& problem;
  const HeadParameters& parameters;
};

// What a projection reads.
struct ProjectionInputs {
  const SharedMatrix &input, &W, &b;
};

bool same(const ProjectionInputs& a, const ProjectionInputs& b) {
  return a.input.same_as(b.input) && a.W.same_as(b.W) && a.b.same_as(b.b);
}

bool same_masks(const Problem& a, const Problem& b) {
  return a.config.mask == b.config.mask && a.allowed.same_as(b.allowed) && a.bias.same_as(b.bias);
}

// The entry of that head, or an empty one when there is none. An empty entry has no identity in
// common with any operand of a valid problem, so everything that is compared with it is stale.
template <typename T>
const T& entry_or_empty(const std::vector<T>& heads, size_t head) {
  static const T empty;
  return head < heads.size() ? heads[head] : empty;
}

// Brings the stages of one head up to date, in the order of the formula.
class HeadUpdate {
 public:
  HeadUpdate(HeadInputs before, HeadInputs now, const HeadTrace& old)
      : before_(before), now_(now), old_(old) {}

  HeadTrace run() {
    project_all();
    score();
    attend();
    return trace_;
  }

  int computed() const { return computed_; }

 private:
  template <typename Compute>
  SharedMatrix keep_or_compute(bool operands_same, const SharedMatrix& kept, Compute compute) {
    if (operands_same) return kept;
    ++computed_;
    return SharedMatrix(compute());
  }

  SharedMatrix update_projection(const ProjectionInputs& before, const ProjectionInputs& now,
                                 const SharedMatrix& kept) {
    return keep_or_compute(same(before, now), kept,
                           [&] { return project(*now.input, *now.W, *now.b); });
  }

  void project_all() {
    const HeadParameters &was = before_.parameters, &is = now_.parameters;
    const SharedMatrix &X_was = before_.problem.X, &X_is = now_.problem.X;
    const SharedMatrix &kv_was = before_.problem.kv_input(), &kv_is = now_.problem.kv_input();
    trace_.Q = update_projection({X_was, was.W_Q, was.b_Q}, {X_is, is.W_Q, is.b_Q}, old_.Q);
    trace_.K = update_projection({kv_was, was.W_K, was.b_K}, {kv_is, is.W_K, is.b_K}, old_.K);
    trace_.V = update_projection({kv_was, was.W_V, was.b_V}, {kv_is, is.W_V, is.b_V}, old_.V);
  }

  void score() {
    trace_.scores =
        keep_or_compute(trace_.Q.same_as(old_.Q) && trace_.K.same_as(old_.K), old_.scores,
                        [&] { return attention_scores(*trace_.Q, *trace_.K); });
    trace_.scaled_scores = scaled();
    trace_.masked_scores = masked();
  }

  // A factor of 1 changes nothing: the result is the scores themselves.
  SharedMatrix scaled() {
    const float factor = score_factor(now_.problem.config);
    if (factor == 1.0f) return trace_.scores;
    const bool fresh =
        trace_.scores.same_as(old_.scores) && factor == score_factor(before_.problem.config);
    return keep_or_compute(fresh, old_.scaled_scores,
                           [&] { return scale_scores(*trace_.scores, factor); });
  }

  // Without mask and bias the result is the scaled scores themselves.
  SharedMatrix masked() {
    if (!now_.problem.has_masked_stage()) return trace_.scaled_scores;
    const bool fresh = trace_.scaled_scores.same_as(old_.scaled_scores) &&
                       same_masks(before_.problem, now_.problem);
    return keep_or_compute(fresh, old_.masked_scores,
                           [&] { return mask_scores(*trace_.scaled_scores, now_.problem); });
  }

  void attend() {
    trace_.weights = keep_or_compute(trace_.masked_scores.same_as(old_.masked_scores), old_.weights,
                                     [&] { return softmax_rows(*trace_.masked_scores); });
    trace_.head_output =
        keep_or_compute(trace_.weights.same_as(old_.weights) && trace_.V.same_as(old_.V),
                        old_.head_output, [&] { return mix_values(*trace_.weights, *trace_.V); });
  }

  HeadInputs before_, now_;
  const HeadTrace& old_;
  HeadTrace trace_;
  int computed_ = 0;
};

bool same_outputs(const std::vector<HeadTrace>& a, const std::vector<HeadTrace>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const HeadTrace& x, const HeadTrace& y) { return x.head_output.same_as(y.head_output); });
}

}  // namespace

HeadTrace Evaluator::evaluate_head(const Problem& problem, size_t head, Recomputed& done) const {
  HeadUpdate update({last_, entry_or_empty(last_.parameters.heads, head)},
                    {problem, problem.parameters.heads[head]}, entry_or_empty(trace_.heads, head));
  HeadTrace trace = update.run();
  if (update.computed() > 0) done.heads.push_back(static_cast<int>(head));
  done.stages += update.computed();
  return trace;
}

void Evaluator::join_heads(const Problem& problem, Trace& next, Recomputed& done) const {
  const bool concat_fresh = same_outputs(next.heads, trace_.heads);
  next.concat = concat_fresh ? trace_.concat : SharedMatrix(concat_heads(next.heads));
  const Parameters &was = last_.parameters, &is = problem.parameters;
  const bool output_fresh = concat_fresh && is.W_O.same_as(was.W_O) && is.b_O.same_as(was.b_O);
  next.output =
      output_fresh ? trace_.output : SharedMatrix(project(*next.concat, *is.W_O, *is.b_O));
  done.stages += (concat_fresh ? 0 : 1) + (output_fresh ? 0 : 1);
  done.output = !output_fresh;
}

// Everything that may throw happens before the first member is written.
const Trace& Evaluator::evaluate(const Problem& problem) {
  validate(problem);
  Problem now = problem;
  Trace next;
  Recomputed done;
  for (size_t h = 0; h < now.parameters.heads.size(); ++h) {
    next.heads.push_back(evaluate_head(now, h, done));
  }
  join_heads(now, next, done);
  last_ = std::move(now);
  trace_ = std::move(next);
  recomputed_ = std::move(done);
  return trace_;
}

}  // namespace attention
