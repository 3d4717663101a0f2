#include "core/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/shape_text.h"

namespace attention {
namespace {

// What an explanation is made from.
struct Source {
  const Problem& problem;
  const Trace& trace;

  const HeadTrace& head(Index h) const { return trace.heads[static_cast<size_t>(h)]; }
  const HeadParameters& parameters(Index h) const {
    return problem.parameters.heads[static_cast<size_t>(h)];
  }
};

Operand operand(const std::string& name, const SharedMatrix& matrix, Index head, Index row,
                Index col) {
  return {{name, head, row, col}, (*matrix)(row, col)};
}

void add_term(Explanation& e, const Operand& a, const std::optional<Operand>& b = std::nullopt) {
  const double product = static_cast<double>(a.value) * (b ? b->value : 1.0);
  e.recomputed += product;
  e.terms.push_back({a, b, product, e.recomputed});
}

// One projection of one head, with the names of its parts.
struct Projection {
  std::string input_name, W_name, b_name;
  const SharedMatrix &input, &W, &b;
};

void explain_projection(Explanation& e, const Projection& p) {
  for (Index d = 0; d < p.W->rows(); ++d) {
    add_term(e, operand(p.input_name, p.input, 0, e.row, d),
             operand(p.W_name, p.W, e.head, d, e.col));
  }
  if (!p.b.empty()) add_term(e, operand(p.b_name, p.b, e.head, 0, e.col));
}

Projection projection_of(const Source& from, Stage stage, Index head) {
  const Problem& problem = from.problem;
  const HeadParameters& W = from.parameters(head);
  const std::string kv_name = problem.X_kv.empty() ? "X" : "X_kv";
  if (stage == Stage::kQ) return {"X", "W_Q", "b_Q", problem.X, W.W_Q, W.b_Q};
  if (stage == Stage::kK) return {kv_name, "W_K", "b_K", problem.kv_input(), W.W_K, W.b_K};
  return {kv_name, "W_V", "b_V", problem.kv_input(), W.W_V, W.b_V};
}

void explain_score(Explanation& e, const HeadTrace& head) {
  for (Index d = 0; d < head.Q->cols(); ++d) {
    add_term(e, operand("Q", head.Q, e.head, e.row, d), operand("K", head.K, e.head, e.col, d));
  }
}

void explain_scaled(Explanation& e, const Source& from) {
  e.factor = score_factor(from.problem.config);
  add_term(e, operand("scores", from.head(e.head).scores, e.head, e.row, e.col));
  e.recomputed *= e.factor;
}

// Why query `row` may not look at key `col`, or nothing when it may.
std::string reason_masked(const Problem& problem, Index row, Index col) {
  if (problem.may_attend(row, col)) return "";
  if (problem.config.mask == MaskKind::kCausal && col > row) {
    return "causal mask: key " + std::to_string(col) + " comes after query " + std::to_string(row);
  }
  return "the mask forbids query " + std::to_string(row) + " to attend to key " +
         std::to_string(col);
}

void explain_masked(Explanation& e, const Source& from) {
  add_term(e, operand("scaled_scores", from.head(e.head).scaled_scores, e.head, e.row, e.col));
  if (!from.problem.bias.empty()) add_term(e, operand("bias", from.problem.bias, 0, e.row, e.col));
  e.masked_because = reason_masked(from.problem, e.row, e.col);
  if (!e.masked_because.empty()) e.recomputed = -std::numeric_limits<double>::infinity();
}

// NaN and +∞ in the row make every part NaN by themselves; only −∞ throughout needs a rule.
SoftmaxParts softmax_parts(const Eigen::Ref<const RowVector>& row) {
  SoftmaxParts parts;
  parts.maximum = row.maxCoeff<Eigen::PropagateNaN>();
  const bool nothing = parts.maximum == -std::numeric_limits<float>::infinity();
  for (const float x : row) {
    const double shifted = static_cast<double>(x) - parts.maximum;
    parts.exponentials.push_back(nothing ? 0.0 : std::exp(shifted));
    parts.denominator += parts.exponentials.back();
  }
  return parts;
}

void explain_weight(Explanation& e, const Source& from) {
  const SharedMatrix& masked = from.head(e.head).masked_scores;
  add_term(e, operand("masked_scores", masked, e.head, e.row, e.col));
  e.softmax = softmax_parts(masked->row(e.row));
  const double numerator = e.softmax->exponentials[static_cast<size_t>(e.col)];
  e.recomputed = e.softmax->denominator == 0.0 ? 0.0 : numerator / e.softmax->denominator;
  e.masked_because = reason_masked(from.problem, e.row, e.col);
}

void explain_head_output(Explanation& e, const HeadTrace& head) {
  for (Index j = 0; j < head.V->rows(); ++j) {
    add_term(e, operand("weights", head.weights, e.head, e.row, j),
             operand("V", head.V, e.head, j, e.col));
  }
}

void explain_concat(Explanation& e, const Source& from) {
  const Index d_v = from.head(0).head_output->cols();
  const Index head = e.col / d_v;
  add_term(e, operand("head_output", from.head(head).head_output, head, e.row, e.col % d_v));
}

void explain_output(Explanation& e, const Source& from) {
  const Parameters& parameters = from.problem.parameters;
  explain_projection(e,
                     {"concat", "W_O", "b_O", from.trace.concat, parameters.W_O, parameters.b_O});
}

void explain_parts(Explanation& e, const Source& from) {
  switch (e.stage) {
    case Stage::kX:
      return add_term(e, operand("X", from.problem.X, 0, e.row, e.col));
    case Stage::kQ:
    case Stage::kK:
    case Stage::kV:
      return explain_projection(e, projection_of(from, e.stage, e.head));
    case Stage::kScores:
      return explain_score(e, from.head(e.head));
    case Stage::kScaledScores:
      return explain_scaled(e, from);
    case Stage::kMaskedScores:
      return explain_masked(e, from);
    case Stage::kWeights:
      return explain_weight(e, from);
    case Stage::kHeadOutput:
      return explain_head_output(e, from.head(e.head));
    case Stage::kConcat:
      return explain_concat(e, from);
    case Stage::kOutput:
      return explain_output(e, from);
  }
}

void require_cell(const Matrix& matrix, Stage stage, Index row, Index col) {
  if (row >= 0 && row < matrix.rows() && col >= 0 && col < matrix.cols()) return;
  throw std::out_of_range(std::string(stage_name(stage)) + " is " +
                          shape_text(matrix.rows(), matrix.cols()) + " and has no cell (" +
                          std::to_string(row) + ", " + std::to_string(col) + ")");
}

}  // namespace

Explanation explain(const Problem& problem, const Trace& trace, Stage stage, Index head, Index row,
                    Index col) {
  const Matrix& matrix = *stage_matrix(problem, trace, stage, head);
  require_cell(matrix, stage, row, col);
  Explanation e;
  e.stage = stage;
  e.head = is_per_head(stage) ? head : 0;
  e.row = row;
  e.col = col;
  e.value = matrix(row, col);
  explain_parts(e, {problem, trace});
  return e;
}

}  // namespace attention
