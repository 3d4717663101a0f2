#include "app/document/commands/reducer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/translation/words.h"

namespace lab {

using attention::Index;
using attention::KeyValueParameters;
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
    case MatrixId::kXKv:
      return problem.embedding_kv;
    case MatrixId::kPositionTable:
      return problem.position_table;
    case MatrixId::kPositionTableKv:
      return problem.position_table_kv;
    case MatrixId::kGamma:
      return parameters.gamma;
    case MatrixId::kBeta:
      return parameters.beta;
    case MatrixId::kMask:
      return problem.allowed;
    case MatrixId::kScoreBias:
      return problem.bias;
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

// The matrix that serves where `ref` is absent; the same one where none does.
const SharedMatrix& serving(const Document& document, MatrixRef ref) {
  const bool keys = ref.id == MatrixId::kPositionTableKv;
  return keys ? document.problem.kv_position_table() : matrix_of(document, ref);
}

}  // namespace

const SharedMatrix& matrix_of(const Document& document, MatrixRef ref) {
  return find_matrix(document, ref);
}

SharedMatrix& editable_matrix(Document& document, MatrixRef ref) {
  return find_matrix(document, ref);
}

Shape shape_of(const Document& document, MatrixRef ref) {
  const attention::Problem& problem = document.problem;
  const attention::Config& config = problem.config;
  switch (ref.id) {
    case MatrixId::kX:
      return problem.embedding.shape();
    case MatrixId::kXKv:
      return problem.embedding_kv.shape();
    case MatrixId::kPositionTable:
    case MatrixId::kPositionTableKv: {
      const Index positions = std::max(problem.seq_len(), problem.kv_len());
      return {std::max(positions, serving(document, ref)->rows()), config.d_model};
    }
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
    case MatrixId::kGamma:
    case MatrixId::kBeta:
      return {1, config.d_out};
    case MatrixId::kMask:
    case MatrixId::kScoreBias:
      return {problem.seq_len(), problem.kv_len()};
  }
  return {};
}

float absent_value(MatrixId id) {
  return id == MatrixId::kGamma || id == MatrixId::kMask ? 1.0f : 0.0f;
}

Matrix shown_numbers(const Document& document, MatrixRef ref) {
  const SharedMatrix& matrix = serving(document, ref);
  const Shape shape = shape_of(document, ref);
  if (matrix.shape() == shape) return *matrix;
  Matrix shown = Matrix::Constant(shape.rows, shape.cols, absent_value(ref.id));
  if (!matrix.empty()) shown.topRows(matrix->rows()) = *matrix;  // a table that is too short
  return shown;
}

bool same_numbers(const Matrix& a, const Matrix& b) {
  const Index bytes = a.size() * static_cast<Index>(sizeof(float));
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (bytes == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(bytes)) == 0);
}

bool same_number(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

Expected<Document> with_config(const Document& document,
                               const std::function<void(attention::Config&)>& edit) {
  Document changed = document;
  edit(changed.problem.config);
  if (const auto valid = check_config(changed.problem.config); !valid) {
    return tl::make_unexpected(valid.error());
  }
  make_fit(changed.problem);
  return changed;
}

Expected<Document> reduce(const Document& document, const SetScale& command) {
  return with_config(document, [&](attention::Config& config) { config.scale = command.on; });
}

Expected<Document> reduce(const Document& document, const SetTemperature& command) {
  // Written so that NaN fails too.
  if (!(command.value >= kSmallestTemperature && command.value <= kLargestTemperature)) {
    return fail(ErrorKind::kBadInput,
                tr("a temperature of {} cannot be used: it takes a number between 0.001 and 1,000",
                   {shortest(command.value)}));
  }
  return with_config(document,
                     [&](attention::Config& config) { config.temperature = command.value; });
}

Expected<Document> apply(const Document& document, const Command& command) {
  // What the parts do not look at, such as the numbers of all stages together, the core does.
  return std::visit([&](const auto& edit) { return reduce(document, edit); }, command)
      .and_then(checked);
}

}  // namespace lab
