#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "app/view/cards/heads_views.h"
#include "app/view/editor/override_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

constexpr int kStatusDecimals = 4;

// " · only in B" for a cell with a word that A lacks; empty when both have its words.
std::string missing_text(Cell a, Cell b) {
  if (!is_in_both(a)) return " · " + tr("only in B");
  return is_in_both(b) ? std::string() : " · " + tr("only in A");
}

// " · A 0.6501 · B 0.7004 · B − A 0.0503" of the same words in both, and "—" where they are not.
std::string compared_text(const Ui& ui, attention::Stage stage, Cell cell) {
  const ComparedStage compared = compared_stage(ui, stage, ui.state.head);
  const bool of_a = ui.kept != nullptr;
  const Cell a = of_a ? cell : cell_of_a(ui, stage, cell);
  const Cell b = of_a ? cell_of_b(ui, stage, cell) : cell;
  const auto number = [&](float value) { return ui.number(value, kStatusDecimals); };
  const auto value = [&](const char* name, const attention::SharedMatrix* matrix, Cell at) {
    const std::string start = std::string(" · ") + name + " ";
    if (!is_in_both(at)) return start + "—";
    const bool there =
        matrix != nullptr && at.row < (*matrix)->rows() && at.col < (*matrix)->cols();
    return start + (there ? number((**matrix)(at.row, at.col)) : tr("has no such cell"));
  };
  std::string text = value("A", compared.a, a) + value("B", compared.b, b);
  if (!is_in_both(a) || !is_in_both(b)) return text + missing_text(a, b);
  if (!compared.fits()) return text;
  return text + " · B − A " + number((**compared.b)(b.row, b.col) - (**compared.a)(a.row, a.col));
}

std::string cell_text(Ui& ui, attention::Stage stage, Cell cell) {
  const auto& matrix = *stage_matrix(ui.problem(), ui.trace(), stage, ui.state.head);
  if (cell.row >= matrix.rows() || cell.col >= matrix.cols()) return {};
  const Document& document = ui.document();
  const auto label_and_index = [](const std::string& label, attention::Index i) {
    return label == std::to_string(i) ? label : isolated(label) + " (" + std::to_string(i) + ")";
  };
  const bool together = shows_heads_together(ui, stage) && !shows_sensitivity(ui);
  const std::string name = name_in_words(stage_name(stage));
  const std::string row = label_and_index(row_label(document, stage, cell.row), cell.row);
  const std::string column = label_and_index(column_label(document, stage, cell.col), cell.col);
  const std::string text = is_per_head(stage) && !together
                               ? head_title(document, ui.state.head) + " · " +
                                     tr("{} · row {} · column {}", {name, row, column})
                               : tr("{} · row {} · column {}", {name, row, column});
  if (together) return text + " · " + heads_view_value(ui, stage, cell);
  if (ui.state.compare.a) return text + compared_text(ui, stage, cell);
  const std::string sensitivity = move_text(ui, stage, cell);
  return text + " · " + ui.number(matrix(cell.row, cell.col), kStatusDecimals) +
         (sensitivity.empty() ? "" : " · " + sensitivity);
}

std::string time_text(double microseconds) {
  if (microseconds < 1000)
    return explain::format_fixed(static_cast<float>(microseconds), 0) + " µs";
  return explain::format_fixed(static_cast<float>(microseconds / 1000), 1) + " ms";
}

std::string recomputed_text(const EvaluationReport& report) {
  const auto heads = report.recomputed.heads.size();
  const std::string time = time_text(report.microseconds);
  if (report.recomputed.stages == 0) return tr("nothing to recompute");
  if (heads == 0) return tr("recomputed the output in {}", {time});
  return tr_count("recomputed {} head in {}", "recomputed {} heads in {}", static_cast<long>(heads),
                  {time});
}

bool would_be_lost(const Ui& ui) {
  return ui.workspace.own().has_unsaved_steps() && !ui.state.recovery.edits_kept;
}

std::string saved_text(const Ui& ui) {
  if (ui.workspace.work_suspended()) return tr("lesson — your work is kept");
  const std::string& path = ui.workspace.path();
  const bool lost = would_be_lost(ui), modified = ui.workspace.modified();
  if (path.empty() && !modified) return tr("nothing to save");
  if (path.empty())
    return lost ? tr("changed — not saved, a crash would lose it") : tr("changed — not saved");
  const std::string name = isolated(files::file_name_of(path));
  if (!modified) return tr("{} — saved", {name});
  return lost ? tr("{} — changed, a crash would lose it", {name}) : tr("{} — changed", {name});
}

}  // namespace

