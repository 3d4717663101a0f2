#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/document/listed_edits.h"
#include "app/document/words/remap_cells.h"
#include "app/translation/words.h"

namespace lab {

using attention::Override;
using attention::Stage;

namespace {

std::string name_of(const Document& document, const StageCell& cell) {
  const std::string name = name_in_words(stage_name(cell.stage));
  return is_per_head(cell.stage) ? tr("{} of head {}", {name, head_number(document, cell.head)})
                                 : name;
}

Expected<void> check_cell(const Document& document, const StageCell& cell) {
  const attention::Problem& problem = document.problem;
  const Stage stage = cell.stage;
  if (is_input(stage)) {
    return fail(ErrorType::kBadInput, tr("embeddings are edited as matrix {}, not overridden",
                                         {stage == Stage::kEmbedding ? "X" : "X_kv"}));
  }
  const int heads = is_per_head(stage) ? problem.config.n_heads : 1;
  if (auto there = check_head(cell.head, heads); !there) return there;
  const bool absent = stage == Stage::kXKv && !problem.cross();
  const attention::Shape shape = absent ? attention::Shape{} : stage_shape(problem, stage);
  return require_cell(name_of(document, cell), shape, cell.row, cell.col);
}

// −∞ is a score like any other.
Expected<void> check_number(Stage stage, float value) {
  const bool score = has_key_columns(stage) && !holds_weights(stage);
  return score ? check_score(value) : check_value(value);
}

// The cell as the problem stores it: for heads that share keys and values, the first one.
Override override_at(const attention::Problem& problem, const StageCell& cell) {
  const attention::Config& config = problem.config;
  int head = cell.head;
  if (is_per_kv_head(cell.stage)) head -= head % heads_per_kv_head(config);
  return {cell.stage, head, cell.row, cell.col, 0};
}

// A rectangle of cells of one stage, as the problem stores them.
struct CellsOfStage {
  Override first;
  attention::Index rows, cols;

  bool contain(const Override& cell) const {
    return cell.stage == first.stage && cell.head == first.head && cell.row >= first.row &&
           cell.row < first.row + rows && cell.col >= first.col && cell.col < first.col + cols;
  }
};

// Earlier overrides of these cells give way.
void put(const CellsOfStage& cells, const attention::Matrix& values,
         std::vector<Override>& overrides) {
  attention::Matrix known = attention::Matrix::Zero(cells.rows, cells.cols);
  for (Override& one : overrides) {
    if (!cells.contain(one)) continue;
    const attention::Index row = one.row - cells.first.row, col = one.col - cells.first.col;
    one.value = values(row, col);
    known(row, col) = 1;
  }
  for (attention::Index i = 0; i < cells.rows; ++i)
    for (attention::Index j = 0; j < cells.cols; ++j)
      if (known(i, j) == 0)
        overrides.push_back({cells.first.stage, cells.first.head, cells.first.row + i,
                             cells.first.col + j, values(i, j)});
}

StageCell moved(const StageCell& cell, attention::Index rows, attention::Index cols) {
  return {cell.stage, cell.head, cell.row + static_cast<int>(rows),
          cell.col + static_cast<int>(cols)};
}

// The first and the last cell of a block exist.
Expected<void> check_block(const Document& document, const StageCell& cell, attention::Index rows,
                           attention::Index cols) {
  if (rows < 1 || cols < 1 || rows > kLargestBlock || cols > kLargestBlock)
    return fail(ErrorType::kBadInput, tr("a block has at least one row and one column"));
  if (auto there = check_cell(document, cell); !there) return there;
  return check_cell(document, moved(cell, rows - 1, cols - 1));
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetOverride& command) {
  return reduce(document,
                SetOverrides{command.cell, attention::Matrix::Constant(1, 1, command.value)});
}

Expected<Document> reduce(const Document& document, const RemoveOverride& command) {
  return reduce(document, RemoveOverrides{command.cell});
}

Expected<Document> reduce(const Document& document, const SetOverrides& command) {
  const attention::Matrix& values = command.values;
  if (values.size() == 0 || values.size() > kLargestBlock)
    return fail(ErrorType::kBadInput,
                tr("a block has 1 to {} numbers", {std::to_string(kLargestBlock)}));
  if (auto there = check_block(document, command.cell, values.rows(), values.cols()); !there)
    return tl::make_unexpected(there.error());
  for (const float value : values.reshaped())
    if (auto fits = check_number(command.cell.stage, value); !fits)
      return tl::make_unexpected(fits.error());
  Document changed = document;
  put({override_at(document.problem, command.cell), values.rows(), values.cols()}, values,
      changed.problem.overrides);
  return changed;
}

Expected<Document> reduce(const Document& document, const RemoveOverrides& command) {
  if (auto there = check_block(document, command.cell, command.rows, command.cols); !there)
    return tl::make_unexpected(there.error());
  const CellsOfStage cells{override_at(document.problem, command.cell), command.rows, command.cols};
  Document changed = document;
  std::erase_if(changed.problem.overrides, [&](const Override& one) { return cells.contain(one); });
  return changed;
}

Expected<Document> reduce(const Document& document, const SwitchEdit& command) {
  const int sharing = heads_per_kv_head(document.problem.config);
  const auto stage = attention::stage_from_name(command.what);
  const bool is_shared = stage && is_per_kv_head(*stage);
  if (auto there = check_head(command.head, document.problem.config.n_heads); !there)
    return tl::make_unexpected(there.error());
  if (!stage && command.what != "mix")
    return fail(ErrorType::kBadInput, in_quotes(command.what) +
                                          " cannot be switched: “what” is \"mix\" or the name of "
                                          "a stage");
  Document changed = document;
  for (ListedEdit edit : matching_edits(command, {})) {
    if (is_shared) edit.head -= edit.head % sharing;
    changed = with_switched(changed, edit, command.on);
  }
  return changed;
}

Expected<Document> reduce(const Document& /*document*/, const TrainTo& /*command*/) {
  return fail(ErrorType::kBadInput, tr("only a model that is trained here has steps to go to"));
}

Expected<Document> reduce(const Document& document, const ClearOverrides&) {
  Document changed = document;
  changed.problem.overrides.clear();
  forget_detached_overrides(changed);
  return changed;
}

}  // namespace lab
