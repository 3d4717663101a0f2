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

template <typename Overrides>
auto find(Overrides& overrides, const Override& place) {
  return std::ranges::find_if(overrides, [&](const Override& o) {
    return o.stage == place.stage && o.head == place.head && o.row == place.row &&
           o.col == place.col;
  });
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetOverride& command) {
  const attention::Problem& problem = document.problem;
  if (auto there = check_cell(document, command.cell); !there) {
    return tl::make_unexpected(there.error());
  }
  if (auto fits = check_number(command.cell.stage, command.value); !fits) {
    return tl::make_unexpected(fits.error());
  }
  Override place = place_of(problem, command.cell);
  place.value = command.value;
  Document changed = document;
  auto& overrides = changed.problem.overrides;
  const auto known = find(overrides, place);
  if (known == overrides.end()) {
    overrides.push_back(place);
  } else {
    known->value = command.value;
  }
  return changed;
}

Expected<Document> reduce(const Document& document, const RemoveOverride& command) {
  if (auto there = check_cell(document, command.cell); !there) {
    return tl::make_unexpected(there.error());
  }
  Document changed = document;
  auto& overrides = changed.problem.overrides;
  const auto known = find(overrides, place_of(document.problem, command.cell));
  if (known != overrides.end()) overrides.erase(known);
  return changed;
}

Expected<Document> reduce(const Document& document, const ClearOverrides&) {
  Document changed = document;
  changed.problem.overrides.clear();
  forget_aside_overrides(changed);
  return changed;
}

}  // namespace lab
