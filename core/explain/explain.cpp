#include "core/explain/explain.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "core/config.h"
#include "core/explain/reason.h"
#include "core/layer/positions.h"
#include "core/layer/relative_scores.h"
#include "core/layer/stages.h"
#include "core/matrix.h"

namespace attention {
namespace {

// A matrix that operands are taken from, and its name in them.
struct Origin {
  std::string_view name;
  const Matrix& values;
  Index head = 0;

  Operand at(Index row, Index col) const { return {{name, head, row, col}, values(row, col)}; }
};

// The data behind an explanation.
struct Source {
  const Problem& problem;
  const Trace& trace;

  // The stage under its own name, even if it is identical to the one before.
  Origin named(Stage stage, Index head = 0) const {
    return {stage_name(stage), *stage_matrix(problem, trace, stage, head),
            is_per_head(stage) ? head : 0};
  }
  // The stage under the name of the last active stage up to it.
  Origin step(Stage stage, Index head = 0) const { return named(last_step(problem, stage), head); }
  Origin kv_input() const { return named(problem.cross() ? Stage::kXKv : Stage::kX); }
};

void append(Explanation& e, const Operand& a, const std::optional<Operand>& b, double product) {
  e.recomputed += product;
  e.terms.push_back({a, b, product, e.recomputed});
}

void add(Explanation& e, const Operand& a) { append(e, a, std::nullopt, a.value); }

void add(Explanation& e, const Operand& a, const Operand& b) {
  append(e, a, b, static_cast<double>(a.value) * b.value);
}

// Member by member: the compiler would make a whole operand on the stack and wait for it there.
void put_operand(Operand& operand, const Origin& of, Index row, Index col, float value) {
  operand.cell.matrix = of.name;
  operand.cell.head = of.head;
  operand.cell.row = row;
  operand.cell.col = col;
  operand.value = value;
}

// Terms of a sum of products that are summed: all, or where the others are fixed to 0 those of a
// part of X.
struct TermRange {
  Index first, count;
};

// The row of `left` times the column of `right`, or its row if it is transposed, as the first
// terms. There may be a thousand of them: each is constructed in place, and the sum is a local
// variable, because the compiler must assume that every new term may change the explanation.
void add_products(Explanation& e, const Origin& left, const Origin& right, bool transposed,
                  const TermRange& terms) {
  e.terms.reserve(static_cast<size_t>(terms.count) + 1);
  double sum = 0;
  for (Index d = terms.first; d < terms.first + terms.count; ++d) {
    const Index row = transposed ? e.col : d, col = transposed ? d : e.col;
    const float a = left.values(e.row, d), b = right.values(row, col);
    const double product = static_cast<double>(a) * b;
    sum += product;
    Term& term = e.terms.emplace_back();
    put_operand(term.a, left, e.row, d, a);
    put_operand(term.b.emplace(), right, row, col, b);
    term.product = product;
    term.running_sum = sum;
  }
  e.recomputed = sum;
}

void add_products(Explanation& e, const Origin& left, const Origin& right,
                  bool transposed = false) {
  add_products(e, left, right, transposed, {0, left.values.cols()});
}

// The features of X that the cell of Q, K or V is computed from.
TermRange features_read(const Explanation& e, const Problem& problem) {
  if (!problem.input_parts) return {0, problem.config.d_model};
  const InputParts& parts = *problem.input_parts;
  const Index own = problem.config.d_k - parts.key;
  if (e.stage == Stage::kQ) return {0, parts.query};
  if (e.stage == Stage::kK && e.col >= own) return {parts.query + parts.key_value + e.col - own, 1};
  return {parts.query, parts.key_value};
}

// A row of X times a column of a weight matrix.
void add_projection(Explanation& e, const Source& from, const Origin& X, const Origin& W) {
  add_products(e, X, W, false, features_read(e, from.problem));
}

void add_bias(Explanation& e, const Source& from, std::string_view name, const SharedMatrix& b) {
  if (!from.problem.config.biases || b.empty()) return;
  add(e, Origin{name, *b, e.head}.at(0, e.col));
}

void explain_sinusoid(Explanation& e, const Source& from) {
  e.angle = sinusoidal_angle(e.row, e.col, from.problem.config.d_model);
  e.recomputed = e.col % 2 == 0 ? std::sin(e.angle) : std::cos(e.angle);
}

void explain_position(Explanation& e, const Source& from) {
  const Problem& problem = from.problem;
  if (problem.config.positions == Positions::kSinusoidal) return explain_sinusoid(e, from);
  if (e.stage == Stage::kPosition || problem.position_table_kv.empty()) {
    return add(e, Origin{"position_table", *problem.position_table}.at(e.row, e.col));
  }
  add(e, Origin{"position_table_kv", *problem.position_table_kv}.at(e.row, e.col));
}

void explain_X(Explanation& e, const Source& from, Stage embedding, Stage position) {
  add(e, from.named(embedding).at(e.row, e.col));
  const Origin added = from.named(position);
  if (added.values.size() > 0) add(e, added.at(e.row, e.col));
}

void explain_X_kv(Explanation& e, const Source& from) {
  if (from.problem.cross()) return explain_X(e, from, Stage::kEmbeddingKv, Stage::kPositionKv);
  add(e, from.named(Stage::kX).at(e.row, e.col));
}

void explain_query(Explanation& e, const Source& from) {
  const QueryParameters& W = from.problem.parameters.heads[static_cast<size_t>(e.head)];
  add_projection(e, from, from.named(Stage::kX), {"W_Q", *W.W_Q, e.head});
  add_bias(e, from, "b_Q", W.b_Q);
}

void explain_key(Explanation& e, const Source& from) {
  const KeyValueParameters& W = from.problem.kv_parameters(e.head);
  add_projection(e, from, from.kv_input(), {"W_K", *W.W_K, e.head});
  add_bias(e, from, "b_K", W.b_K);
}

void explain_value(Explanation& e, const Source& from) {
  const KeyValueParameters& W = from.problem.kv_parameters(e.head);
  add_projection(e, from, from.kv_input(), {"W_V", *W.W_V, e.head});
  add_bias(e, from, "b_V", W.b_V);
}

HeadNormDetails head_norm_details(const Explanation& e, const Source& from,
                                  const Eigen::Ref<const RowVector>& row) {
  const Config& config = from.problem.config;
  const Parameters& parameters = from.problem.parameters;
  const bool queries = e.stage == Stage::kNormedQ, values = e.stage == Stage::kNormedV;
  static const SharedMatrix kNone;
  const SharedMatrix& weight = values ? kNone : queries ? parameters.norm_Q : parameters.norm_K;
  HeadNormDetails details;
  details.mean_square = row.cast<double>().array().square().mean();
  details.weight_col = e.col;
  if (config.head_norm_joint && !values) {
    const Index number = queries ? e.head : kv_head_of(config, static_cast<int>(e.head));
    details.weight_col += number * config.d_k;
    Eigen::VectorXd all = Eigen::VectorXd::Zero(1);
    for (const HeadTrace& head : from.trace.heads)
      add_mean_squares(stage_matrix(head, *stage_info(e.stage).repeats)->middleRows(e.row, 1),
                       config.n_heads, all);
    details.mean_square = all(0);
  }
  details.epsilon = config.head_norm_epsilon;
  details.normalised = row(e.col) / std::sqrt(details.mean_square + details.epsilon);
  if (!weight.empty()) details.weight = (*weight)(0, details.weight_col);
  return details;
}

void explain_normed(Explanation& e, const Source& from) {
  const Origin before = from.named(*stage_info(e.stage).repeats, e.head);
  add(e, before.at(e.row, e.col));
  const Config& config = from.problem.config;
  const bool normalised = e.stage == Stage::kNormedV ? config.value_norm : config.head_norm;
  if (!normalised) return;
  e.head_norm = head_norm_details(e, from, before.values.row(e.row));
  e.recomputed = e.head_norm->normalised * e.head_norm->weight;
}

void explain_rotated(Explanation& e, const Source& from) {
  const Config& config = from.problem.config;
  const Origin before = from.step(*stage_info(e.stage).repeats, e.head);
  const auto pair =
      config.positions == Positions::kRotary ? rotary_pair_of(from.problem, e.col) : std::nullopt;
  if (!pair) return add(e, before.at(e.row, e.col));
  const auto [first, second] = rotary_columns(from.problem, *pair);
  e.angle = rotary_angle(from.problem, e.row, *pair);
  const double scale = config.rotary_scale;
  const Operand cosine{{"cos", 0, e.row, *pair}, static_cast<float>(std::cos(e.angle) * scale)};
  Operand sine{{"sin", 0, e.row, *pair}, static_cast<float>(std::sin(e.angle) * scale)};
  if (e.col == first) sine.value = -sine.value;
  add(e, before.at(e.row, first), e.col == first ? cosine : sine);
  add(e, before.at(e.row, second), e.col == first ? sine : cosine);
}

void explain_score(Explanation& e, const Source& from) {
  add_products(e, from.step(Stage::kRotatedQ, e.head), from.step(Stage::kRotatedK, e.head), true);
}

// The products of a query or a key with the row of the pair's distance.
void explain_position_score(Explanation& e, const Source& from) {
  const bool of_queries = e.stage == Stage::kContentToPosition;
  const Index row = from.problem.relative->distances.of(e.row, e.col);
  const Matrix rows =
      of_queries ? position_keys(from.problem, e.head) : position_queries(from.problem, e.head);
  const Origin positions{of_queries ? "P_K" : "P_Q", rows, e.head};
  const Origin content = from.step(of_queries ? Stage::kRotatedQ : Stage::kRotatedK, e.head);
  for (Index d = 0; d < rows.cols(); ++d) {
    if (of_queries)
      add(e, content.at(e.row, d), positions.at(row, d));
    else
      add(e, positions.at(row, d), content.at(e.col, d));
  }
  e.distance = e.row - e.col;
}

void explain_sum(Explanation& e, const Source& from) {
  for (const Stage stage : {Stage::kScores, Stage::kContentToPosition, Stage::kPositionToContent}) {
    const Origin part = from.named(stage, e.head);
    if (part.values.size() > 0) add(e, part.at(e.row, e.col));
  }
}

void explain_scaled(Explanation& e, const Source& from) {
  e.factor = score_factor(from.problem.config);
  add(e, from.step(*stage_info(e.stage).repeats, e.head).at(e.row, e.col));
  e.recomputed *= e.factor;
}

void explain_capped(Explanation& e, const Source& from) {
  e.cap = from.problem.config.score_cap;
  add(e, from.step(*stage_info(e.stage).repeats, e.head).at(e.row, e.col));
  if (e.cap > 0) e.recomputed = e.cap * std::tanh(e.recomputed / e.cap);
}

void explain_masked(Explanation& e, const Source& from) {
  const Problem& problem = from.problem;
  add(e, from.step(*stage_info(e.stage).repeats, e.head).at(e.row, e.col));
  if (!problem.bias.empty()) add(e, Origin{"bias", *problem.bias}.at(e.row, e.col));
  if (!problem.head_bias.empty()) {
    const SharedMatrix& bias = problem.head_bias[static_cast<size_t>(e.head)];
    add(e, Origin{"head_bias", *bias, e.head}.at(e.row, e.col));
  }
  if (problem.config.positions == Positions::kAlibi) {
    const float slope = alibi_slope(static_cast<int>(e.head), problem.config.n_heads);
    const float distance = -static_cast<float>(std::abs(e.row - e.col));
    add(e, {{"slope", e.head, 0, 0}, slope}, {{"distance", 0, e.row, e.col}, distance});
  }
  e.reasons = reasons_masked(problem, e.row, e.col);
  if (!e.reasons.empty()) e.recomputed = -std::numeric_limits<double>::infinity();
}

// NaN and +∞ in the row make every part NaN without a special rule; only a row of −∞ needs one.
SoftmaxDetails softmax_details(const Eigen::Ref<const RowVector>& row, float sink) {
  SoftmaxDetails details;
  details.maximum = row.maxCoeff<Eigen::PropagateNaN>();
  if (sink > details.maximum) details.maximum = sink;
  details.exponentials.reserve(static_cast<size_t>(row.size()));
  const bool nothing = details.maximum == -std::numeric_limits<float>::infinity();
  for (const float x : row) {
    const double shifted = static_cast<double>(x) - details.maximum;
    details.exponentials.push_back(nothing ? 0.0 : std::exp(shifted));
    details.denominator += details.exponentials.back();
  }
  if (sink == kNoSink) return details;
  details.of_sink = std::exp(static_cast<double>(sink) - details.maximum);
  details.denominator += details.of_sink;
  return details;
}

void explain_weight(Explanation& e, const Source& from) {
  const Origin scores = from.step(Stage::kMaskedScores, e.head);
  add(e, scores.at(e.row, e.col));
  const float sink = sink_of(from.problem, e.head);
  e.softmax = softmax_details(scores.values.row(e.row), sink);
  if (from.problem.config.sink) e.softmax->sink = Operand{{"sink", e.head, 0, 0}, sink};
  const double numerator = e.softmax->exponentials[static_cast<size_t>(e.col)];
  e.recomputed = e.softmax->denominator == 0.0 ? 0.0 : numerator / e.softmax->denominator;
  if (is_overridden(from.problem, Stage::kMaskedScores, e.head, e.row, e.col)) return;
  e.reasons = reasons_masked(from.problem, e.row, e.col);
}

void explain_dropped(Explanation& e, const Source& from) {
  const Config& config = from.problem.config;
  add(e, from.named(Stage::kWeights, e.head).at(e.row, e.col));
  e.reasons = reasons_dropped(from.problem, e.head, e.row, e.col);
  if (e.reasons.empty()) {
    e.factor = dropout_factor(config);
    e.recomputed *= e.factor;
  } else {
    e.factor = e.recomputed = 0;
  }
}

void explain_head_output(Explanation& e, const Source& from) {
  add_products(e, from.step(Stage::kDroppedWeights, e.head), from.step(Stage::kNormedV, e.head));
}

void explain_concat(Explanation& e, const Source& from) {
  const Index d_v = from.problem.config.d_v, head = e.col / d_v;
  const Operand part = from.named(Stage::kHeadOutput, head).at(e.row, e.col % d_v);
  const float gain = head_gain(from.problem, head);
  if (gain == 1.0f) return add(e, part);
  const double product = gain == 0.0f ? 0.0 : static_cast<double>(part.value) * gain;
  append(e, part, Operand{{"gain", head, 0, 0}, gain}, product);
  e.reasons = reasons_muted(from.problem, head);
}

void explain_output(Explanation& e, const Source& from) {
  const Parameters& parameters = from.problem.parameters;
  add_products(e, from.named(Stage::kConcat), {"W_O", *parameters.W_O});
  add_bias(e, from, "b_O", parameters.b_O);
}

void explain_residual(Explanation& e, const Source& from) {
  if (from.problem.config.residual) add(e, from.named(Stage::kX).at(e.row, e.col));
  add(e, from.named(Stage::kOutput).at(e.row, e.col));
}

LayerNormDetails layer_norm_details(const Problem& problem, const Eigen::Ref<const RowVector>& row,
                                    Index col) {
  const auto numbers = row.cast<double>().array();
  LayerNormDetails details;
  details.mean = numbers.mean();
  details.variance = (numbers - details.mean).square().mean();
  details.epsilon = problem.config.layer_norm_epsilon;
  details.normalised = (row(col) - details.mean) / std::sqrt(details.variance + details.epsilon);
  const Parameters& parameters = problem.parameters;
  if (!parameters.gamma.empty()) details.gamma = (*parameters.gamma)(0, col);
  if (!parameters.beta.empty()) details.beta = (*parameters.beta)(0, col);
  return details;
}

void explain_layer_norm(Explanation& e, const Source& from) {
  const Origin before = from.step(Stage::kResidual);
  add(e, before.at(e.row, e.col));
  if (!from.problem.config.layer_norm) return;
  e.layer_norm = layer_norm_details(from.problem, before.values.row(e.row), e.col);
  e.recomputed = e.layer_norm->normalised * e.layer_norm->gamma + e.layer_norm->beta;
}

void explain_input(Explanation& e, const Source& from) {
  switch (e.stage) {
    case Stage::kPosition:
    case Stage::kPositionKv:
      return explain_position(e, from);
    case Stage::kX:
      return explain_X(e, from, Stage::kEmbedding, Stage::kPosition);
    case Stage::kXKv:
      return explain_X_kv(e, from);
    default:  // the embeddings are given
      e.recomputed = e.value;
  }
}

void explain_parts(Explanation& e, const Source& from) {
  switch (e.stage) {
    case Stage::kQ:
      return explain_query(e, from);
    case Stage::kK:
      return explain_key(e, from);
    case Stage::kV:
      return explain_value(e, from);
    case Stage::kNormedQ:
    case Stage::kNormedK:
    case Stage::kNormedV:
      return explain_normed(e, from);
    case Stage::kRotatedQ:
    case Stage::kRotatedK:
      return explain_rotated(e, from);
    case Stage::kScores:
      return explain_score(e, from);
    case Stage::kContentToPosition:
    case Stage::kPositionToContent:
      return explain_position_score(e, from);
    case Stage::kSummedScores:
      return explain_sum(e, from);
    case Stage::kScaledScores:
      return explain_scaled(e, from);
    case Stage::kCappedScores:
      return explain_capped(e, from);
    case Stage::kMaskedScores:
      return explain_masked(e, from);
    case Stage::kWeights:
      return explain_weight(e, from);
    case Stage::kDroppedWeights:
      return explain_dropped(e, from);
    case Stage::kHeadOutput:
      return explain_head_output(e, from);
    case Stage::kConcat:
      return explain_concat(e, from);
    case Stage::kOutput:
      return explain_output(e, from);
    case Stage::kResidual:
      return explain_residual(e, from);
    case Stage::kLayerNorm:
      return explain_layer_norm(e, from);
    default:
      return explain_input(e, from);
  }
}

void require_cell(const Matrix& matrix, Stage stage, Index row, Index col) {
  if (row >= 0 && row < matrix.rows() && col >= 0 && col < matrix.cols()) return;
  throw std::out_of_range(std::string(stage_name(stage)) + " is " +
                          shape_text(matrix.rows(), matrix.cols()) + " and has no cell (" +
                          std::to_string(row) + ", " + std::to_string(col) + ")");
}

}  // namespace

std::optional<Stage> repeated_stage(const Problem& problem, Stage stage) {
  if (is_switched_on(problem, stage) || stage_shape(problem, stage) == Shape{}) return std::nullopt;
  const Stage before = *stage_before(problem, stage);
  return stage == Stage::kXKv ? before : last_step(problem, before);
}

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
  e.overridden = is_overridden(problem, stage, e.head, row, col);
  return e;
}

}  // namespace attention
