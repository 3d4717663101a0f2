#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/document/solving/solve_words.h"
#include "app/explain/explain_text.h"
#include "app/translation/words.h"
#include "app/view/editor/cell_editor.h"
#include "app/view/editor/go_to.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/navigation.h"
#include "app/view/solving/answer.h"
#include "app/view/solving/answer_run.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/flow_text.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::ChangedCell;
using attention::Index;

constexpr std::size_t kMostListed = 6;
constexpr Index kMostWords = 40;  // as chips
constexpr float kSolveRow = 22, kSolveChip = 24, kAroundSolve = 44, kSolveSides = 24;

// The content of the panel from top to bottom, drawn or only measured.
class SolveRows {
 public:
  SolveRows(Ui& ui, const Rect& area, bool draws) : ui_(ui), area_(area), draws_(draws) {
    x_ = area.x;
    y_ = area.y;
  }

  bool draws() const { return draws_; }
  float y() const { return y_; }

  Rect row(float points) {
    new_line();
    const Rect bounds{area_.x, y_, area_.w, ui_.px(points)};
    y_ += bounds.h;
    return bounds;
  }
  void words(const std::string& text, figure::Rgb colour, const std::string& name = {}) {
    new_line();
    const Rect bounds{area_.x, y_, area_.w, 0};
    FlowText flow(ui_, bounds, 0, draws_);
    const TextRun run{text, ui_.fonts.small, colour};
    flow.words({&run, 1}, text_width(ui_, ui_.fonts.small, " "));
    flow.new_line();
    if (draws_ && !name.empty())
      ui_.name(name, {bounds.x, bounds.y, bounds.w, flow.y() - bounds.y});
    y_ = flow.y() + ui_.px(3);
  }
  // A chip that can be on; true when it was clicked.
  bool chip(const std::string& id, const std::string& label, bool on) {
    const float width = std::min(button_width(ui_, label), area_.w), height = ui_.px(kSolveChip);
    if (x_ > area_.x && x_ + width > area_.right()) new_line();
    const Rect bounds{x_, y_, width, height - ui_.px(2)};
    x_ += width + ui_.px(4);
    return draws_ && button(ui_, id, bounds, label, on ? ButtonLook::kActive : ButtonLook::kQuiet);
  }
  void new_line() {
    if (x_ == area_.x) return;
    x_ = area_.x;
    y_ += ui_.px(kSolveChip) + ui_.px(2);
  }

 private:
  Ui& ui_;
  Rect area_;
  bool draws_;
  float x_ = 0, y_ = 0;
};

bool is_target_there(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  if (solve.open && solve.logit) {
    const auto& predictions = ui.analysis.predictions.value;
    return has_model(ui) && predictions && predictions->row == solve.logit->row;
  }
  if (!solve.open || solve.target.head >= ui.problem().config.n_heads) return false;
  const attention::Shape shape = stage_shape(ui.problem(), solve.target.stage);
  return solve.target.row < shape.rows && solve.target.col < shape.cols;
}

// What the target is called, in more and in fewer words.
std::vector<std::string> target_titles(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  if (solve.logit) return {logit_text(*shown_model(ui)->source, *solve.logit)};
  const StageCell& cell = solve.target;
  const std::string title = explain::cell_title(ui.document(), cell.stage, cell.row, cell.col);
  if (!is_per_head(cell.stage)) return {title};
  return {title + " · " + head_in_text(ui.document(), cell.head), title};
}

void target_row(Ui& ui, SolveRows& layout) {
  Rect row = layout.row(28);
  if (!layout.draws()) return;
  const float value = answer_value(ui);
  const Rect field = row.cut_right(ui.px(92));
  const Rect box{field.x, field.y + ui.px(2), field.w, field.h - ui.px(5)};
  frame_rect(ui, box, ui.theme.line, 1, ui.px(4));
  const SolveState& solve = ui.state.solve;
  if (solve.finishing) {
    draw_text(ui, ui.fonts.mono, box, ui.number(solve.target_value), ui.theme.dim,
              TextAlign::kCentre);
  } else {
    number_field(ui, "solve/value", box, ui.number(value), editable_text(value),
                 ui.state.solve.typing);
    if (solve.run == nullptr && solve.problem.empty())  // else it would cover the answer
      tooltip(ui, tr("Type the value that it should have"));
  }
  const std::vector<std::string> titles = target_titles(ui);
  const std::string fitting = fitting_label(ui, titles, 12.5f, row.w - ui.px(4));
  draw_label(ui, row, fitting.empty() ? titles.back() : fitting, 12.5f, ui.theme.text,
             TextAlign::kLeft, true);
}

