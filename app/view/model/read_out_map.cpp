#include "app/view/model/logit_lens.h"

#include <algorithm>
#include <utility>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Stage;
using attention::network::Sublayer;

constexpr float kReadOutRow = 22, kReadOutColumn = 74, kReadOutLabels = 78, kTokenLabels = 18;

Index read_out_rows(const Ui& ui) { return std::ssize(shown_model(ui)->network.stack.blocks) + 1; }

std::string row_name(Index row) {
  return row == 0 ? tr("embedding") : tr("after {}", {"L" + std::to_string(row - 1)});
}

void select(Ui& ui, Index row, Index token) {
  ui.state.selection.query = token;
  const Index layer = std::max<Index>(row - 1, 0);
  ui.queue(intent::GoToLayer{{Sublayer::kSelf, layer}});
}

void read_out_cell(Ui& ui, const Rect& bounds, const LensGrid& grid, Index row, Index token) {
  const std::string id = "lens/" + std::to_string(row) + "/" + std::to_string(token);
  if (click_area(ui, id, bounds)) select(ui, row, token);
  const bool known = row < grid.known_layers();
  const bool pointed = is_pointed_at(ui);
  const bool chosen = token == ui.state.selection.query;
  if (known) {
    const Prediction& top = grid.at(row, token);
    const auto& table = figure::palette_table(shown_palette(ui, Stage::kWeights), ui.theme.dark);
    fill_rect(ui, bounds, figure::colour_of(table, {0, 1}, top.probability), ui.px(2));
    const auto& answer = ui.analysis.answer.value;
    const bool is_answer = answer && answer->token.prediction.id == top.id;
    draw_label(ui, bounds.inset(ui.px(4)), piece_of(ui, top.id), 11.5f,
               ink_on(ui, Stage::kWeights, {0, 1}, top.probability), TextAlign::kCentre, is_answer);
    if (pointed) tooltip(ui, read_out_words(ui, top, row, token));
  }
  if (chosen || pointed)
    frame_rect(ui, bounds, pointed ? ui.theme.text : ui.theme.selected, std::max(1.0f, ui.px(1)),
               ui.px(2));
}

// The names of the layers stay in view while the tokens scroll.
void row_names(Ui& ui, const Rect& area, float top) {
  const Index at = ui.document().layer.at.layer;
  ui.canvas().PushClipRect({area.x, area.y + ui.px(kTokenLabels)}, area.max(), true);
  for (Index row = 0; row < read_out_rows(ui); ++row) {
    const Rect bounds{area.x, top + static_cast<float>(row) * ui.px(kReadOutRow),
                      ui.px(kReadOutLabels - 6), ui.px(kReadOutRow)};
    if (bounds.bottom() < area.y || bounds.y > area.bottom()) continue;
    draw_text(ui, ui.fonts.small, bounds,
              row == 0 ? tr("embedding") : "L" + std::to_string(row - 1),
              row == at + 1 ? ui.theme.accent : ui.theme.dim, TextAlign::kRight);
  }
  ui.canvas().PopClipRect();
}

void read_out_cells(Ui& ui, const Rect& area, const LensGrid& grid) {
  const float x = area.x - ImGui::GetScrollX(), y = area.y - ImGui::GetScrollY();
  const float width = ui.px(kReadOutColumn), height = ui.px(kReadOutRow);
  // Numbers of an earlier text stay until those of this one are known.
  const Index tokens = std::min(grid.rows, ui.document().problem.seq_len());
  for (Index token = 0; token < tokens; ++token) {
    const float left = x + static_cast<float>(token) * width;
    if (left + width < area.x || left > area.right()) continue;
    const bool chosen = token == ui.state.selection.query;
    draw_label(ui, {left, y, width - 2, ui.px(kTokenLabels)}, row_label(ui.document(), token),
               11.5f, chosen ? ui.theme.selected : ui.theme.dim, TextAlign::kCentre, chosen);
    for (Index row = 0; row < grid.layers; ++row)
      read_out_cell(
          ui,
          {left, y + ui.px(kTokenLabels) + static_cast<float>(row) * height, width - 2, height - 2},
          grid, row, token);
  }
}

// The selected token comes into view when the map appears, and when another one is selected.
void scroll_to_token(Ui& ui, float room) {
  const Index token = ui.state.selection.query;
  const bool same = std::exchange(ui.state.model.read_out_at, token) == token;
  if (same && !ImGui::IsWindowAppearing()) return;
  const float width = ui.px(kReadOutColumn), left = static_cast<float>(token) * width;
  const float scrolled = ImGui::GetScrollX();
  if (left < scrolled || left + width > scrolled + room)
    ImGui::SetScrollX(std::max(0.0f, left - (room - width) / 2));
}

}  // namespace

std::string read_out_words(const Ui& ui, const Prediction& top, Index row, Index token) {
  return tr("{}, at “{}”: {} with probability {}",
            {row_name(row), row_label(ui.document(), token), piece_of(ui, top.id),
             explain::format_fixed(top.probability, 3)}) +
         "\n" + tr("Click: select the token and look at the layer");
}

float read_out_height(const Ui& ui) {
  constexpr float kScrollBar = 14;
  return ui.px(kTokenLabels + kScrollBar) +
         static_cast<float>(read_out_rows(ui)) * ui.px(kReadOutRow);
}

void read_out_map(Ui& ui, const Rect& area) {
  ui.requested.lens_of_all_rows = true;
  const auto& part = ui.analysis.lens_of_all_rows;
  if (!part.value)
    return draw_text(ui, ui.fonts.text, area, part.error.empty() ? tr("computing") : tr(part.error),
                     ui.theme.dim);
  Rect cells = area;
  const Rect names = cells.cut_left(ui.px(kReadOutLabels));
  ImGui::SetCursorScreenPos(cells.min());
  compat::begin_child("read_out", {cells.w, cells.h}, false, ImGuiWindowFlags_HorizontalScrollbar);
  scroll_to_token(ui, cells.w);
  const float scrolled = ImGui::GetScrollY();
  read_out_cells(ui, cells, *part.value);
  const auto tokens = static_cast<float>(part.value->rows);
  ImGui::SetCursorScreenPos({cells.x - ImGui::GetScrollX(), cells.y - scrolled});
  ImGui::Dummy({tokens * ui.px(kReadOutColumn), read_out_height(ui) - ui.px(14)});
  ImGui::EndChild();
  row_names(ui, names, cells.y + ui.px(kTokenLabels) - scrolled);
}

}  // namespace lab::view
