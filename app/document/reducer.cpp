#include "app/document/reducer.h"

#include <cstring>

#include "app/document/reduce.h"
#include "app/document/wording.h"

namespace lab {

using attention::HeadParameters;
using attention::Index;
using attention::Limits;
using attention::Matrix;
using attention::Shape;
using attention::SharedMatrix;

namespace {

SharedMatrix HeadParameters::*head_member(MatrixId id) {
  switch (id) {
    case MatrixId::kWQ:
      return &HeadParameters::W_Q;
    case MatrixId::kWK:
      return &HeadParameters::W_K;
    case MatrixId::kWV:
      return &HeadParameters::W_V;
    case MatrixId::kBQ:
      return &HeadParameters::b_Q;
    case MatrixId::kBK:
      return &HeadParameters::b_K;
    default:
      return &HeadParameters::b_V;
  }
}

// One function for const and mutable documents.
template <typename AnyDocument>
auto& find_matrix(AnyDocument& document, MatrixRef ref) {
  auto& problem = document.problem;
  if (is_per_head(ref.id)) return problem.parameters.heads.at(ref.head).*head_member(ref.id);
  if (ref.id == MatrixId::kX) return problem.X;
  return ref.id == MatrixId::kWO ? problem.parameters.W_O : problem.parameters.b_O;
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
      return document.problem.X.shape();
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
  changed.problem.config.mask = command.mask;
  return changed;
}

Expected<Document> apply(const Document& document, const Command& command) {
  return std::visit([&](const auto& edit) { return reduce(document, edit); }, command);
}

}  // namespace lab
