#include "app/lessons/paper/random_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <utility>

#include "app/base/bad_input.h"
#include "app/document/commands/reducer.h"
#include "app/document/snapshot.h"
#include "app/lessons/answers/answer.h"
#include "app/lessons/answers/asked_cells.h"
#include "app/lessons/lesson.h"
#include "app/lessons/paper/paper_tables.h"
#include "core/layer/evaluator.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;

// The most by which a printed number is off. Not that of the sheet's decimals, because a sheet
// and its key have the same numbers whatever their decimals are.
constexpr double kRoundedBy = 0.005;

const Matrix& values_in_stage(const Snapshot& live, Stage stage, int head) {
  return *stage_matrix(live.document.problem, live.trace, stage, head);
}

bool is_revealed(const Question& question, const StageCell& cell, const Snapshot& live) {
  const Matrix& values = values_in_stage(live, cell.stage, cell.head);
  const double answer = values(cell.row, cell.col);
  const double apart = tolerance_of(question, answer) + kRoundedBy;
  const auto tells = [&](double number) { return std::abs(number - answer) <= apart; };
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if ((i != cell.row || j != cell.col) && tells(values(i, j))) return true;
  if (cell.stage != Stage::kHeadOutput) return false;
  const Matrix& V = values_in_stage(live, Stage::kV, cell.head);
  for (Index i = 0; i < V.rows(); ++i)
    if (tells(V(i, cell.col))) return true;
  return false;
}

/// How many answers to `questions` could be copied on a worksheet with these numbers: a number that
/// is asked for is, within its tolerance, in another cell of the same matrix; or a mix of
/// values is one of them, so that nobody needs the weights. Only for questions whose answer is one
/// cell. Throws BadInput like asked_cell().
std::size_t count_revealed(std::span<const Question* const> questions, const Snapshot& live) {
  return static_cast<std::size_t>(std::ranges::count_if(questions, [&](const Question* question) {
    const auto cell = asked_cell(*question, live);
    return cell && is_revealed(*question, *cell, live);
  }));
}

constexpr std::array kMatrices{MatrixId::kX,  MatrixId::kXKv, MatrixId::kWQ, MatrixId::kWK,
                               MatrixId::kWV, MatrixId::kWO,  MatrixId::kBQ, MatrixId::kBK,
                               MatrixId::kBV, MatrixId::kBO};

// A number from 0 to `below` − 1. Not std::uniform_int_distribution, which differs between
// libraries.
int pick(std::mt19937_64& engine, int below) {
  return static_cast<int>(engine() % static_cast<std::uint64_t>(below));
}

// Token vectors are whole, so that queries, keys and values have one decimal at most.
bool is_embedding(MatrixId id) { return id == MatrixId::kX || id == MatrixId::kXKv; }

// Whole numbers or tenths in the range of `like`, at least so many units wide.
Matrix drawn(const Matrix& like, bool whole, int width, std::mt19937_64& engine) {
  const float per_unit = whole ? 1 : 10;
  const int least = static_cast<int>(std::floor(like.minCoeff() * per_unit));
  const int most = std::max(least + width, static_cast<int>(std::ceil(like.maxCoeff() * per_unit)));
  Matrix values(like.rows(), like.cols());
  for (Index i = 0; i < values.size(); ++i) {
    int count = least + pick(engine, most - least + 1);
    if (count == 0)
      count =
          least +
          pick(engine, most - least + 1);  // drawn again once to make zeros rare: they teach little
    values.data()[i] = static_cast<float>(count) / per_unit;
  }
  return values;
}

// Few numbers other than 0 in each column, of the type that is multiplied in the head: long sums
// are for machines.
Matrix sparse(const Matrix& like, bool whole, std::mt19937_64& engine) {
  constexpr int kInColumn = 3;
  constexpr std::array kHalves{-1.0f, -0.5f, 0.5f, 1.0f}, kWholes{-1.0f, -1.0f, 1.0f, 1.0f};
  Matrix values = Matrix::Zero(like.rows(), like.cols());
  for (Index column = 0; column < like.cols(); ++column)
    for (int i = 0; i < kInColumn; ++i) {
      const Index row = pick(engine, static_cast<int>(like.rows()));
      const auto type = static_cast<std::size_t>(pick(engine, 4));
      values(row, column) = whole ? kWholes.at(type) : kHalves.at(type);
    }
  return values;
}

// Long token vectors have small numbers.
Matrix numbers_like(const Matrix& like, MatrixId id, std::mt19937_64& engine) {
  constexpr Index kMostInHead = 4;  // products in a sum
  const bool whole = is_embedding(id) || is_whole(like);
  if (is_parameter(id) && like.rows() > kMostInHead) return sparse(like, whole, engine);
  return drawn(like, whole, is_embedding(id) && !is_whole(like) ? 2 : 3, engine);
}

