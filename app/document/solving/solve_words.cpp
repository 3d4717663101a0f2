#include "app/document/solving/solve_words.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "app/base/typed_number.h"
#include "app/base/wording.h"
#include "app/document/commands/reduce.h"
#include "app/document/matrix_labels.h"
#include "app/document/model/token_name.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using attention::ChangedCell;
using attention::SolveFault;
using attention::SolveFaultType;
using attention::SolveRequest;
using attention::TargetCell;

std::string solve_number(double value) {
  return with_decimal_mark(shortest(static_cast<float>(value)));
}

std::string brackets(const std::string& row, const std::string& col) {
  return " [" + row + ", " + col + "]";
}

std::string beyond_text(const std::string& cell_text, const SolveFault& fault, float value) {
  return tr("{} cannot be {}: it lies between {} and {}, and reaches neither",
            {cell_text, solve_number(value), solve_number(fault.low), solve_number(fault.high)});
}

// What can be wrong with any number that is requested. `name_of` gives the name of one by its index
// in the request.
template <typename NameOf>
std::string general_fault_text(const SolveFault& fault, const NameOf& name_of) {
  switch (fault.type) {
    case SolveFaultType::kNothingRequested:
      return tr("no cell is to have another value");
    case SolveFaultType::kNothingFree:
      return tr("nothing is free to change");
    case SolveFaultType::kTooLarge:
      return tr("too many numbers are free, or too many cells are kept");
    case SolveFaultType::kTwice:
      return tr("{} cannot have two values at once, or change and be kept", {name_of(fault.other)});
    case SolveFaultType::kNotANumber:
      return tr("{} can only become a finite number", {name_of(fault.cell)});
    case SolveFaultType::kNotFinite:
      return tr("{} is not a finite number, which no small change moves", {name_of(fault.cell)});
    default:
      return tr("nothing that is free moves {}", {name_of(fault.cell)});
  }
}

}  // namespace

std::string target_cell_text(const Document& document, const TargetCell& cell) {
  const std::string name = name_in_words(stage_name(cell.stage));
  const std::string stage = is_per_head(cell.stage)
                                ? tr("{} of head {}", {name, head_number(document, cell.head)})
                                : name;
  return stage + brackets(row_label(document, cell.stage, cell.row),
                          column_label(document, cell.stage, cell.col));
}

std::string changed_cell_text(const Document& document, const ChangedCell& cell) {
  const auto& [id, head, row] = cell.at;
  return matrix_in_text(document, {id, static_cast<int>(head)}) +
         brackets(matrix_row_label(document, id, row), matrix_column_label(document, id, cell.col));
}

std::string fault_text(const Document& document, const SolveRequest& request,
                       const SolveFault& fault) {
  const auto name_of = [&](std::size_t i) {
    return target_cell_text(document, request.targets[i]);
  };
  switch (fault.type) {
    case SolveFaultType::kInput:
      return tr("{} is not computed: edit it itself", {name_of(fault.cell)});
    case SolveFaultType::kOverridden:
      return tr("{} is put there by hand, so nothing moves it; remove its override first",
                {name_of(fault.cell)});
    case SolveFaultType::kForbidden:
      return tr("{} is forbidden by the mask, so nothing moves it", {name_of(fault.cell)});
    case SolveFaultType::kOnlyKey:
      return tr("{} is the weight of the only key that may be attended to: always 1",
                {name_of(fault.cell)});
    case SolveFaultType::kDropped:
      return tr("{} is dropped, so nothing moves it", {name_of(fault.cell)});
    case SolveFaultType::kBeyond:
      return beyond_text(name_of(fault.cell), fault, request.targets[fault.cell].value.value_or(0));
    case SolveFaultType::kRowSum:
      return tr("{} contradicts the other weights of its row: a row adds up to 1, these to {}",
                {name_of(fault.cell), solve_number(fault.sum)});
    default:
      return general_fault_text(fault, name_of);
  }
}

std::string logit_text(const ModelSource& model, const attention::network::Answer& answer) {
  const std::string token = token_label(model, answer.token);
  if (!answer.minus) return tr("logit of “{}”", {token});
  return tr("logit of “{}” − “{}”", {token, token_label(model, *answer.minus)});
}

std::string logit_fault_text(const std::vector<std::string>& names, const SolveFault& fault) {
  return general_fault_text(fault, [&](std::size_t i) { return names[i]; });
}

std::vector<ChangedCell> largest_changes(const Document& document,
                                         const attention::Solution& solution) {
  std::vector<ChangedCell> cells;
  std::set<std::tuple<std::string, attention::Index>> words;
  for (const ChangedCell& one : solution.changed) {
    const bool of_keys = one.at.matrix == MatrixId::kXKv;
    if (one.at.matrix == MatrixId::kX || of_keys) {
      const auto& tokens = of_keys ? document.kv_tokens : document.tokens;
      const Token& token = tokens[static_cast<std::size_t>(one.at.row)];
      const bool is_of_second = of_keys && document.kv_lexicon->count(token.key) > 0;
      if (!words.emplace(token.key + (is_of_second ? "2" : "1"), one.col).second) continue;
    }
    cells.push_back(one);
  }
  std::ranges::stable_sort(cells, std::greater(),
                           [](const ChangedCell& one) { return std::abs(one.after - one.before); });
  return cells;
}

}  // namespace lab