template <typename Value>
void toggle_in(std::vector<Value>& values, const Value& value) {
  if (std::erase(values, value) == 0) values.push_back(value);
}

void free_chips(Ui& ui, SolveRows& layout) {
  SolveState& solve = ui.state.solve;
  layout.words(tr("Free to change, as little as possible:"), ui.theme.dim);
  for (const MatrixId matrix : possible_free(ui)) {
    const std::string name(matrix_name(matrix));
    const bool on = std::ranges::count(solve.free, matrix) > 0;
    if (layout.chip("solve/free/" + name, name, on)) toggle_in(solve.free, matrix);
  }
  layout.new_line();
  if (ui.problem().config.n_heads == 1) return;
  if (layout.chip("solve/one_head", tr("this head"), !solve.all_heads)) solve.all_heads = false;
  if (layout.chip("solve/all_heads", tr("all heads"), solve.all_heads)) solve.all_heads = true;
}

// Equal words share a vector, so they are locked together.
void word_chips(Ui& ui, SolveRows& layout) {
  SolveState& solve = ui.state.solve;
  const Document& document = ui.document();
  if (std::ranges::count(solve.free, MatrixId::kX) == 0 || !can_be_free(document, MatrixId::kX))
    return;
  layout.words(tr("Words that may change:"), ui.theme.dim);
  const Index count = std::min(ui.problem().seq_len(), kMostWords);
  for (Index i = 0; i < count; ++i) {
    const bool locked = std::ranges::count(solve.locked_words, i) > 0;
    const std::string id = "solve/word/" + std::to_string(i);
    if (layout.chip(id, row_label(document, i), !locked)) toggle_in(solve.locked_words, i);
  }
}

std::string kept_text(const Ui& ui, const KeptRow& kept) {
  return tr("row “{}” of {}", {row_label(ui.document(), kept.stage, kept.row),
                               cell_label({kept.stage, kept.head, 0, 0})});
}

// The selected row, if it can be kept.
std::optional<KeptRow> row_to_keep(const Ui& ui) {
  const Selection& selection = ui.state.selection;
  if (is_input(selection.stage)) return std::nullopt;
  const int head = is_per_head(selection.stage) ? ui.state.head : 0;
  const KeptRow row{selection.stage, head, selected_cell(selection).row};
  const StageCell& target = ui.state.solve.target;
  if (row.stage == target.stage && row.head == target.head && row.row == target.row)
    return std::nullopt;
  if (std::ranges::count(ui.state.solve.kept, row) > 0) return std::nullopt;
  return row;
}

// The answer that the other numbers are about, if its logit can be kept.
std::optional<attention::network::Answer> logit_to_keep(const Ui& ui) {
  const SolveState& solve = ui.state.solve;
  const auto& asked = ui.analysis.answer.value;
  if (!asked || asked->answer() == solve.logit) return std::nullopt;
  if (std::ranges::count(solve.kept_logits, asked->answer()) > 0) return std::nullopt;
  return asked->answer();
}

void kept_logits(Ui& ui, SolveRows& layout) {
  auto& kept = ui.state.solve.kept_logits;
  const auto name = [&ui](const auto& one) { return logit_text(*shown_model(ui)->source, one); };
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (layout.chip("solve/kept/" + std::to_string(i), tr("keeps {}", {name(kept[i])}) + "  ×",
                    true))
      removed = i;
  if (removed) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(*removed));
  const auto more = logit_to_keep(ui);
  if (more && layout.chip("solve/keep", tr("+ keep {}", {name(*more)}), false))
    kept.push_back(*more);
  if (!more && kept.empty())
    layout.words(tr("Click another token in the list to keep its logit as it is."), ui.theme.dim);
}

void kept_rows(Ui& ui, SolveRows& layout) {
  if (ui.state.solve.logit) return kept_logits(ui, layout);
  auto& kept = ui.state.solve.kept;
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::string label = tr("keeps {}", {kept_text(ui, kept[i])}) + "  ×";
    if (layout.chip("solve/kept/" + std::to_string(i), label, true)) removed = i;
  }
  if (removed) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(*removed));
  const auto row = row_to_keep(ui);
  if (row && layout.chip("solve/keep", tr("+ keep {}", {kept_text(ui, *row)}), false))
    kept.push_back(*row);
  if (!row && kept.empty())
    layout.words(tr("Select another cell to keep its row as it is."), ui.theme.dim);
}

