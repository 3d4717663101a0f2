#include "app/explain/sensitivity_text.h"

#include <algorithm>
#include <cmath>

#include "app/document/matrix_labels.h"
#include "app/explain/explain_text.h"
#include "app/explain/number_text.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"

namespace lab::explain {
namespace {

using attention::Index;
using attention::MatrixId;
using attention::Problem;
using attention::Sensitivity;
using attention::Stage;

bool is_fixed_position(const Problem& problem, Stage stage) {
  const bool position = stage == Stage::kPosition || stage == Stage::kPositionKv;
  return position && problem.config.positions != attention::Positions::kLearned;
}

}  // namespace

bool is_input(const Problem& problem, Stage stage) {
  return attention::is_input(stage) || attention::is_input(last_step(problem, stage));
}

std::string number_title(const Document& document, Stage stage, Index head, Index row, Index col) {
  std::string title = cell_title(document, stage, row, col);
  if (!is_per_head(stage)) return title;
  return tr("{} of {}", {title, head_in_text(document, head)});
}

std::string why_unmoved(const Document& document, const attention::Trace& trace, Stage stage,
                        Index head, Index row, Index col) {
  const Problem& problem = document.problem;
  const std::string name = number_title(document, stage, head, row, col);
  if (is_overridden(problem, stage, head, row, col))
    return tr("{} is put there by hand, so nothing moves it; remove its override first", {name});
  if (is_input(problem, stage))
    return tr("{} is an input, which nothing moves; select a number that is computed", {name});
  if (is_fixed_position(problem, stage))
    return tr("{} depends on nothing but the position", {name});
  const float value = (*stage_matrix(problem, trace, stage, head))(row, col);
  if (std::isfinite(value)) return {};
  return tr("{} is {}, which no small change of a number moves", {name, format_fixed(value, 2)});
}

bool is_shared_vector(const Document& document, const Sensitivity& contributor) {
  if (contributor.matrix != MatrixId::kX && contributor.matrix != MatrixId::kXKv) return false;
  const bool of_keys = contributor.matrix == MatrixId::kXKv;
  const std::vector<Token>& tokens = of_keys ? document.kv_tokens : document.tokens;
  const std::string& key = tokens[static_cast<std::size_t>(contributor.row)].key;
  const auto count =
      std::ranges::count(document.tokens, key, &Token::key) +
      (document.shared_tokens || of_keys ? std::ranges::count(document.kv_tokens, key, &Token::key)
                                         : 0);
  return !document.layer.model && count > 1;
}

std::string contributor_title(const Document& document, const Sensitivity& contributor) {
  std::string name(attention::matrix_name(contributor.matrix));
  // Heads that share a matrix are named by the first of them.
  const Index sharing =
      is_per_kv_head(contributor.matrix) ? heads_per_kv_head(document.problem.config) : 1;
  if (is_per_head(contributor.matrix))
    name = tr("{} of {}", {name, head_in_text(document, contributor.head * sharing)});
  std::string row = matrix_row_label(document, contributor.matrix, contributor.row);
  if (is_shared_vector(document, contributor)) row += " (" + std::to_string(contributor.row) + ")";
  return name + " [" + row + ", " +
         matrix_column_label(document, contributor.matrix, contributor.col) + "]";
}

std::string signed_text(float value) {
  const std::string text = format_significant(value, 3);
  return value > 0 ? "+" + text : text;
}

std::string move_text(const std::string& number, float derivative) {
  return tr("+{} here moves {} by {}",
            {format_fixed(kSmallMove, 2), number, signed_text(kSmallMove * derivative)});
}

std::string short_move_text(float derivative) {
  return tr("+{} here: {}", {format_fixed(kSmallMove, 2), signed_text(kSmallMove * derivative)});
}

}  // namespace lab::explain
