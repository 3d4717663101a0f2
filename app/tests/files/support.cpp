#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;

float HardNumbers::next() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kHard[] = {0.0f, -0.0f, 1.0f, 0.1f, kInfinity, -kInfinity, 16777217.0f, 1e-45f};
  const std::uint32_t bits = static_cast<std::uint32_t>(engine_());
  switch (engine_() % 4) {
    case 0:
      return kHard[bits % std::size(kHard)];
    case 1:
      return std::bit_cast<float>(bits & 0x807FFFFFu);  // subnormal
    case 2:
      return static_cast<float>(bits % 2001) / 100.0f - 10.0f;
    default:
      return std::bit_cast<float>(bits);
  }
}

Matrix HardNumbers::matrix(Index rows, Index cols) {
  Matrix matrix(rows, cols);
  for (float& value : matrix.reshaped()) value = next();
  return matrix;
}

Tensor HardNumbers::tensor(std::string name, std::vector<std::int64_t> shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  Tensor tensor{std::move(name), std::move(shape), {}};
  for (std::int64_t i = 0; i < count; ++i) tensor.values.push_back(next());
  return tensor;
}

bool same_bits(float a, float b, bool any_nan) {
  if (any_nan && std::isnan(a) && std::isnan(b)) return true;
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

void expect_same(const TensorFile& actual, const TensorFile& expected, bool any_nan) {
  EXPECT_EQ(actual.metadata, expected.metadata);
  ASSERT_EQ(actual.tensors.size(), expected.tensors.size());
  for (std::size_t t = 0; t < actual.tensors.size(); ++t) {
    const Tensor &a = actual.tensors[t], &b = expected.tensors[t];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.shape, b.shape) << a.name;
    ASSERT_EQ(a.values.size(), b.values.size()) << a.name;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      EXPECT_TRUE(same_bits(a.values[i], b.values[i], any_nan))
          << a.name << " at " << i << ": " << a.values[i] << " for " << b.values[i];
  }
}

namespace {

void expect_same_matrix(const char* name, const Matrix& actual, const Matrix& expected) {
  ASSERT_EQ(actual.rows(), expected.rows()) << name;
  ASSERT_EQ(actual.cols(), expected.cols()) << name;
  for (Index i = 0; i < actual.rows(); ++i)
    for (Index j = 0; j < actual.cols(); ++j)
      EXPECT_TRUE(same_bits(actual(i, j), expected(i, j), true))
          << name << "(" << i << ", " << j << ") is " << actual(i, j) << " for " << expected(i, j);
}

void expect_same_matrix(const char* name, const SharedMatrix& actual,
                        const SharedMatrix& expected) {
  EXPECT_EQ(actual.empty(), expected.empty()) << name;
  expect_same_matrix(name, *actual, *expected);
}

void expect_same_lexicon(const Lexicon& actual, const Lexicon& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [key, row] : expected) {
    ASSERT_TRUE(actual.contains(key)) << key;
    expect_same_matrix(key.c_str(), Matrix(actual.find(key)->second), Matrix(row));
  }
}

void expect_same_parameters(const attention::Parameters& actual,
                            const attention::Parameters& expected) {
  ASSERT_EQ(actual.heads.size(), expected.heads.size());
  for (std::size_t h = 0; h < actual.heads.size(); ++h) {
    expect_same_matrix("W_Q", actual.heads[h].W_Q, expected.heads[h].W_Q);
    expect_same_matrix("b_Q", actual.heads[h].b_Q, expected.heads[h].b_Q);
    expect_same_matrix("sink", actual.heads[h].sink, expected.heads[h].sink);
  }
  ASSERT_EQ(actual.kv_heads.size(), expected.kv_heads.size());
  for (std::size_t h = 0; h < actual.kv_heads.size(); ++h) {
    const auto &a = actual.kv_heads[h], &b = expected.kv_heads[h];
    expect_same_matrix("W_K", a.W_K, b.W_K);
    expect_same_matrix("W_V", a.W_V, b.W_V);
    expect_same_matrix("b_K", a.b_K, b.b_K);
    expect_same_matrix("b_V", a.b_V, b.b_V);
  }
  expect_same_matrix("W_O", actual.W_O, expected.W_O);
  expect_same_matrix("b_O", actual.b_O, expected.b_O);
  expect_same_matrix("gamma", actual.gamma, expected.gamma);
  expect_same_matrix("beta", actual.beta, expected.beta);
  expect_same_matrix("norm_Q", actual.norm_Q, expected.norm_Q);
  expect_same_matrix("norm_K", actual.norm_K, expected.norm_K);
}