void outcome_text(Ui& ui, SolveRows& layout) {
  const SolveState& solve = ui.state.solve;
  if (!solve.problem.empty())
    return layout.words(solve.problem, ui.theme.selected, "solve/problem");
  if (solve.finishing) layout.words(tr("Searching …"), ui.theme.dim, "solve/searching");
  if (!has_answer(ui))
    return layout.words(solve.logit
                            ? tr("Drag the token's line to the right or left, or type the value.")
                            : tr("Drag the cell up or down, or type its value."),
                        ui.theme.dim);
  const attention::Solution& solution = solve.run->found()->solution;
  const auto count = static_cast<long>(solve.run->found()->changes.size());
  if (!solution.reached && !solve.run->searching())
    layout.words(tr("Cannot be reached: came to {}, not {}",
                    {ui.number(solution.values.front()), ui.number(solve.target_value)}),
                 ui.theme.selected, "solve/not_reached");
  layout.words(tr_count("{} number changed; root of the sum of squares: {}",
                        "{} numbers changed; root of the sum of squares: {}", count,
                        {ui.number(solution.size)}),
               ui.theme.text, "solve/outcome");
}

void go_to_change(Ui& ui, const ChangedCell& cell) {
  Index head = ui.state.head;
  if (is_per_head(cell.at.matrix)) {
    head = cell.at.head;
    if (is_per_kv_head(cell.at.matrix)) head *= heads_per_kv_head(ui.problem().config);
    ui.state.head = static_cast<int>(head);
  }
  const bool shared = !is_per_head(cell.at.matrix);
  go_to(ui, {operand_name(cell.at.matrix), shared ? 0 : head, cell.at.row, cell.col});
}

void change_row(Ui& ui, Rect row, std::size_t number, const ChangedCell& cell) {
  if (click_area(ui, "solve/change/" + std::to_string(number), row)) go_to_change(ui, cell);
  if (ImGui::IsItemHovered()) fill_rect(ui, row, ui.theme.button, ui.px(4));
  const std::string numbers = ui.number(cell.before) + " → " + ui.number(cell.after);
  draw_text(ui, ui.fonts.mono, row.cut_right(text_width(ui, ui.fonts.mono, numbers) + ui.px(6)),
            numbers, ui.theme.text, TextAlign::kRight);
  draw_label(ui, row, changed_cell_text(ui.document(), cell), 11.5f, ui.theme.text,
             TextAlign::kLeft);
}

void change_list(Ui& ui, SolveRows& layout) {
  if (!has_answer(ui) || !ui.state.solve.problem.empty()) return;
  const auto& changes = ui.state.solve.run->found()->changes;
  for (std::size_t i = 0; i < std::min(kMostListed, changes.size()); ++i) {
    const Rect row = layout.row(kSolveRow);
    if (layout.draws()) change_row(ui, row, i, changes[i]);
  }
}

float solve_content(Ui& ui, const Rect& area, bool draws) {
  SolveRows layout(ui, area, draws);
  target_row(ui, layout);
  outcome_text(ui, layout);
  change_list(ui, layout);
  free_chips(ui, layout);
  word_chips(ui, layout);
  layout.new_line();
  kept_rows(ui, layout);
  layout.new_line();
  return layout.y();
}

float solve_card_height(Ui& ui, const Rect& column) {
  if (!is_target_there(ui)) return 0;
  const Rect area{0, 0, column.w - ui.px(kSolveSides), 0};
  return solve_content(ui, area, false) + ui.px(kAroundSolve);
}

void solve_card(Ui& ui, const Rect& rect) {
  if (!is_target_there(ui)) return;
  SolveState& solve = ui.state.solve;
  if (std::exchange(solve.opened, false) && !solve.pressed) compat::scroll_into_view(rect);
  const Rect content = card(ui, rect, tr("Drag the answer"), {}, {}, true, ui.px(24));
  const Rect cross{rect.right() - ui.px(30), rect.y + ui.px(7), ui.px(22), ui.px(22)};
  if (button(ui, "solve/close", cross, "×")) return close_answer(ui);
  tooltip(ui, tr("Close; the changes stay"));
  solve_content(ui, content, true);
}

}  // namespace

extern constexpr PanelInfo kSolvePanel{.name = "solve",
                                       .region = PanelRegion::kRight,
                                       .draw = solve_card,
                                       .preferred_height = solve_card_height,
                                       .widgets = "solve/"};

}  // namespace lab::view
