#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/matrix.h"
#include "core/matrix_id.h"

namespace attention {
namespace {

// A matrix of the problem as named in messages; heads count from 0, negative: none.
struct Named {
  std::string_view name;
  const SharedMatrix& matrix;
  Index head = -1;
  const char* type_of_head = " of head_";

  std::string text() const {
    std::string result(name);
    return head < 0 ? result : result + type_of_head + std::to_string(head + 1);
  }
};

// An expected shape, and the names of its sides.
struct ExpectedShape {
  Index rows, cols;
  std::string sides;
};

void check_shape(const Named& named, const ExpectedShape& expected) {
  const Matrix& matrix = *named.matrix;
  if (matrix.rows() == expected.rows && matrix.cols() == expected.cols) return;
  throw std::invalid_argument(named.text() + " is " + shape_text(matrix.rows(), matrix.cols()) +
                              ", it must be " + shape_text(expected.rows, expected.cols) + " (" +
                              expected.sides + ")");
}

void check_optional(const Named& named, const ExpectedShape& expected) {
  if (!named.matrix.empty()) check_shape(named, expected);
}

void check_length(const char* name, Index value) {
  if (value >= 1 && value <= Limits::kSeqLen) return;
  throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                              ", it must be 1 … " + std::to_string(Limits::kSeqLen));
}

void check_lengths(const Problem& problem) {
  check_length("seq_len", problem.seq_len());
  check_length("kv_len", problem.kv_len());
  const Index scores = problem.config.n_heads * problem.seq_len() * problem.kv_len();
  if (scores > Limits::kScores) {
    throw std::invalid_argument("n_heads · seq_len · kv_len is " + std::to_string(scores) +
                                ", it must be at most " + std::to_string(Limits::kScores));
  }
}

// The stages with a number for each pair of query and key; a cap and scores by distance are rare,
// and counted only where there are some.
Index pair_stages(const Problem& problem) {
  return std::ranges::count_if(kAllStages, [&](Stage stage) {
    const bool rare = stage == Stage::kCappedScores || stage == Stage::kContentToPosition ||
                      stage == Stage::kPositionToContent || stage == Stage::kSummedScores;
    return has_key_columns(stage) && (!rare || is_active(problem, stage));
  });
}

// Q and K, rotated, and normalised where they are.
Index query_stages(const Problem& problem) {
  const bool normed = is_active(problem, Stage::kNormedQ) || is_active(problem, Stage::kNormedK);
  return normed ? 3 : 2;
}

// The largest number of values in an evaluation: every stage, and the output's part of every head.
Index most_numbers(const Problem& problem) {
  const Config& c = problem.config;
  const Index n = problem.seq_len(), m = problem.kv_len();
  const Index values = is_active(problem, Stage::kNormedV) ? 2 : 1;
  const Index of_head = pair_stages(problem) * n * m + query_stages(problem) * (n + m) * c.d_k +
                        (2 * n + values * m) * c.d_v + n * c.d_out;
  return c.n_heads * of_head + 2 * (n + m) * c.d_model + 3 * n * c.d_out;
}

void check_numbers(const Problem& problem) {
  const Index count = most_numbers(problem);
  if (count <= Limits::kNumbers) return;
  throw std::invalid_argument("the stages would hold " + std::to_string(count) +
                              " numbers together, they may hold at most " +
                              std::to_string(Limits::kNumbers));
}

// Extra rows that are not read are allowed.
void check_table(const Named& named, Index rows, Index cols) {
  const Matrix& table = *named.matrix;
  if (table.cols() == cols && table.rows() >= rows) return;
  throw std::invalid_argument(named.text() + " is " + shape_text(table.rows(), table.cols()) +
                              ", it must be at least " + shape_text(rows, cols) +
                              " (positions × d_model)");
}

void check_head_bias(const Problem& problem, Index seq_len, Index kv_len) {
  if (problem.head_bias.empty()) return;
  if (std::ssize(problem.head_bias) != problem.config.n_heads)
    throw std::invalid_argument("there are biases for " + std::to_string(problem.head_bias.size()) +
                                " heads, n_heads is " + std::to_string(problem.config.n_heads));
  for (const SharedMatrix& bias : problem.head_bias)
    check_shape({"the bias of a head", bias}, {seq_len, kv_len, "seq_len × kv_len"});
}

void check_frequencies(const Problem& problem) {
  const SharedMatrix& table = problem.rotary_frequencies;
  const Index pairs = table->cols(), d_k = problem.config.d_k, first = problem.rotary_first;
  const bool fits = table.empty() || (table->rows() == 1 && pairs > 0 && 2 * pairs <= d_k);
  if (fits && (first < 0 || first + 2 * pairs > d_k || (table.empty() && first > 0)))
    throw std::invalid_argument("rotary_first is " + std::to_string(first) + ": there are no " +
                                std::to_string(pairs) + " pairs to rotate from there on");
  if (fits) return;
  throw std::invalid_argument("rotary_frequencies is " + shape_text(table->rows(), table->cols()) +
                              ", it must be one row of at most d_k / 2 = " +
                              std::to_string(problem.config.d_k / 2) + " numbers");
}

void check_input_parts(const Problem& problem) {
  if (!problem.input_parts) return;
  const auto& [query, key_value, key, compressed_query] = *problem.input_parts;
  const Config& config = problem.config;
  const bool sizes = query > 0 && key_value > 0 && key >= 0 && key <= config.d_k;
  if (sizes && query + key_value + key == config.d_model && !problem.cross()) return;
  throw std::invalid_argument("the parts of X do not make up its " +
                              std::to_string(config.d_model) + " features");
}

void check_maps(const PositionMaps& maps, const RelativePositions& relative, const Config& config) {
  const Index d_model = config.d_model, d_k = config.d_k;
  const auto check = [&](bool used, const char* name, const SharedMatrix& W,
                         const SharedMatrix& b) {
    if (!used) return;
    check_shape({name, W}, {d_model, d_k, "d_model × d_k"});
    check_optional({name, b}, {1, d_k, "1 × d_k"});
  };
  check(relative.content_to_position, "the map to the keys of distances", maps.W_K, maps.b_K);
  check(relative.position_to_content, "the map to the queries of distances", maps.W_Q, maps.b_Q);
}

void check_relative(const Problem& problem) {
  if (!problem.relative) return;
  const RelativePositions& relative = *problem.relative;
  const Index rows = relative.embedding->rows();
  check_shape({"the embedding of distances", relative.embedding},
              {rows, problem.config.d_model, "distances × d_model"});
  const DistanceRows& distances = relative.distances;
  const bool fits =
      distances.before >= problem.kv_len() - 1 &&
      distances.before + problem.seq_len() <= std::ssize(distances.rows) &&
      std::ranges::all_of(distances.rows, [&](Index row) { return row >= 0 && row < rows; });
  if (!fits)
    throw std::invalid_argument("the distances of the tokens have no rows among " +
                                std::to_string(rows));
  if (!relative.maps.empty() && std::ssize(relative.maps) != problem.config.n_heads)
    throw std::invalid_argument("there are maps of distances for " +
                                std::to_string(relative.maps.size()) + " heads, n_heads is " +
                                std::to_string(problem.config.n_heads));
  for (const PositionMaps& maps : relative.maps) check_maps(maps, relative, problem.config);
}

void check_inputs(const Problem& problem) {
  const Index seq_len = problem.seq_len(), kv_len = problem.kv_len();
  const Index d_model = problem.config.d_model;
  check_shape({"X", problem.embedding}, {seq_len, d_model, "seq_len × d_model"});
  check_optional({"X_kv", problem.embedding_kv}, {kv_len, d_model, "kv_len × d_model"});
  check_optional({"the mask", problem.allowed}, {seq_len, kv_len, "seq_len × kv_len"});
  check_optional({"bias", problem.bias}, {seq_len, kv_len, "seq_len × kv_len"});
  check_head_bias(problem, seq_len, kv_len);
  check_frequencies(problem);
  check_input_parts(problem);
  check_relative(problem);
  if (problem.config.positions != Positions::kLearned) return;
  check_table({"position_table", problem.position_table}, seq_len, d_model);
  const bool own_table = problem.cross() && !problem.position_table_kv.empty();
  check_table({own_table ? "position_table_kv" : "position_table", problem.kv_position_table()},
              kv_len, d_model);
}

void check_count(const char* what, size_t count, const char* name, int expected) {
  if (count == static_cast<size_t>(expected)) return;
  throw std::invalid_argument("there are " + std::string(what) + " for " + std::to_string(count) +
                              " heads, " + name + " is " + std::to_string(expected));
}

// "d_model × d_k".
std::string sides_of(const MatrixInfo& info, const Config& config) {
  return std::string(axis_name(info.rows)) + " × " +
         std::string(axis_name(column_axis(config, info.id)));
}

void check_parameters(const Parameters& parameters, const Config& config) {
  validate_head_counts(parameters, config);
  for_each_parameter(parameters,
                     [&](const MatrixInfo& info, Index head, const SharedMatrix& matrix) {
                       if (matrix.empty() && !info.required) return;
                       const Shape shape = parameter_shape(config, info.id);
                       const bool grouped = is_per_kv_head(info.id) && config.n_kv_heads != 0;
                       check_shape({info.name, matrix, is_per_head(info.id) ? head : -1,
                                    grouped ? " of key and value head_" : " of head_"},
                                   {shape.rows, shape.cols, sides_of(info, config)});
                     });
}

std::string head_text(Index head) { return "head_" + std::to_string(head + 1); }

std::string cell_text_of(const Override& o) {
  std::string text(stage_name(o.stage));
  if (is_per_head(o.stage)) text += " of " + head_text(o.head);
  return text + " at (" + std::to_string(o.row) + ", " + std::to_string(o.col) + ")";
}

void check_overridden_stage(const Override& o) {
  if (std::ranges::find(kAllStages, o.stage) == kAllStages.end()) {
    throw std::invalid_argument("an override is of stage number " +
                                std::to_string(static_cast<int>(o.stage)) + ", it must be 0 … " +
                                std::to_string(kAllStages.size() - 1));
  }
  if (is_input(o.stage)) {
    throw std::invalid_argument(cell_text_of(o) + " is an input: it is edited, not overridden");
  }
}

// The first of the heads that share the overridden matrix.
Index first_of_sharing(const Config& config, const Override& o) {
  if (!is_per_head(o.stage)) return 0;
  const int sharing = is_per_kv_head(o.stage) ? heads_per_kv_head(config) : 1;
  return o.head / sharing * sharing;
}

void check_overridden_head(const Config& config, const Override& o) {
  if (o.head < 0 || o.head >= config.n_heads) {
    throw std::invalid_argument("there is no " + head_text(o.head) + " among " +
                                std::to_string(config.n_heads) + ": " + cell_text_of(o) +
                                " cannot be overridden there");
  }
  const Index first = first_of_sharing(config, o);
  if (o.head == first) return;
  throw std::invalid_argument(cell_text_of(o) + " is not of " + head_text(o.head) +
                              " alone: it is overridden in " + head_text(first));
}

void check_overridden_cell(const Problem& problem, const Override& o) {
  const bool absent = o.stage == Stage::kXKv && !problem.cross();
  const Shape shape = absent ? Shape{} : stage_shape(problem, o.stage);
  if (o.row >= 0 && o.row < shape.rows && o.col >= 0 && o.col < shape.cols) return;
  throw std::invalid_argument("there is no cell to override: " + cell_text_of(o) +
                              ", the stage is " + shape_text(shape.rows, shape.cols));
}

void check_override(const Problem& problem, const Override& o) {
  check_overridden_stage(o);
  check_overridden_head(problem.config, o);
  check_overridden_cell(problem, o);
}

auto cell_key(const Override& o) { return std::tuple(o.stage, o.head, o.row, o.col); }

void check_overrides(const Problem& problem) {
  if (problem.overrides.empty()) return;
  for (const Override& o : problem.overrides) check_override(problem, o);
  std::vector<Override> sorted = problem.overrides;
  std::ranges::sort(sorted, {}, cell_key);
  const auto twice = std::ranges::adjacent_find(sorted, {}, cell_key);
  if (twice != sorted.end()) {
    throw std::invalid_argument(cell_text_of(*twice) + " is overridden twice");
  }
}

}  // namespace

void validate_head_counts(const Parameters& parameters, const Config& config) {
  check_count("query weights", parameters.heads.size(), "n_heads", config.n_heads);
  check_count("key and value weights", parameters.kv_heads.size(),
              config.n_kv_heads == 0 ? "n_heads" : "n_kv_heads", kv_head_count(config));
}

void validate(const Problem& problem) {
  validate(problem.config);
  check_lengths(problem);
  check_numbers(problem);
  check_inputs(problem);
  check_parameters(problem.parameters, problem.config);
  if (!problem.head_mix.empty()) {
    check_count("mixes", problem.head_mix.size(), "n_heads", problem.config.n_heads);
  }
  check_overrides(problem);
}

}  // namespace attention
