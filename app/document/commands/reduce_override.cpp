#include <algorithm>

#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/document/words/carry_cells.h"
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
  if (is_given(stage)) {
    return fail(ErrorKind::kBadInput, tr("embeddings are edited as matrix {}, not overridden",
                                         {stage == Stage::kEmbedding ? "X" : "X_kv"}));
  }
  const int heads = is_per_head(stage) ? problem.config.n_heads : 1;
  if (auto there = check_head(cell.head, heads); !there) return there;
  const bool absent = stage == Stage::kXKv && !problem.cross();
  const attention::Shape shape = absent ? attention::Shape{} : stage_shape(problem, stage);
  return check_place(name_of(document, cell), shape, cell.row, cell.col);
}

// −∞ is a score like any other.
Expected<void> check_number(Stage stage, float value) {
  const bool score = has_key_columns(stage) && !holds_weights(stage);
  return score ? check_score(value) : check_value(value);
}

// The cell as the problem stores it: for heads that share keys and values, the first one.
Override place_of(const attention::Problem& problem, const StageCell& cell) {
  const attention::Config& config = problem.config;
  int head = cell.head;
  if (is_per_kv_head(cell.stage)) head -= head % heads_per_kv_head(config);
  return {cell.stage, head, cell.row, cell.col, 0};
}

// Replaces the number of that cell; an earlier override of it gives way.
void put(attention::Problem& problem, const StageCell& cell, float value) {
  Override place = place_of(problem, cell);
  place.value = value;
  auto& overrides = problem.overrides;
  const auto known = std::ranges::find_if(overrides, [&](const Override& o) {
    return o.stage == place.stage && o.head == place.head && o.row == place.row &&
           o.col == place.col;
  });
  if (known == overrides.end()) {
    overrides.push_back(place);
  } else {
    known->value = value;
  }
}

StageCell moved(const StageCell& cell, attention::Index rows, attention::Index cols) {
  return {cell.stage, cell.head, cell.row + static_cast<int>(rows),
          cell.col + static_cast<int>(cols)};
}

// The first and the last cell of a block exist.
Expected<void> check_block(const Document& document, const StageCell& cell, attention::Index rows,
                           attention::Index cols) {
  if (rows < 1 || cols < 1 || rows > kLargestBlock || cols > kLargestBlock)
    return fail(ErrorKind::kBadInput, tr("a block has at least one row and one column"));
  if (auto there = check_cell(document, cell); !there) return there;
  return check_cell(document, moved(cell, rows - 1, cols - 1));
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetOverride& command) {
  if (auto there = check_cell(document, command.cell); !there) {
    return tl::make_unexpected(there.error());
  }
  if (auto fits = check_number(command.cell.stage, command.value); !fits) {
    return tl::make_unexpected(fits.error());
  }
  Document changed = document;
  put(changed.problem, command.cell, command.value);
  return changed;
}

Expected<Document> reduce(const Document& document, const RemoveOverride& command) {
  return reduce(document, RemoveOverrides{command.cell});
}

Expected<Document> reduce(const Document& document, const SetOverrides& command) {
  const attention::Matrix& values = command.values;
  if (values.size() == 0 || values.size() > kLargestBlock)
    return fail(ErrorKind::kBadInput,
                tr("a block has 1 to {} numbers", {std::to_string(kLargestBlock)}));
  if (auto there = check_block(document, command.cell, values.rows(), values.cols()); !there)
    return tl::make_unexpected(there.error());
  for (const float value : values.reshaped())
    if (auto fits = check_number(command.cell.stage, value); !fits)
      return tl::make_unexpected(fits.error());
  Document changed = document;
  for (attention::Index i = 0; i < values.rows(); ++i)
    for (attention::Index j = 0; j < values.cols(); ++j)
      put(changed.problem, moved(command.cell, i, j), values(i, j));
  return changed;
}

Expected<Document> reduce(const Document& document, const RemoveOverrides& command) {
  if (auto there = check_block(document, command.cell, command.rows, command.cols); !there)
    return tl::make_unexpected(there.error());
  const Override first = place_of(document.problem, command.cell);
  Document changed = document;
  std::erase_if(changed.problem.overrides, [&](const Override& one) {
    return one.stage == first.stage && one.head == first.head && one.row >= first.row &&
           one.row < first.row + command.rows && one.col >= first.col &&
           one.col < first.col + command.cols;
  });
  return changed;
}

Expected<Document> reduce(const Document& /*document*/, const SwitchEdit& /*command*/) {
  return fail(ErrorKind::kBadInput, tr("only edits of a trained model can be switched off"));
}

Expected<Document> reduce(const Document& document, const ClearOverrides&) {
  Document changed = document;
  changed.problem.overrides.clear();
  forget_aside_overrides(changed);
  return changed;
}

}  // namespace lab