// Edits that have an effect, or those that are switched off.
void expect_same_edits(const auto& a, const auto& b) {
  ASSERT_EQ(a.head_mix.size(), b.head_mix.size());
  for (std::size_t h = 0; h < a.head_mix.size(); ++h) {
    EXPECT_EQ(a.head_mix[h].mute, b.head_mix[h].mute);
    EXPECT_EQ(a.head_mix[h].solo, b.head_mix[h].solo);
    EXPECT_TRUE(same_bits(a.head_mix[h].scale, b.head_mix[h].scale, true));
  }
  ASSERT_EQ(a.overrides.size(), b.overrides.size());
  for (std::size_t i = 0; i < a.overrides.size(); ++i) {
    const attention::Override &x = a.overrides[i], &y = b.overrides[i];
    EXPECT_EQ(std::tie(x.stage, x.head, x.row, x.col), std::tie(y.stage, y.head, y.row, y.col));
    EXPECT_TRUE(same_bits(x.value, y.value, true));
  }
}

SharedMatrix sometimes(HardNumbers& random, Index rows, Index cols) {
  if (random.below(2) == 0) return {};
  return SharedMatrix(random.matrix(rows, cols));
}

void randomize_variants(HardNumbers& random, attention::Config& config) {
  config.mask = {random.below(2) == 0, random.below(3), random.below(3)};
  config.positions = static_cast<attention::Positions>(random.below(5));
  if (config.positions == attention::Positions::kRotary) config.d_k += config.d_k % 2;
  config.rotary_base = 1.0f + static_cast<float>(random.below(9)) / 7.0f;
  config.rotary_pairs = static_cast<attention::RotaryPairs>(random.below(2));
  config.rotary_scale = 1.0f + static_cast<float>(random.below(9)) / 7.0f;
  config.biases = random.below(2) == 0;
  config.dropout_rate = static_cast<float>(random.below(3)) / 3.0f;
  config.dropout_seed = ~std::uint64_t{0} - static_cast<std::uint64_t>(random.below(3));
  config.residual = config.d_out == config.d_model && random.below(2) == 0;
  config.layer_norm = random.below(2) == 0;
  config.layer_norm_epsilon = 1e-7f * static_cast<float>(1 + random.below(100));
  config.head_norm = random.below(2) == 0;
  config.head_norm_epsilon = 1e-7f * static_cast<float>(1 + random.below(100));
  config.head_norm_joint = random.below(3) == 0;
  config.value_norm = random.below(3) == 0;
  config.score_cap = static_cast<float>(random.below(3)) / 0.7f;
  config.sink = random.below(2) == 0;
}

attention::Config random_config(HardNumbers& random) {
  attention::Config config;
  config.d_model = 1 + random.below(6);
  config.n_heads = 1 + random.below(3);
  if (random.below(3) == 0)
    config.n_kv_heads = 1 + (config.n_heads == 3 ? 0 : random.below(config.n_heads));
  config.d_k = 1 + random.below(5);
  config.d_v = 1 + random.below(5);
  config.d_out = random.below(2) ? config.d_model : 1 + random.below(6);
  config.scale = random.below(2) == 0;
  config.temperature = 0.1f + static_cast<float>(random.below(100)) / 7.0f;
  randomize_variants(random, config);
  return config;
}

void randomize_parameters(HardNumbers& random, const attention::Config& c,
                          attention::Parameters& parameters) {
  for (auto& head : parameters.heads) {
    head.W_Q = SharedMatrix(random.matrix(c.d_model, c.d_k));
    head.b_Q = sometimes(random, 1, c.d_k);
    head.sink = sometimes(random, 1, 1);
  }
  for (auto& head : parameters.kv_heads) {
    head.W_K = SharedMatrix(random.matrix(c.d_model, c.d_k));
    head.W_V = SharedMatrix(random.matrix(c.d_model, c.d_v));
    head.b_K = sometimes(random, 1, c.d_k);
    head.b_V = sometimes(random, 1, c.d_v);
  }
  parameters.W_O = SharedMatrix(random.matrix(Index{c.n_heads} * c.d_v, c.d_out));
  parameters.b_O = sometimes(random, 1, c.d_out);
  parameters.gamma = sometimes(random, 1, c.d_out);
  parameters.beta = sometimes(random, 1, c.d_out);
  parameters.norm_Q = sometimes(random, 1, parameter_shape(c, attention::MatrixId::kNormQ).cols);
  parameters.norm_K = sometimes(random, 1, parameter_shape(c, attention::MatrixId::kNormK).cols);
}

void randomize_positions(HardNumbers& random, attention::Problem& problem) {
  const Index rows = std::max(problem.seq_len(), problem.kv_len()) + random.below(3);
  const Index d_model = problem.config.d_model;
  const bool learned = problem.config.positions == attention::Positions::kLearned;
  problem.position_table = sometimes(random, rows, d_model);
  problem.position_table_kv = sometimes(random, rows, d_model);
  if (learned && problem.position_table.empty())
    problem.position_table = SharedMatrix(random.matrix(rows, d_model));
}

