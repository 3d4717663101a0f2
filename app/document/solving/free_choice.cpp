#include "app/document/solving/free_choice.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/document/commands/reduce.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using attention::FreeRow;
using attention::Index;
using attention::MatrixRow;

bool is_words(MatrixId id) { return id == MatrixId::kX || id == MatrixId::kXKv; }

// The word of the second sentence has the vector of the first one.
bool shares_vector(const Document& document, const Token& token) {
  return document.shared_tokens && document.kv_lexicon->count(token.key) == 0;
}

// Everywhere that the vector of the word in that row stands.
std::vector<MatrixRow> places_of_word(const Document& document, MatrixId id, Index row) {
  const bool of_keys = id == MatrixId::kXKv;
  const std::string& key = (of_keys ? document.kv_tokens : document.tokens)[row].key;
  std::vector<MatrixRow> places;
  if (!of_keys)
    for (std::size_t i = 0; i < document.tokens.size(); ++i)
      if (document.tokens[i].key == key) places.push_back({MatrixId::kX, 0, Index(i)});
  for (std::size_t i = 0; i < document.kv_tokens.size(); ++i) {
    const Token& token = document.kv_tokens[i];
    if (token.key == key && (of_keys || shares_vector(document, token)))
      places.push_back({MatrixId::kXKv, 0, Index(i)});
  }
  return places;
}

Expected<void> check_free(const Document& document, MatrixId id) {
  const std::string name(matrix_name(id));
  if (can_be_free(document, id)) return {};
  if (document.layer.model && is_words(id))
    return fail(
        ErrorType::kBadInput,
        tr("{} cannot be free: in a layer of a model, the layers before compute it", {name}));
  return fail(ErrorType::kBadInput,
              tr("{} cannot be free: nothing here is computed from it", {name}));
}

bool is_part_of_w_o(const FreeChoice& choice) {
  return choice.matrix == MatrixId::kWO && choice.head.has_value();
}

// The matrices that a choice means, by their heads.
Expected<std::vector<int>> heads_of(const Document& document, const FreeChoice& choice) {
  if (is_part_of_w_o(choice)) {
    if (auto there = check_head(*choice.head, document.problem.config.n_heads); !there)
      return tl::make_unexpected(there.error());
    return std::vector{0};
  }
  const int count = matrix_count(document.problem.config, choice.matrix);
  if (choice.head) {
    if (auto there = check_head(*choice.head, count); !there)
      return tl::make_unexpected(there.error());
    return std::vector{*choice.head};
  }
  std::vector<int> heads(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) heads[static_cast<std::size_t>(i)] = i;
  return heads;
}

void add_row(FreeNumbers& numbers, FreeRow row) {
  const auto same = [&](const FreeRow& other) {
    return std::ranges::find_first_of(other.places, row.places) != other.places.end();
  };
  std::erase_if(numbers.rows, same);
  numbers.rows.push_back(std::move(row));
}

Expected<void> add_choice(const Document& document, const FreeChoice& choice,
                          FreeNumbers& numbers) {
  if (auto free = check_free(document, choice.matrix); !free) return free;
  const auto heads = heads_of(document, choice);
  if (!heads) return tl::make_unexpected(heads.error());
  for (const int head : *heads) {
    const MatrixRef ref{choice.matrix, head};
    attention::SharedMatrix& matrix = matrix_of(numbers.problem, choice.matrix, head);
    if (matrix.empty()) matrix = effective_matrix(document, ref);
    std::vector<Index> rows = choice.rows;
    if (rows.empty() && is_part_of_w_o(choice))
      rows = rows_of_head(numbers.problem.config, *choice.head);
    const bool all = rows.empty();
    for (Index row = 0; all && row < matrix->rows(); ++row) rows.push_back(row);
    for (const Index row : rows) {
      if (auto there =
              require_cell(matrix_in_text(document, ref), matrix.shape(), static_cast<int>(row), 0);
          !there)
        return there;
      add_row(numbers, {is_words(choice.matrix) ? places_of_word(document, choice.matrix, row)
                                                : std::vector{MatrixRow{choice.matrix, head, row}},
                        choice.weight});
    }
  }
  return {};
}

}  // namespace

bool can_be_free(const Document& document, MatrixId matrix) {
  if (matrix == MatrixId::kMask || !is_in_use(document.problem, matrix)) return false;
  if (document.layer.model && !is_parameter(matrix)) return false;
  return matrix != MatrixId::kPositionTableKv || document.problem.cross();
}

std::vector<Index> rows_of_head(const attention::Config& config, int head) {
  std::vector<Index> rows;
  for (Index i = 0; i < config.d_v; ++i) rows.push_back(Index{head} * config.d_v + i);
  return rows;
}

Expected<FreeNumbers> free_numbers(const Document& document,
                                   const std::vector<FreeChoice>& choices) {
  FreeNumbers numbers{document.problem, {}};
  for (const FreeChoice& choice : choices) {
    if (!(choice.weight > 0) || !std::isfinite(choice.weight))
      return fail(ErrorType::kBadInput, tr("a weight must be a number above 0"));
    if (auto added = add_choice(document, choice, numbers); !added)
      return tl::make_unexpected(added.error());
  }
  return numbers;
}

SetBlocks solved_blocks(const Document& document, const attention::Problem& solved,
                        const std::vector<FreeRow>& rows) {
  std::vector<MatrixRow> places;
  for (const FreeRow& row : rows)
    for (const MatrixRow& matrix_row : row.places) {
      const attention::Matrix& now = *matrix_of(solved, matrix_row.matrix, matrix_row.head);
      const MatrixRef ref{matrix_row.matrix, static_cast<int>(matrix_row.head)};
      const attention::SharedMatrix before = effective_matrix(document, ref);
      if (!same_numbers(now.row(matrix_row.row), before->row(matrix_row.row)))
        places.push_back(matrix_row);
    }
  std::ranges::sort(places, {},
                    [](const MatrixRow& one) { return std::tuple(one.matrix, one.head, one.row); });
  SetBlocks command;
  for (std::size_t first = 0; first < places.size();) {
    const auto& [matrix, head, row] = places[first];
    std::size_t end = first + 1;
    while (end < places.size() && places[end] == MatrixRow{matrix, head, row + Index(end - first)})
      ++end;
    command.blocks.push_back(
        {{matrix, static_cast<int>(head)},
         static_cast<int>(row),
         0,
         matrix_of(solved, matrix, head)->middleRows(row, Index(end - first))});
    first = end;
  }
  return command;
}

}  // namespace lab
