#include "core/tests/random_editor.h"

#include <algorithm>
#include <stdexcept>

#include "core/matrix_id.h"

namespace attention::test {
namespace {

constexpr Index kLongest = 7;  // tokens

bool is_valid(const Problem& problem) {
  try {
    validate(problem);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

struct RandomEditor::Type {
  const char* name;
  void (RandomEditor::*make)();
};

const std::vector<RandomEditor::Type>& RandomEditor::all_types() {
  using E = RandomEditor;
  static const std::vector<Type> types = {
      {"cell of the embedding", &E::cell_of_embedding},
      {"row of the embedding", &E::row_of_embedding},
      {"cell of the keys' embedding", &E::cell_of_embedding_kv},
      {"cell of W_Q", &E::cell_of_W_Q},
      {"cell of W_K", &E::cell_of_W_K},
      {"cell of W_V", &E::cell_of_W_V},
      {"columns of W_Q", &E::several_columns_of_W_Q},
      {"cell of W_O", &E::cell_of_W_O},
      {"b_Q", &E::bias_of_queries},
      {"b_K", &E::bias_of_keys},
      {"b_V", &E::bias_of_values},
      {"b_O", &E::bias_of_output},
      {"gamma and beta", &E::gamma_and_beta},
      {"cell of a position table", &E::cell_of_position_table},
      {"mask rules", &E::mask_rules},
      {"mask", &E::allowed},
      {"cell of the mask", &E::cell_of_allowed},
      {"bias", &E::bias},
      {"bias of a head", &E::head_bias},
      {"scores by distance", &E::relative},
      {"rotary frequencies", &E::rotary_frequencies},
      {"head norm", &E::head_norm},
      {"norm_Q", &E::norm_of_queries},
      {"norm_K", &E::norm_of_keys},
      {"sink", &E::sink},
      {"score cap", &E::score_cap},
      {"scale", &E::scale},
      {"temperature", &E::temperature},
      {"biases", &E::biases_switch},
      {"positions", &E::positions},
      {"rotary", &E::rotary},
      {"dropout", &E::dropout},
      {"residual and layer norm", &E::residual_and_layer_norm},
      {"head mix", &E::head_mix},
      {"override", &E::put_override},
      {"change of an override", &E::change_override},
      {"end of an override", &E::remove_override},
      {"second sentence", &E::second_sentence},
      {"tokens", &E::tokens},
      {"key and value heads", &E::kv_heads},
      {"heads", &E::heads},
      {"sizes", &E::sizes},
      {"undo", &E::undo},
      {"nothing", &E::nothing},
  };
  return types;
}

size_t RandomEditor::types() { return all_types().size(); }

RandomEditor::RandomEditor(std::uint64_t seed) : random_(seed) {
  config().d_model = 6;
  config().n_heads = 4;
  config().d_k = config().d_v = 4;
  config().d_out = 6;
  problem_ = random_problem(config(), 5, 0, random_);
}

void RandomEditor::edit() {
  past_.push_back(problem_);
  if (past_.size() > 20) past_.erase(past_.begin());
  name_.clear();
  do {
    const Type& type =
        all_types()[static_cast<size_t>(random_below(static_cast<Index>(types()), random_))];
    (this->*type.make)();
    drop_what_does_not_fit();
    name_ += (name_.empty() ? "" : ", ") + std::string(type.name);
  } while (random_below(8, random_) == 0);
  if (!is_valid(problem_)) problem_ = past_.back();
}

template <typename Entries>
auto& RandomEditor::any(Entries& entries) {
  return entries[static_cast<size_t>(random_below(std::ssize(entries), random_))];
}

void RandomEditor::cell(SharedMatrix& matrix) {
  if (matrix.empty()) return;
  const float value = random_.normal();
  matrix.edit([&](Matrix& values) {
    values(random_below(values.rows(), random_), random_below(values.cols(), random_)) = value;
  });
}

void RandomEditor::row(SharedMatrix& matrix) {
  matrix.edit([&](Matrix& values) {
    values.row(random_below(values.rows(), random_)) = random_matrix(1, values.cols(), random_);
  });
}

// Adds the optional matrix, changes a cell of it, or removes it.
void RandomEditor::optional(SharedMatrix& matrix, Index rows, Index cols) {
  if (matrix.empty()) {
    matrix = SharedMatrix(random_matrix(rows, cols, random_));
  } else if (random_bool(random_)) {
    cell(matrix);
  } else {
    matrix = {};
  }
}

void RandomEditor::cell_of_embedding() { cell(problem_.embedding); }
void RandomEditor::row_of_embedding() { row(problem_.embedding); }
void RandomEditor::cell_of_embedding_kv() { cell(problem_.embedding_kv); }
void RandomEditor::cell_of_W_Q() { cell(any(parameters().heads).W_Q); }
void RandomEditor::cell_of_W_K() { cell(any(parameters().kv_heads).W_K); }
void RandomEditor::cell_of_W_V() { cell(any(parameters().kv_heads).W_V); }
void RandomEditor::cell_of_W_O() { cell(parameters().W_O); }

void RandomEditor::several_columns_of_W_Q() {
  any(parameters().heads).W_Q.edit([&](Matrix& values) {
    const Index cols = 1 + random_below(values.cols(), random_);
    values.leftCols(cols) = random_matrix(values.rows(), cols, random_);
  });
}

void RandomEditor::bias_of_queries() { optional(any(parameters().heads).b_Q, 1, config().d_k); }
void RandomEditor::bias_of_keys() { optional(any(parameters().kv_heads).b_K, 1, config().d_k); }
void RandomEditor::bias_of_values() { optional(any(parameters().kv_heads).b_V, 1, config().d_v); }
void RandomEditor::bias_of_output() { optional(parameters().b_O, 1, config().d_out); }

void RandomEditor::gamma_and_beta() {
  optional(random_bool(random_) ? parameters().gamma : parameters().beta, 1, config().d_out);
}

void RandomEditor::cell_of_position_table() {
  cell(random_bool(random_) ? problem_.position_table : problem_.position_table_kv);
}

void RandomEditor::mask_rules() {
  config().mask.causal = random_bool(random_);
  config().mask.key_count = static_cast<int>(random_below(5, random_));
  config().mask.window = static_cast<int>(random_below(4, random_));
}

void RandomEditor::allowed() {
  const bool give = problem_.allowed.empty() || random_bool(random_);
  const Index rows = problem_.seq_len(), cols = problem_.kv_len();
  problem_.allowed = give ? SharedMatrix(random_mask(rows, cols, 0.6, random_)) : SharedMatrix();
}

void RandomEditor::cell_of_allowed() {
  if (problem_.allowed.empty()) return;
  problem_.allowed.edit([&](Matrix& mask) {
    float& value = mask(random_below(mask.rows(), random_), random_below(mask.cols(), random_));
    value = 1.0f - value;
  });
}

void RandomEditor::bias() { optional(problem_.bias, problem_.seq_len(), problem_.kv_len()); }
// The bias of one head is changed, or all are added or removed.
void RandomEditor::head_bias() {
  const auto fresh = [&] {
    return SharedMatrix(random_matrix(problem_.seq_len(), problem_.kv_len(), random_));
  };
  if (problem_.head_bias.empty()) {
    for (int head = 0; head < config().n_heads; ++head) problem_.head_bias.push_back(fresh());
  } else if (random_below(2, random_) == 0) {
    any(problem_.head_bias) = fresh();
  } else {
    problem_.head_bias.clear();
  }
}

// Scores by distance are added or removed, or one of their numbers is changed.
void RandomEditor::relative() {
  const Index which = problem_.relative ? random_below(4, random_) : 0;
  if (which == 0) {
    problem_.relative =
        random_relative(problem_, random_bool(random_), random_bool(random_), random_);
    if (random_bool(random_)) add_position_maps(problem_, random_);
  } else if (which == 1) {
    problem_.relative.reset();
  } else if (which == 2 || problem_.relative->maps.empty()) {
    problem_.relative->embedding.edit([&](Matrix& rows) {
      rows(random_below(rows.rows(), random_), random_below(rows.cols(), random_)) += 0.5f;
    });
  } else {
    any(problem_.relative->maps).W_K.edit([&](Matrix& W) { W(0, 0) += 0.5f; });
  }
  drop_what_does_not_fit();
}

void RandomEditor::rotary_frequencies() {
  const Index pairs = std::max(1, config().d_k / 2);
  optional(problem_.rotary_frequencies, 1, 1 + random_below(pairs, random_));
}

void RandomEditor::head_norm() {
  config().head_norm = random_bool(random_);
  config().head_norm_epsilon = random_bool(random_) ? 1e-6f : 1e-2f;
  config().head_norm_joint = random_bool(random_);
  config().value_norm = random_bool(random_);
}

void RandomEditor::norm_of_queries() {
  const auto [rows, cols] = parameter_shape(config(), MatrixId::kNormQ);
  optional(parameters().norm_Q, rows, cols);
}

void RandomEditor::norm_of_keys() {
  const auto [rows, cols] = parameter_shape(config(), MatrixId::kNormK);
  optional(parameters().norm_K, rows, cols);
}

// The sink of one head is changed, or all are switched.
void RandomEditor::sink() {
  if (random_below(3, random_) == 0) config().sink = !config().sink;
  optional(any(parameters().heads).sink, 1, 1);
}

void RandomEditor::score_cap() {
  const float values[] = {0.0f, 0.5f, 50.0f};
  config().score_cap = any(values);
}

void RandomEditor::scale() { config().scale = !config().scale; }

void RandomEditor::temperature() {
  const float values[] = {0.5f, 1.0f, 2.0f};
  config().temperature = any(values);
}

void RandomEditor::biases_switch() { config().biases = !config().biases; }

void RandomEditor::positions() {
  const Positions all[] = {Positions::kNone, Positions::kSinusoidal, Positions::kLearned,
                           Positions::kRotary, Positions::kAlibi};
  config().positions = all[random_below(5, random_)];
  problem_.position_table = SharedMatrix(random_matrix(kLongest + 2, config().d_model, random_));
  problem_.position_table_kv = {};
  if (random_bool(random_)) {
    problem_.position_table_kv = SharedMatrix(random_matrix(kLongest, config().d_model, random_));
  }
}

void RandomEditor::rotary() {
  config().rotary_base = random_bool(random_) ? 10000.0f : 100.0f;
  config().rotary_pairs = random_bool(random_) ? RotaryPairs::kAdjacent : RotaryPairs::kHalves;
  config().rotary_scale = random_bool(random_) ? 1 : 1.25f;
}

void RandomEditor::dropout() {
  const float rates[] = {0.0f, 0.3f, 0.6f};
  config().dropout_rate = rates[random_below(3, random_)];
  config().dropout_seed = random_.next() % 4;
}

void RandomEditor::residual_and_layer_norm() {
  config().residual = random_bool(random_) && config().d_out == config().d_model;
  config().layer_norm = random_bool(random_);
  config().layer_norm_epsilon = random_bool(random_) ? 1e-5f : 1e-2f;
}

void RandomEditor::head_mix() {
  problem_.head_mix.resize(parameters().heads.size());
  any(problem_.head_mix) = {random_below(4, random_) == 0, random_below(4, random_) == 0,
                            random_bool(random_) ? 1.0f : random_.normal()};
  if (random_below(4, random_) == 0) problem_.head_mix.clear();
}

void RandomEditor::put_override() {
  Override o;
  o.stage = kAllStages.at(static_cast<size_t>(random_below(std::ssize(kAllStages), random_)));
  const Index sharing = config().n_heads / kv_head_count(config());
  if (is_per_head(o.stage)) o.head = random_below(config().n_heads, random_);
  if (is_per_kv_head(o.stage)) o.head = o.head / sharing * sharing;
  const Shape shape = stage_shape(problem_, o.stage);
  if (shape.rows == 0) return;
  o.row = random_below(shape.rows, random_);
  o.col = random_below(shape.cols, random_);
  o.value = random_.normal();
  if (problem_.overrides.size() < 6) problem_.overrides.push_back(o);
}

void RandomEditor::change_override() {
  if (!problem_.overrides.empty()) any(problem_.overrides).value = random_.normal();
}

void RandomEditor::remove_override() {
  if (problem_.overrides.empty()) return;
  problem_.overrides.erase(problem_.overrides.begin() +
                           random_below(std::ssize(problem_.overrides), random_));
}

void RandomEditor::second_sentence() {
  const bool give = !problem_.cross() || random_bool(random_);
  const Index kv_len = 1 + random_below(kLongest, random_);
  problem_.embedding_kv =
      give ? SharedMatrix(random_matrix(kv_len, config().d_model, random_)) : SharedMatrix();
}

void RandomEditor::tokens() {
  problem_.embedding =
      SharedMatrix(random_matrix(1 + random_below(kLongest, random_), config().d_model, random_));
}

// Makes new weights for the current config; keeps the rest of the problem where it fits.
void RandomEditor::remake() {
  const Problem fresh = random_problem(config(), problem_.seq_len(), 0, random_);
  parameters() = fresh.parameters;
  if (problem_.embedding->cols() != config().d_model) {
    problem_.embedding = fresh.embedding;
    problem_.embedding_kv = {};
    config().positions = Positions::kNone;
  }
}

void RandomEditor::kv_heads() {
  const int choices[] = {0, 1, 2, config().n_heads};
  config().n_kv_heads = choices[random_below(4, random_)];
  if (config().n_heads % kv_head_count(config()) != 0) config().n_kv_heads = 0;
  remake();
}

void RandomEditor::heads() {
  config().n_heads = 1 + static_cast<int>(random_below(5, random_));
  config().n_kv_heads = 0;
  remake();
}

void RandomEditor::sizes() {
  config().d_model = 1 + static_cast<int>(random_below(7, random_));
  config().d_k = 1 + static_cast<int>(random_below(6, random_));
  config().d_v = 1 + static_cast<int>(random_below(6, random_));
  config().d_out =
      random_bool(random_) ? config().d_model : 1 + static_cast<int>(random_below(6, random_));
  remake();
}

// Restores the problem before some of the last edits, as undo does, so that old versions return.
void RandomEditor::undo() { problem_ = any(past_); }

bool RandomEditor::fits(const Override& o) const {
  Problem alone = problem_;
  alone.overrides = {o};
  return is_valid(alone);
}

void RandomEditor::drop_what_does_not_fit() {
  const Shape scores{problem_.seq_len(), problem_.kv_len()};
  if (!problem_.allowed.empty() && problem_.allowed.shape() != scores) problem_.allowed = {};
  if (!problem_.bias.empty() && problem_.bias.shape() != scores) problem_.bias = {};
  const bool other_heads = std::ssize(problem_.head_bias) != config().n_heads;
  if (other_heads || problem_.head_bias.front().shape() != scores) problem_.head_bias.clear();
  if (2 * problem_.rotary_frequencies->cols() > config().d_k) problem_.rotary_frequencies = {};
  if (config().d_out != config().d_model) config().residual = false;
  for (const MatrixId id : {MatrixId::kNormQ, MatrixId::kNormK}) {
    SharedMatrix& norm = matrix_of(problem_, id, 0);
    if (!norm.empty() && norm.shape() != parameter_shape(config(), id)) norm = {};
  }
  const bool odd = config().positions == Positions::kRotary && config().d_k % 2 != 0;
  if (odd) config().positions = Positions::kNone;
  if (problem_.head_mix.size() != parameters().heads.size()) problem_.head_mix.clear();
  if (problem_.relative) {
    Problem with_them = problem_;
    with_them.overrides.clear();
    if (!is_valid(with_them)) problem_.relative.reset();
  }
  std::vector<Override> kept;
  kept.swap(problem_.overrides);
  std::erase_if(kept, [&](const Override& o) { return !fits(o); });
  problem_.overrides = kept;
}

}  // namespace attention::test