void randomize_interventions(HardNumbers& random, attention::Problem& problem) {
  const int heads = problem.config.n_heads;
  if (random.below(2) == 0) {
    for (int h = 0; h < heads; ++h)
      problem.head_mix.push_back({random.below(2) == 0, random.below(2) == 0, random.next()});
  }
  for (const auto stage : {attention::Stage::kX, attention::Stage::kNormedQ,
                           attention::Stage::kScores, attention::Stage::kCappedScores,
                           attention::Stage::kWeights, attention::Stage::kLayerNorm}) {
    if (random.below(2) == 0) continue;
    const attention::Shape shape = stage_shape(problem, stage);
    problem.overrides.push_back({stage, is_per_head(stage) ? heads - 1 : 0, shape.rows - 1,
                                 random.below(static_cast<int>(shape.cols)), random.next()});
  }
}

void randomize_tokens(HardNumbers& random, Document& document) {
  const Index d_model = document.problem.config.d_model;
  Lexicon lexicon;
  lexicon["a word that left"] = random.matrix(1, d_model);
  for (Token& token : document.tokens) {
    if (random.below(4) == 0) token.key = token.text + "@\"1\"\n";
    if (random.below(2) == 0) lexicon[token.key] = random.matrix(1, d_model);
  }
  document.lexicon = std::make_shared<const Lexicon>(std::move(lexicon));
  if (random.below(3) == 0) document.new_token_scale = 0.35f;
  document.problem.embedding = SharedMatrix(embed_tokens(document));
  if (random.below(2) == 0) return;
  for (Index d = 0; d < d_model; ++d) document.dimensions.push_back("\"d\"\\" + std::to_string(d));
}

void randomize_keys(HardNumbers& random, Document& document) {
  attention::Problem& problem = document.problem;
  if (random.below(2) == 0) {
    document.kv_sentence = random.below(2) == 0 ? "der  Hund" : "key 0 key\"1";
    document.kv_tokens = *split_sentence(document.kv_sentence, document.splitting);
    for (Token& token : document.kv_tokens)
      if (random.below(3) == 0) token.key += "@2";
    Lexicon lexicon;
    lexicon[document.kv_tokens[0].key] = random.matrix(1, problem.config.d_model);
    lexicon["ein Wort, das ging"] = random.matrix(1, problem.config.d_model);
    document.kv_lexicon = std::make_shared<const Lexicon>(std::move(lexicon));
    document.shared_tokens = random.below(2) == 0;
    problem.embedding_kv = SharedMatrix(embed_kv_tokens(document));
  }
  problem.bias = sometimes(random, problem.seq_len(), problem.kv_len());
  if (random.below(2) == 0) return;
  Matrix allowed(problem.seq_len(), problem.kv_len());
  for (float& value : allowed.reshaped()) value = static_cast<float>(random.below(2));
  problem.allowed = SharedMatrix(std::move(allowed));
}

// Files do not tell one NaN from another.
Detached with_plain_nan(Detached detached) {
  for (PairCell& cell : detached.bias)
    if (std::isnan(cell.value)) cell.value = NAN;
  for (auto* const overrides : {&detached.overrides, &detached.switched_off})
    for (attention::Override& o : *overrides)
      if (std::isnan(o.value)) o.value = NAN;
  return detached;
}

}  // namespace

void expect_same(const Document& actual, const Document& expected) {
  EXPECT_EQ(actual.title, expected.title);
  EXPECT_EQ(actual.sentence, expected.sentence);
  EXPECT_EQ(actual.splitting, expected.splitting);
  EXPECT_EQ(actual.tokens, expected.tokens);
  EXPECT_EQ(actual.dimensions, expected.dimensions);
  EXPECT_EQ(actual.kv_sentence, expected.kv_sentence);
  EXPECT_EQ(actual.kv_tokens, expected.kv_tokens);
  EXPECT_EQ(actual.shared_tokens, expected.shared_tokens);
  EXPECT_EQ(actual.new_token_scale, expected.new_token_scale);
  EXPECT_TRUE(with_plain_nan(*actual.detached) == with_plain_nan(*expected.detached));
  expect_same_lexicon(*actual.lexicon, *expected.lexicon);
  expect_same_lexicon(*actual.kv_lexicon, *expected.kv_lexicon);
  const attention::Problem &a = actual.problem, &b = expected.problem;
  EXPECT_EQ(a.config, b.config);
  expect_same_matrix("X", a.embedding, b.embedding);
  expect_same_matrix("X_kv", a.embedding_kv, b.embedding_kv);
  expect_same_matrix("allowed", a.allowed, b.allowed);
  expect_same_matrix("bias", a.bias, b.bias);
  expect_same_matrix("position_table", a.position_table, b.position_table);
  expect_same_matrix("position_table_kv", a.position_table_kv, b.position_table_kv);
  expect_same_parameters(a.parameters, b.parameters);
  expect_same_edits(a, b);
  expect_same_edits(actual.switched_off, expected.switched_off);
}

