#include "app/view/solving/answer.h"

#include <algorithm>
#include <utility>

#include "app/document/solving/solve_words.h"
#include "app/translation/words.h"
#include "app/view/toolkit/number_input.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::WantedCell;
using std::chrono::milliseconds;

constexpr milliseconds kWhileDragging{12}, kAtTheEnd{3000};

StageCell answer_target(const Ui& ui) {
  const Selection& selection = ui.state.selection;
  const Cell cell = selected_cell(selection);
  const int head = is_per_head(selection.stage) ? ui.state.head : 0;
  return {selection.stage, head, static_cast<int>(cell.row), static_cast<int>(cell.col)};
}

WantedCell wanted_cell(const StageCell& cell, float value) {
  return {cell.stage, cell.head, cell.row, cell.col, value};
}

// The target and the rows that are kept, apart from the target itself.
std::vector<WantedCell> wanted_cells(const Ui& ui, float value) {
  const SolveState& solve = ui.state.solve;
  std::vector<WantedCell> cells{wanted_cell(solve.target, value)};
  for (const KeptRow& kept : solve.kept) {
    const auto row = kept_row(ui.problem(), ui.trace(), kept.stage, kept.head, kept.row);
    cells.insert(cells.end(), row.begin(), row.end());
  }
  return cells;
}

// The head whose matrices the target uses.
int head_for(const Ui& ui, MatrixId matrix) {
  const int head =
      is_per_head(ui.state.solve.target.stage) ? ui.state.solve.target.head : ui.state.head;
  return attention::is_per_kv_head(matrix) ? kv_head_of(ui.problem().config, head) : head;
}

std::vector<FreeChoice> free_choices(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  std::vector<FreeChoice> choices;
  for (const MatrixId matrix : solve.free) {
    if (!can_be_free(ui.document(), matrix)) continue;
    FreeChoice choice{matrix};
    if (is_per_head(matrix) && !solve.all_heads) choice.head = head_for(ui, matrix);
    if (matrix == MatrixId::kX && !solve.locked_words.empty()) {
      for (Index i = 0; i < ui.problem().seq_len(); ++i)
        if (std::ranges::count(solve.locked_words, i) == 0) choice.rows.push_back(i);
      if (choice.rows.empty()) continue;
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

// Whether numbers of the one stage are computed from those of the other.
bool feeds(const attention::Problem& problem, attention::Stage from, attention::Stage to) {
  if (from == to) return true;
  for (const auto& [operand, reach] : attention::stage_info(to).operands) {
    if (reach == attention::Reach::kNone) continue;
    const bool same_sentence = operand == attention::Stage::kXKv && !problem.cross();
    if (feeds(problem, from, same_sentence ? attention::Stage::kX : operand)) return true;
  }
  return false;
}

void show_found(Ui& ui) {
  const SetBlocks& command = ui.state.solve.run->command();
  if (command.blocks.empty()) return ui.queue(intent::Cancel{});
  ui.queue(intent::Preview{command});
}

StepLabel label_of(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  const std::string place = wanted_place(ui.document(), wanted_cell(solve.target, solve.wanted));
  const std::string value = ui.number(solve.wanted);
  return [place, value] { return tr("Drag {} to {}", {place, value}); };
}

}  // namespace

bool can_drag_answer(const Ui& ui) {
  return ui.state.compare.shows_edited() && !is_given(ui.state.selection.stage);
}

void open_answer(Ui& ui) {
  if (!can_drag_answer(ui)) return;
  SolveState& solve = ui.state.solve;
  const StageCell target = answer_target(ui);
  ui.state.side_tab = SideTab::kExplain;
  if (solve.open && solve.target == target) return;
  if (!solve.open) solve.kept.clear();
  solve.open = true;
  solve.target = target;
  solve.problem.clear();
  solve.typing.reset();
  solve.run.reset();
}

void close_answer(Ui& ui) {
  ui.state.solve.open = false;
  ui.state.solve.run.reset();
}

bool is_answer(const Ui& ui, const StageCell& cell) {
  return ui.state.solve.open && ui.state.solve.target == cell;
}

float answer_value(const Ui& ui) {
  const auto& [stage, head, row, col] = ui.state.solve.target;
  const attention::Matrix& matrix = *stage_matrix(ui.problem(), ui.trace(), stage, head);
  return row < matrix.rows() && col < matrix.cols() ? matrix(row, col) : 0.0f;
}

bool begin_answer(Ui& ui, float value) {
  SolveState& solve = ui.state.solve;
  solve.wanted = value;
  auto run = AnswerRun::begin(ui.document(), wanted_cells(ui, value), free_choices(ui));
  solve.problem = run ? std::string() : run.error().message;
  solve.run = run ? *run : nullptr;
  return run.has_value();
}

void preview_answer(Ui& ui, float value) {
  SolveState& solve = ui.state.solve;
  if (solve.run == nullptr ? !begin_answer(ui, value) : false) return;
  solve.wanted = value;
  solve.problem = solve.run->want(value);
  if (!solve.problem.empty()) return;
  solve.run->search(kWhileDragging);
  show_found(ui);
}

void commit_answer(Ui& ui) {
  SolveState& solve = ui.state.solve;
  if (solve.run == nullptr || !solve.problem.empty()) return ui.queue(intent::Cancel{});
  solve.run->search(kAtTheEnd);
  if (solve.run->command().blocks.empty()) return ui.queue(intent::Cancel{});
  auto tried = ui.attempt(solve.run->command());
  if (!tried) {
    solve.problem = tried.error().message;
    return ui.queue(intent::Cancel{});
  }
  ui.queue(intent::Apply{solve.run->command(), std::move(*tried), {}, label_of(ui)});
}

bool set_answer(Ui& ui, const std::string& text) {
  const std::optional<float> value = parse_number(text);
  if (!value) {
    ui.state.error = tr("“{}” is not a number.", {text});
    return false;
  }
  if (!begin_answer(ui, *value)) return false;
  commit_answer(ui);
  return true;
}

bool commit_typed_answer(Ui& ui) {
  std::optional<std::string>& typing = ui.state.solve.typing;
  if (!typing) return true;
  const bool accepted = set_answer(ui, *typing);
  if (accepted || !ui.state.solve.problem.empty()) typing.reset();
  return !typing;
}

std::vector<MatrixId> possible_free(const Ui& ui) {
  std::vector<MatrixId> matrices;
  for (const attention::MatrixInfo& info : attention::kMatrixInfos)
    if (can_be_free(ui.document(), info.id) &&
        feeds(ui.problem(), info.stage, ui.state.solve.target.stage))
      matrices.push_back(info.id);
  return matrices;
}

bool has_answer(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  if (!solve.open || solve.run == nullptr || solve.run->changes().empty()) return false;
  const attention::ChangedCell& first = solve.run->changes().front();
  const MatrixRef ref{first.at.matrix, static_cast<int>(first.at.head)};
  if (ref.head >= matrix_count(ui.problem().config, ref.id)) return false;
  const attention::Matrix& now = *matrix_of(ui.document(), ref);
  return first.at.row < now.rows() && first.col < now.cols() &&
         attention::same_bits(now(first.at.row, first.col), first.after);
}

std::vector<Cell> answer_changes(const Ui& ui, MatrixRef ref) {
  std::vector<Cell> cells;
  if (!has_answer(ui)) return cells;
  for (const attention::ChangedCell& one : ui.state.solve.run->solution().changed)
    if (one.at.matrix == ref.id && one.at.head == ref.head) cells.push_back({one.at.row, one.col});
  return cells;
}

}  // namespace lab::view