Expected<Document> with_numbers_of(const Document& document, std::mt19937_64& engine) {
  Expected<Document> changed = document;
  for (const MatrixId id : kMatrices) {
    for (int head = 0; head < matrix_count(document.problem.config, id); ++head) {
      const MatrixRef ref{id, head};
      if (!check_matrix(document, ref) || matrix_of(document, ref)->size() == 0) continue;
      const Matrix& like = *matrix_of(document, ref);
      if (like.size() > kLargestBlock)
        return fail(ErrorType::kBadInput, "the model is too large for a worksheet");
      changed = lab::apply(*changed, SetBlock{ref, 0, 0, numbers_like(like, id, engine)});
      if (!changed) return changed;
    }
  }
  return changed;
}

// The largest weight in a row that has a choice.
float largest_share(const attention::Trace& trace) {
  float largest = 0;
  for (const auto& head : trace.heads) {
    const Matrix& weights = *head.weights;
    for (Index i = 0; i < weights.rows(); ++i)
      if ((weights.row(i).array() > 0).count() > 1)
        largest = std::max(largest, weights.row(i).maxCoeff());
  }
  return largest;
}

// Pairs of rows with the same numbers: two tokens that are alike in everything.
std::size_t equal_rows(const Matrix& matrix) {
  constexpr float kAlike = 1e-4f;
  std::size_t count = 0;
  for (Index a = 0; a < matrix.rows(); ++a)
    for (Index b = a + 1; b < matrix.rows(); ++b)
      if ((matrix.row(a) - matrix.row(b)).cwiseAbs().maxCoeff() < kAlike) ++count;
  return count;
}

// Rows with a choice whose two largest weights are the same with two decimals.
std::size_t undecided_rows(const Matrix& weights) {
  constexpr float kDistinct = 0.015f;
  std::size_t count = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    float first = 0, second = 0;
    for (Index j = 0; j < weights.cols(); ++j) {
      second = std::max(second, std::min(first, weights(i, j)));
      first = std::max(first, weights(i, j));
    }
    if (second > 0 && first - second < kDistinct) ++count;
  }
  return count;
}

// What makes a sheet worse; the first that differs decides.
struct Flaws {
  // Tokens that are alike, rows of weights without a largest one, and answers that are revealed.
  std::size_t count = 0;
  float largest = 0;  // a weight of 1.00 gives nothing to compute

  bool none() const { return count == 0 && largest <= kStillShared; }
  bool operator<(const Flaws& other) const {
    return count != other.count ? count < other.count : largest < other.largest;
  }

 private:
  static constexpr float kStillShared = 0.95f;
};

Flaws flaws_of(const Document& document, std::span<const Question* const> questions,
               attention::Evaluator& evaluator) {
  const Snapshot live{document, evaluator.evaluate(document.problem)};
  Flaws flaws{count_revealed(questions, live), largest_share(live.trace)};
  for (int head = 0; head < document.problem.config.n_heads; ++head) {
    for (const Stage stage : {Stage::kQ, Stage::kK, Stage::kV})
      flaws.count += equal_rows(*stage_matrix(document.problem, live.trace, stage, head));
    flaws.count +=
        undecided_rows(*stage_matrix(document.problem, live.trace, Stage::kWeights, head));
  }
  return flaws;
}

Expected<Document> best_of_draws(const Document& document, std::mt19937_64& engine,
                                 std::span<const Question* const> questions) {
  constexpr int kDraws = 24, kDrawsForQuestions = 400;
  attention::Evaluator evaluator;
  Expected<Document> best = with_numbers_of(document, engine);
  if (!best) return best;
  Flaws least = flaws_of(*best, questions, evaluator);
  const int draws = questions.empty() ? kDraws : kDrawsForQuestions;
  for (int draw = 1; draw < draws && !least.none(); ++draw) {
    Expected<Document> other = with_numbers_of(document, engine);
    if (!other) return other;
    const Flaws flaws = flaws_of(*other, questions, evaluator);
    if (flaws < least) least = flaws, best = std::move(other);
  }
  return best;
}

}  // namespace

Expected<Document> with_random_numbers(const Document& document, std::uint64_t seed,
                                       std::span<const Question* const> questions) {
  constexpr Index kLargest = 4096;  // weights that are looked at; no more fit on paper
  std::mt19937_64 engine(seed);
  const attention::Problem& problem = document.problem;
  if (problem.seq_len() * problem.kv_len() * problem.config.n_heads > kLargest)
    return with_numbers_of(document, engine);
  return guarded([&] { return value_or_bad_input(best_of_draws(document, engine, questions)); });
}

}  // namespace lab::lessons