void message_above(Ui& ui, const Rect& rect) {
  const std::string refused = in_words_of_labels(ui.workspace.message());
  const std::string& error = ui.state.error.empty() ? refused : ui.state.error;
  const std::string& text = error.empty() ? ui.state.notice : error;
  if (text.empty()) return;
  const figure::Rgb colour = error.empty() ? ui.theme.accent : ui.theme.danger;
  const float font_size = compat::font_size(*ui.fonts.text);
  const float room = rect.w - ui.px(24 + 28);  // longer text is wrapped
  const ImVec2 size = ui.fonts.text->CalcTextSizeA(font_size, FLT_MAX, room, text.data(),
                                                   text.data() + text.size());
  const float width = std::ceil(size.x) + ui.px(28), height = size.y - font_size + ui.px(34);
  const float below = std::min(rect.y, ImGui::GetIO().DisplaySize.y);
  const Rect box{rect.x + (rect.w - width) / 2, below - ui.px(10) - height, width, height};
  ui.name("message", box);
  ImDrawList& top = *ImGui::GetForegroundDrawList();
  top.AddRectFilled(box.min(), box.max(), pack(colour), ui.px(8));
  const figure::Rgb ink =
      figure::needs_dark_text(colour) ? figure::Rgb{20, 22, 26} : figure::Rgb{255, 255, 255};
  const ImVec4 clip{box.x, box.y, box.right() - ui.px(8), box.bottom()};
  top.AddText(ui.fonts.text, font_size,
              {box.x + ui.px(14), box.y + std::floor((box.h - size.y) / 2)}, pack(ink), text.data(),
              text.data() + text.size(), room, &clip);
}

namespace {

// The selection, what was recomputed, the number of scores, and whether the session is saved.
void status_bar(Ui& ui, const Rect& whole) {
  fill_rect(ui, whole, ui.theme.card);
  fill_rect(ui, {whole.x, whole.y, whole.w, 1}, ui.theme.line);
  message_above(ui, whole);
  Rect rect{whole.x + ui.px(14), whole.y, whole.w - ui.px(28), whole.h};
  const std::string saved = saved_text(ui);
  const Rect saved_rect = rect.cut_right(text_width(ui, ui.fonts.small, saved));
  draw_text(ui, ui.fonts.small, saved_rect, saved,
            would_be_lost(ui) ? ui.theme.danger : ui.theme.dim);
  rect.cut_right(ui.px(20));
  busy_bar(ui, rect);
  overrides_button(ui, rect);
  const Selection& selection = ui.state.selection;
  const Cell selected = selected_cell(selection);
  std::string cell = ui.state.hovered
                         ? cell_text(ui, ui.state.hovered->stage, ui.state.hovered->cell)
                         : cell_text(ui, selection.stage, selected);
  if (std::string keys = focus_hint(ui); !keys.empty()) cell = std::move(keys);
  const auto pairs = ui.problem().seq_len() * ui.problem().kv_len();
  const std::string cost = ui.problem().cross()
                               ? tr("n · m = {} scores per head", {std::to_string(pairs)})
                               : tr("n² = {} scores per head", {std::to_string(pairs)});
  const float cell_width = text_width(ui, ui.fonts.small, cell);
  draw_text(ui, ui.fonts.small, {rect.x, rect.y, std::min(cell_width + 1, rect.w), rect.h}, cell,
            ui.theme.dim);
  rect.cut_left(cell_width + ui.px(24));
  for (const std::string& part : {recomputed_text(ui.workspace.report()), cost}) {
    const float width = text_width(ui, ui.fonts.small, part);
    if (rect.w < width) break;
    draw_text(ui, ui.fonts.small, {rect.x, rect.y, width + 1, rect.h}, part, ui.theme.dim);
    rect.cut_left(width + ui.px(24));
  }
}

}  // namespace

extern constexpr PanelInfo kStatusPanel{
    .name = "status", .region = PanelRegion::kStatus, .draw = status_bar};

}  // namespace lab::view
