#include "app/view/solving/answer.h"

#include <algorithm>
#include <utility>

#include "app/base/typed_number.h"
#include "app/document/solving/solve_words.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/solving/answer_run.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::TargetCell;
using attention::network::Answer;
using attention::network::TargetAnswer;
using std::chrono::milliseconds;

constexpr milliseconds kInOneFrame{12}, kAtTheEnd{3000};

TargetCell target_cell(const StageCell& cell, float value) {
  return {cell.stage, cell.head, cell.row, cell.col, value};
}

// The target and the rows that are kept, apart from the target itself.
std::vector<TargetCell> target_cells(const Ui& ui, float value) {
  const SolveState& solve = ui.state.solve;
  std::vector<TargetCell> cells{target_cell(solve.target, value)};
  for (const KeptRow& kept : solve.kept) {
    const auto row = kept_row(ui.problem(), ui.trace(), kept.stage, kept.head, kept.row);
    cells.insert(cells.end(), row.begin(), row.end());
  }
  return cells;
}

// The head whose matrices the target uses.
int head_for(const Ui& ui, MatrixId matrix) {
  const SolveState& solve = ui.state.solve;
  const bool of_head = !solve.logit && is_per_head(solve.target.stage);
  const int head = of_head ? solve.target.head : ui.state.head;
  return attention::is_per_kv_head(matrix) ? kv_head_of(ui.problem().config, head) : head;
}

std::vector<TargetAnswer> target_logits(const Ui& ui, float value) {
  const SolveState& solve = ui.state.solve;
  std::vector<TargetAnswer> answers{{*solve.logit, value}};
  for (const Answer& kept : solve.kept_logits) answers.push_back({kept, {}});
  return answers;
}

std::unique_ptr<const AnswerTask> task_for(const Ui& ui, FreeNumbers numbers, float value) {
  return ui.state.solve.logit
             ? task_for_logits(ui.document(), std::move(numbers), target_logits(ui, value))
             : task_for_cells(ui.document(), std::move(numbers), target_cells(ui, value));
}

