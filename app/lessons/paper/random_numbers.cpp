#include "app/lessons/paper/random_numbers.h"

#include <array>
#include <cmath>
#include <random>

#include "app/document/commands/reducer.h"
#include "app/lessons/paper/whole_numbers.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Matrix;

constexpr std::array kMatrices{MatrixId::kX,  MatrixId::kXKv, MatrixId::kWQ, MatrixId::kWK,
                               MatrixId::kWV, MatrixId::kWO,  MatrixId::kBQ, MatrixId::kBK,
                               MatrixId::kBV, MatrixId::kBO};

// A number from 0 to `below` − 1. Not std::uniform_int_distribution, which differs between
// libraries.
int pick(std::mt19937_64& engine, int below) {
  return static_cast<int>(engine() % static_cast<std::uint64_t>(below));
}

// The range of a matrix in multiples of the unit, at least three units wide.
Matrix drawn(const Matrix& like, std::mt19937_64& engine) {
  const float unit = is_whole(like) ? 1.0f : 0.1f;
  const int least = static_cast<int>(std::floor(like.minCoeff() / unit));
  const int most = std::max(least + 3, static_cast<int>(std::ceil(like.maxCoeff() / unit)));
  Matrix values(like.rows(), like.cols());
  for (Index i = 0; i < values.size(); ++i) {
    int count = least + pick(engine, most - least + 1);
    if (count == 0)
      count =
          least +
          pick(engine, most - least + 1);  // drawn again once to make zeros rare: they teach little
    values.data()[i] = static_cast<float>(count) * unit;
  }
  return values;
}

}  // namespace

Expected<Document> with_random_numbers(const Document& document, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Expected<Document> changed = document;
  for (const MatrixId id : kMatrices) {
    for (int head = 0; head < matrix_count(document.problem.config, id); ++head) {
      const MatrixRef ref{id, head};
      if (!check_matrix(document, ref) || matrix_of(document, ref)->size() == 0) continue;
      if (matrix_of(document, ref)->size() > kLargestBlock)
        return fail(ErrorKind::kBadInput, "the model is too large for a worksheet");
      changed = lab::apply(*changed, SetBlock{ref, 0, 0, drawn(*matrix_of(document, ref), engine)});
      if (!changed) return changed;
    }
  }
  return changed;
}

}  // namespace lab::lessons