Document random_document(unsigned seed) {
  constexpr const char* kSentences[] = {"cat", "The cat's “mat”, the mat.", "แมวนั่งบนเสื่อ",
                                        "tab\there\nand \\ \"there\"", "a a a b \u0001 c"};
  HardNumbers random(seed);
  Document document =
      make_document(kSentences[random.below(std::size(kSentences))], random_config(random), seed);
  document.title = "Title " + std::to_string(seed);
  if (random.below(3) == 0) {
    document.splitting.mode = TokenMode::kCharacters;
    document.tokens = *split_sentence(document.sentence, document.splitting);
  }
  randomize_tokens(random, document);
  randomize_parameters(random, document.problem.config, document.problem.parameters);
  randomize_keys(random, document);
  randomize_positions(random, document.problem);
  randomize_interventions(random, document.problem);
  return document;
}

TensorFile small_problem() {
  HardNumbers random(1);
  const auto tensor = [&](const char* name, std::vector<std::int64_t> shape) {
    Tensor made = random.tensor(name, std::move(shape));
    for (float& value : made.values) value = static_cast<float>(random.below(20)) / 10.0f - 1.0f;
    return made;
  };
  TensorFile file;
  file.tensors = {tensor("X", {3, 4}), tensor("W_Q", {2, 4, 2}), tensor("W_K", {2, 4, 2}),
                  tensor("W_V", {2, 4, 3}), tensor("W_O", {6, 4})};
  file.metadata["tokens"] = R"(["a","b","c"])";
  return file;
}

std::string python_with(const std::string& module) {
  for (const char* command : {"python3", "/usr/bin/python3"}) {
    const std::string probe = command + (" -c 'import " + module) + "' >/dev/null 2>&1";
    if (std::system(probe.c_str()) == 0) return command;
  }
  return {};
}

std::string small_session() {
  return R"({"type": "attention-lab session", "version": 1, "title": "t", "sentence": "a b a",
 "tokenizer": "words", "dimensions": ["x", "y"],
 "config": {"d_model": 2, "n_heads": 1, "d_k": 1, "d_v": 2, "scale": true, "temperature": 1,
            "mask": "none"},
 "embedding": {"a": [1, 0.5]},
 "heads": [{"W_Q": [[1], [2]], "W_K": {"fill": "xavier", "seed": 7}, "W_V": [[1, 0], [0, "NaN"]],
            "b_Q": [3]}],
 "W_O": [[1, 2], [3, 4]], "b_O": [0, -1]})";
}

std::string full_session() {
  return R"({"type": "attention-lab session", "version": 1, "title": "t", "sentence": "a b",
 "tokenizer": "words", "tokens": [{"text": "a", "key": "a@1"}, {"text": "b"}],
 "dimensions": ["x", "y"], "kv_sentence": "c d", "kv_tokens": [{"text": "c"}, {"text": "d"}],
 "config": {"d_model": 2, "n_heads": 2, "n_kv_heads": 1, "head_build": "split", "d_k": 1, "d_v": 1,
  "d_out": 2, "scale": false, "temperature": 0.5, "mask": "causal", "key_count": 2, "window": 2,
  "positions": "learned", "rotary_base": 100, "rotary_pairs": "halves", "biases": false,
  "dropout_rate": 0.25, "dropout_seed": 7, "residual": true, "layer_norm": true,
  "layer_norm_epsilon": 1e-05, "head_norm": true, "head_norm_epsilon": 1e-06, "sink": true,
  "score_cap": 50},
 "embedding": {"a@1": [1, 0.5]}, "kv_embedding": {"c": [0, -0.0]},
 "heads": [{"W_Q": [[1], [3]], "b_Q": [5], "sink": [0.5]},
  {"W_Q": {"fill": "xavier", "seed": 7}}],
 "kv_heads": [{"W_K": [[1], [0]], "W_V": [[2], ["NaN"]], "b_K": [1], "b_V": [3]}],
 "W_O": [[1, 2], [3, 4]], "b_O": [0, -1], "gamma": [1, 2], "beta": [0, 1],
 "norm_Q": [2], "norm_K": {"fill": "zero"},
 "bias": [[0, "-Infinity"], [1, 2]], "allowed": [[1, 0], [1, 1]],
 "position_table": [[1, 2], [3, 4]], "position_table_kv": {"fill": "normal"},
 "head_mix": [{"mute": true, "solo": false, "scale": 2}, {}],
 "overrides": [{"stage": "scores", "head": 2, "row": 0, "col": 1, "value": 4},
  {"stage": "X", "row": 0, "col": 0, "value": 1}]})";
}

}  // namespace lab
