#include <algorithm>
#include <stdexcept>

#include "app/document/reduce.h"
#include "app/document/seeds.h"
#include "core/embedding.h"
#include "core/initialise.h"

namespace lab {

using attention::Config;
using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::Shape;
using attention::SharedMatrix;

namespace {

// The seed of all numbers that a change of size brings in.
constexpr std::uint64_t kGrowthSeed = 1;

Config with_size(Config config, const SetSize& command) {
  switch (command.size) {
    case SizeId::kDModel:
      if (config.d_out == config.d_model) config.d_out = command.value;
      config.d_model = command.value;
      break;
    case SizeId::kHeads:
      config.n_heads = command.value;
      break;
    case SizeId::kDK:
      config.d_k = command.value;
      break;
    case SizeId::kDV:
      config.d_v = command.value;
      break;
  }
  return config;
}

// Fails when `config` cannot be computed for this document.
Expected<void> check_config(const Document& document, const Config& config) {
  try {
    attention::validate(config);
  } catch (const std::invalid_argument& error) {
    return fail(ErrorKind::kBadInput, error.what());
  }
  const auto words = static_cast<Index>(document.lexicon->size());
  if (auto fits = check_lexicon(words, config.d_model); !fits) return fits;
  return check_scores(config.n_heads, document.problem.seq_len(), document.problem.kv_len());
}

// Copies the block that both have, from the top left corner.
template <typename From, typename To>
void copy_common(const From& from, To&& to) {
  const Index rows = std::min(from.rows(), to.rows());
  const Index cols = std::min(from.cols(), to.cols());
  to.topLeftCorner(rows, cols) = from.topLeftCorner(rows, cols);
}

void resize_weight(SharedMatrix& weight, Shape shape, MatrixId id, int head) {
  if (weight.shape() == shape) return;
  Matrix resized =
      attention::filled(attention::FillKind::kXavier, shape, matrix_seed(kGrowthSeed, id, head));
  copy_common(*weight, resized);
  weight = SharedMatrix(std::move(resized));
}

// Biases and X_kv: new numbers are 0, and what is absent stays absent.
void resize_with_zeros(SharedMatrix& matrix, Shape shape) {
  if (matrix.empty() || matrix.shape() == shape) return;
  Matrix resized = Matrix::Zero(shape.rows, shape.cols);
  copy_common(*matrix, resized);
  matrix = SharedMatrix(std::move(resized));
}

void resize_head(attention::QueryParameters& head, const Config& config, int number) {
  resize_weight(head.W_Q, {config.d_model, config.d_k}, MatrixId::kWQ, number);
  resize_with_zeros(head.b_Q, {1, config.d_k});
}

void resize_head(attention::KeyValueParameters& head, const Config& config, int number) {
  resize_weight(head.W_K, {config.d_model, config.d_k}, MatrixId::kWK, number);
  resize_weight(head.W_V, {config.d_model, config.d_v}, MatrixId::kWV, number);
  resize_with_zeros(head.b_K, {1, config.d_k});
  resize_with_zeros(head.b_V, {1, config.d_v});
}

// W_O has d_v rows for each head, which stay with their head.
void resize_W_O(SharedMatrix& W_O, const Config& old, const Config& config) {
  const Shape shape{Index{config.n_heads} * config.d_v, config.d_out};
  if (W_O.shape() == shape) return;  // one size changes at a time
  Matrix resized = attention::filled(attention::FillKind::kXavier, shape,
                                     matrix_seed(kGrowthSeed, MatrixId::kWO, 0));
  for (Index head = 0; head < std::min(old.n_heads, config.n_heads); ++head) {
    copy_common(W_O->middleRows(head * old.d_v, old.d_v),
                resized.middleRows(head * config.d_v, config.d_v));
  }
  W_O = SharedMatrix(std::move(resized));
}

void resize_parameters(attention::Parameters& parameters, const Config& old, const Config& config) {
  parameters.heads.resize(config.n_heads);
  for (int h = 0; h < config.n_heads; ++h) resize_head(parameters.heads[h], config, h);
  parameters.kv_heads.resize(kv_head_count(config));
  for (int h = 0; h < kv_head_count(config); ++h) resize_head(parameters.kv_heads[h], config, h);
  resize_W_O(parameters.W_O, old, config);
  resize_with_zeros(parameters.b_O, {1, config.d_out});
}

// Rows keep the columns both have; new columns are those of the default embedding.
Lexicon resized_lexicon(const Lexicon& lexicon, Index d_model) {
  Lexicon resized;
  for (const auto& [key, row] : lexicon) {
    RowVector longer = attention::default_embedding(key, d_model);
    copy_common(row, longer);
    resized.emplace(key, std::move(longer));
  }
  return resized;
}

// Everything that has a column for each feature of an embedding.
void resize_embeddings(Document& document, int d_model) {
  document.lexicon = std::make_shared<const Lexicon>(resized_lexicon(*document.lexicon, d_model));
  document.problem.embedding = SharedMatrix(embed_tokens(document));
  resize_with_zeros(document.problem.embedding_kv,
                    {document.problem.embedding_kv->rows(), d_model});
  if (document.dimensions.empty()) return;
  const std::size_t named = document.dimensions.size();
  document.dimensions.resize(d_model);
  for (std::size_t d = named; d < document.dimensions.size(); ++d) {
    document.dimensions[d] = std::to_string(d);
  }
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetSize& command) {
  const Config& old = document.problem.config;
  const Config config = with_size(old, command);
  if (config == old) return document;
  if (const auto fits = check_config(document, config); !fits) {
    return tl::make_unexpected(fits.error());
  }
  Document changed = document;
  changed.problem.config = config;
  resize_parameters(changed.problem.parameters, old, config);
  if (config.d_model != old.d_model) resize_embeddings(changed, config.d_model);
  return changed;
}

}  // namespace lab