std::vector<FreeChoice> free_choices(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  std::vector<FreeChoice> choices;
  for (const MatrixId matrix : solve.free) {
    if (!can_be_free(ui.document(), matrix)) continue;
    FreeChoice choice{matrix};
    const bool of_heads = is_per_head(matrix) || matrix == MatrixId::kWO;
    if (of_heads && !solve.all_heads) choice.head = head_for(ui, matrix);
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

const SetBlocks* found_command(const Ui& ui) {
  const AnswerRun* const run = ui.state.solve.run.get();
  const bool found = run != nullptr && run->found() != nullptr && run->problem().empty();
  return found && !run->found()->command.blocks.empty() ? &run->found()->command : nullptr;
}

void show_found(Ui& ui) {
  const SetBlocks* const command = found_command(ui);
  if (command == nullptr) return ui.queue(intent::Cancel{});
  ui.queue(intent::Preview{*command});
}

// Takes what has been found meanwhile; true when the search is over.
bool take_found(Ui& ui, milliseconds most) {
  SolveState& solve = ui.state.solve;
  const bool over = solve.run->wait(most);
  solve.problem = solve.run->problem();
  return over;
}

StepLabel label_of(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  const std::string cell_name =
      solve.logit ? logit_text(*ui.document().layer.model->source, *solve.logit)
                  : target_cell_text(ui.document(), target_cell(solve.target, solve.target_value));
  const std::string value = ui.number(solve.target_value);
  return [cell_name, value] { return tr("Drag {} to {}", {cell_name, value}); };
}

// What has been found so far becomes a step.
void make_step(Ui& ui) {
  SolveState& solve = ui.state.solve;
  solve.finishing = false;
  const SetBlocks* const command = found_command(ui);
  if (command == nullptr) return ui.queue(intent::Cancel{});
  auto dry_run = ui.attempt(*command);
  if (!dry_run) {
    solve.problem = dry_run.error().message;
    return ui.queue(intent::Cancel{});
  }
  ui.queue(intent::Apply{*command, std::move(*dry_run), {}, label_of(ui)});
}

// The numbers that were found belong to the document that the search began with.
bool was_edited_meanwhile(const Ui& ui) {
  return ui.workspace.history().state_id() != ui.state.solve.state_id;
}

void open_panel(Ui& ui) {
  SolveState& solve = ui.state.solve;
  ui.state.side_tab = SideTab::kExplain;
  if (!solve.open) {
    solve.kept.clear();
    solve.kept_logits.clear();
  }
  solve.open = solve.opened = true;
  solve.finishing = false;
  solve.problem.clear();
  solve.typing.reset();
  solve.run.reset();
}

// The logit of a token that is listed or asked about, at the row of the predictions.
std::optional<float> known_logit(const Ui& ui, std::uint32_t token) {
  if (const auto& predictions = ui.analysis.predictions.value)
    for (const auto* list : {&predictions->top, &predictions->pinned})
      for (const Prediction& one : *list)
        if (one.id == token) return one.logit;
  const auto& asked = ui.analysis.answer.value;
  if (!asked) return std::nullopt;
  if (asked->token.prediction.id == token) return asked->token.prediction.logit;
  if (asked->minus && asked->minus->prediction.id == token) return asked->minus->prediction.logit;
  return std::nullopt;
}

float logit_value(const Ui& ui, const Answer& answer) {
  const float logit = known_logit(ui, answer.token).value_or(0.0f);
  return answer.minus ? logit - known_logit(ui, *answer.minus).value_or(0.0f) : logit;
}

}  // namespace

bool can_drag_answer(const Ui& ui) { return ui.state.compare.shows_edited(); }

void open_answer(Ui& ui) {
  if (!can_drag_answer(ui)) return;
  if (is_input(ui.state.selection.stage)) {
    ui.state.error = tr(
        "{} is not computed: edit it itself",
        {target_cell_text(ui.document(),
                          target_cell(selected_stage_cell(ui.state.selection, ui.state.head), 0))});
    return;
  }
  SolveState& solve = ui.state.solve;
  const StageCell target = selected_stage_cell(ui.state.selection, ui.state.head);
  if (solve.open && !solve.logit && solve.target == target)
    return (void)(ui.state.side_tab = SideTab::kExplain);
  open_panel(ui);
  solve.logit.reset();
  solve.target = target;
}

bool can_drag_logit(const Ui& ui) {
  return ui.state.compare.shows_edited() && has_model(ui) &&
         ui.analysis.predictions.value != nullptr && !ui.document().layer.pending;
}

void open_logit(Ui& ui, const Answer& answer) {
  SolveState& solve = ui.state.solve;
  if (solve.open && solve.logit == answer) return (void)(ui.state.side_tab = SideTab::kExplain);
  open_panel(ui);
  solve.logit = answer;
}

void open_asked_logit(Ui& ui) {
  if (!can_drag_logit(ui)) return;
  const auto& asked = ui.analysis.answer.value;
  const auto& predictions = *ui.analysis.predictions.value;
  open_logit(ui, asked ? asked->answer() : Answer{predictions.row, predictions.top.front().id, {}});
}

void close_answer(Ui& ui) {
  if (ui.state.solve.finishing) make_step(ui);
  ui.state.solve.open = false;
  ui.state.solve.run.reset();
}

bool is_answer(const Ui& ui, const StageCell& cell) {
  const SolveState& solve = ui.state.solve;
  return solve.open && !solve.logit && solve.target == cell;
}

float answer_value(const Ui& ui) {
  if (const auto& logit = ui.state.solve.logit) return logit_value(ui, *logit);
  const auto& [stage, head, row, col] = ui.state.solve.target;
  const attention::Matrix& matrix = *stage_matrix(ui.problem(), ui.trace(), stage, head);
  return row < matrix.rows() && col < matrix.cols() ? matrix(row, col) : 0.0f;
}

bool begin_answer(Ui& ui, float value) {
  SolveState& solve = ui.state.solve;
  solve.target_value = value;
  solve.finishing = false;
  solve.run.reset();
  solve.state_id = ui.workspace.history().state_id();
  auto numbers = free_numbers(ui.document(), free_choices(ui));
  solve.problem = numbers ? std::string() : numbers.error().message;
  if (!numbers) return false;
  solve.run = std::make_shared<AnswerRun>(task_for(ui, std::move(*numbers), value), value);
  return true;
}

void preview_answer(Ui& ui, float value) {
  SolveState& solve = ui.state.solve;
  solve.target_value = value;
  if (solve.run == nullptr ? !begin_answer(ui, value) : false) return;
  solve.run->want(value);
  take_found(ui, kInOneFrame);
  show_found(ui);
}

void commit_answer(Ui& ui) {
  SolveState& solve = ui.state.solve;
  if (solve.run == nullptr) return ui.queue(intent::Cancel{});
  solve.finishing = true;
  solve.latest_end = std::chrono::steady_clock::now() + kAtTheEnd;
  if (take_found(ui, kInOneFrame)) make_step(ui);
}

bool set_answer(Ui& ui, const std::string& text) {
  const std::optional<float> value = parse_typed_number(text);
  if (!value) {
    ui.state.error = tr("“{}” is not a number.", {text});
    return false;
  }
  if (std::abs(*value) > kLargestCell) {
    ui.state.error = tr("“{}” is too large a number.", {text});
    return false;
  }
  if (!begin_answer(ui, *value)) return false;
  commit_answer(ui);
  return ui.state.solve.problem.empty();
}

bool commit_pending_answer(Ui& ui) {
  SolveState& solve = ui.state.solve;
  if (std::optional<std::string>& typing = solve.typing) {
    const bool accepted = set_answer(ui, *typing);
    if (accepted || !solve.problem.empty()) typing.reset();
    if (typing) return false;
  }
  if (!solve.finishing) return true;
  take_found(ui, kAtTheEnd);
  make_step(ui);
  return true;
}

void follow_answer(Ui& ui) {
  SolveState& solve = ui.state.solve;
  if (!solve.problem.empty() && was_edited_meanwhile(ui))
    solve.problem.clear();  // it was of before
  if (solve.run == nullptr || !(solve.finishing || solve.dragging)) return;
  if (was_edited_meanwhile(ui)) {
    solve.finishing = false;
    solve.problem = tr("given up, because something else was edited meanwhile");
    return;
  }
  const bool over = take_found(ui, solve.finishing ? kInOneFrame : milliseconds(0));
  if (!solve.finishing) return show_found(ui);
  if (over || std::chrono::steady_clock::now() > solve.latest_end) return make_step(ui);
  show_found(ui);
}

bool awaits_answer(const SolveState& solve) {
  return solve.finishing || (solve.dragging && solve.run != nullptr && solve.run->searching());
}

std::vector<MatrixId> possible_free(const Ui& ui) {
  std::vector<MatrixId> matrices;
  for (const attention::MatrixInfo& info : attention::kMatrixInfos)
    if (can_be_free(ui.document(), info.id) &&
        (ui.state.solve.logit || feeds(ui.problem(), info.stage, ui.state.solve.target.stage)))
      matrices.push_back(info.id);
  return matrices;
}

bool has_answer(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  if (!solve.open || solve.run == nullptr || found_command(ui) == nullptr) return false;
  const attention::ChangedCell& first = solve.run->found()->changes.front();
  const MatrixRef ref{first.at.matrix, static_cast<int>(first.at.head)};
  if (ref.head >= matrix_count(ui.problem().config, ref.id)) return false;
  const attention::Matrix& now = *matrix_of(ui.document(), ref);
  return first.at.row < now.rows() && first.col < now.cols() &&
         attention::same_bits(now(first.at.row, first.col), first.after);
}

std::vector<Cell> answer_changes(const Ui& ui, MatrixRef ref) {
  std::vector<Cell> cells;
  if (!has_answer(ui)) return cells;
  for (const attention::ChangedCell& one : ui.state.solve.run->found()->solution.changed)
    if (one.at.matrix == ref.id && one.at.head == ref.head) cells.push_back({one.at.row, one.col});
  return cells;
}

}  // namespace lab::view
