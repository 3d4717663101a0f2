#include "app/document/reducer.h"

#include <cstring>

#include "app/document/reduce.h"
#include "app/document/wording.h"

namespace lab {

using attention::Index;
using attention::KeyValueParameters;
using attention::Limits;
using attention::Matrix;
using attention::Shape;
using attention::SharedMatrix;

namespace {

SharedMatrix KeyValueParameters::*kv_member(MatrixId id) {
  switch (id) {
    case MatrixId::kWK:
      return &KeyValueParameters::W_K;
    case MatrixId::kWV:
      return &KeyValueParameters::W_V;
    case MatrixId::kBK:
      return &KeyValueParameters::b_K;
    default:
      return &KeyValueParameters::b_V;
  }
}

// One function for const and mutable documents.
template <typename AnyDocument>
auto& find_matrix(AnyDocument& document, MatrixRef ref) {
  auto& problem = document.problem;
  auto& parameters = problem.parameters;
  switch (ref.id) {
    case MatrixId::kX:
      return problem.embedding;
    case MatrixId::kWQ:
      return parameters.heads.at(ref.head).W_Q;
    case MatrixId::kBQ:
      return parameters.heads.at(ref.head).b_Q;
    case MatrixId::kWO:
      return parameters.W_O;
    case MatrixId::kBO:
      return parameters.b_O;
    default:
      return parameters.kv_heads.at(ref.head).*kv_member(ref.id);
  }
}

}  // namespace

const SharedMatrix& matrix_of(const Document& document, MatrixRef ref) {
  return find_matrix(document, ref);
}

SharedMatrix& editable_matrix(Document& document, MatrixRef ref) {
  return find_matrix(document, ref);
}

Shape shape_of(const Document& document, MatrixRef ref) {
  const attention::Config& config = document.problem.config;
  switch (ref.id) {
    case MatrixId::kX:
      return document.problem.embedding.shape();
    case MatrixId::kWQ:
    case MatrixId::kWK:
      return {config.d_model, config.d_k};
    case MatrixId::kWV:
      return {config.d_model, config.d_v};
    case MatrixId::kWO:
      return {Index{config.n_heads} * config.d_v, config.d_out};
    case MatrixId::kBQ:
    case MatrixId::kBK:
      return {1, config.d_k};
    case MatrixId::kBV:
      return {1, config.d_v};
    case MatrixId::kBO:
      return {1, config.d_out};
  }
  return {};
}

bool same_numbers(const Matrix& a, const Matrix& b) {
  const Index bytes = a.size() * static_cast<Index>(sizeof(float));
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (bytes == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(bytes)) == 0);
}

Expected<void> check_scores(Index n_heads, Index seq_len, Index kv_len) {
  if (n_heads * seq_len * kv_len <= Limits::kScores) return {};
  return fail(ErrorKind::kBadInput, grouped(n_heads) + " heads × " + grouped(seq_len) + " × " +
                                        grouped(kv_len) + " tokens are more than the " +
                                        grouped(Limits::kScores) +
                                        " scores that fit; use fewer heads or tokens");
}

Expected<void> check_lexicon(Index words, Index d_model) {
  if (words * d_model <= Limits::kParameters) return {};
  return fail(ErrorKind::kBadInput, "embeddings of " + grouped(words) + " words with " +
                                        grouped(d_model) + " numbers each are more than the " +
                                        grouped(Limits::kParameters) + " numbers that fit");
}

Expected<Document> reduce(const Document& document, const SetScale& command) {
  Document changed = document;
  changed.problem.config.scale = command.on;
  return changed;
}

Expected<Document> reduce(const Document& document, const SetTemperature& command) {
  // Written so that NaN fails too.
  if (!(command.value >= kSmallestTemperature && command.value <= kLargestTemperature)) {
    return fail(ErrorKind::kBadInput, "a temperature of " + shortest(command.value) +
                                          " cannot be used: type a number between 0.001 and 1,000");
  }
  Document changed = document;
  changed.problem.config.temperature = command.value;
  return changed;
}

Expected<Document> reduce(const Document& document, const SetMask& command) {
  Document changed = document;
  changed.problem.config.mask.causal = command.causal;
  return changed;
}

Expected<Document> apply(const Document& document, const Command& command) {
  return std::visit([&](const auto& edit) { return reduce(document, edit); }, command);
}

}  // namespace lab
