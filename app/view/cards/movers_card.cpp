#include "app/explain/sensitivity_text.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/go_to.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/moves.h"
#include "app/view/maps/navigation.h"
#include "app/view/widgets/fitting.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Sensitivity;

constexpr float kMoverRow = 21, kMoverHeading = 44, kMoverFooter = 18;
constexpr std::size_t kMoverRows = 10;

// Shows the number in the Edit card, in the head that it belongs to.
void go_to_mover(Ui& ui, const Sensitivity& mover) {
  const int sharing = is_per_kv_head(mover.matrix) ? heads_per_kv_head(ui.problem().config) : 1;
  const Index head = is_per_head(mover.matrix) ? mover.head * sharing : ui.state.head;
  if (is_per_head(mover.matrix)) ui.state.head = static_cast<int>(head);
  show_left_column(ui);
  go_to(ui, {operand_name(mover.matrix), head, mover.row, mover.col});
}

void mover_row(Ui& ui, Rect row, const std::string& id, const Sensitivity& mover) {
  if (click_area(ui, id, row)) go_to_mover(ui, mover);
  const bool pointed = is_pointed_at(ui);
  const Index sharing = is_per_kv_head(mover.matrix) ? heads_per_kv_head(ui.problem().config) : 1;
  if (pointed) {
    fill_rect(ui, row, ui.theme.button, ui.px(4));
    light_cell(ui, {operand_name(mover.matrix), mover.head * sharing, mover.row, mover.col});
  }
  tooltip(ui, explain::move_text(ui.moves.name, mover.derivative));
  row = {row.x + ui.px(4), row.y, row.w - ui.px(8), row.h};
  const std::string by = explain::signed_text(mover.derivative);
  draw_text(ui, ui.fonts.mono,
            row.cut_right(std::max(ui.px(58), text_width(ui, ui.fonts.mono, by) + ui.px(4))), by,
            ui.theme.text, TextAlign::kRight);
  row.cut_right(ui.px(6));
  draw_label(ui, row, explain::mover_title(ui.document(), mover), 11.5f,
             pointed ? ui.theme.text : ui.theme.dim, TextAlign::kLeft);
}

bool lists_movers(const Ui& ui) { return shows_moves(ui) && !has_model(ui); }

float movers_height(Ui& ui, const Rect&) {
  if (!lists_movers(ui)) return 0;
  const std::size_t rows = std::max<std::size_t>(1, ui.moves.strongest().size());
  return ui.px(kMoverHeading + kMoverFooter + kMoverRow * static_cast<float>(rows));
}

void movers_card(Ui& ui, const Rect& rect) {
  if (!lists_movers(ui)) return;
  Rect content = card(ui, rect, tr("Moves it most"), tr("derivatives, per +1"));
  const Rect footer = content.cut_bottom(ui.px(kMoverFooter));
  const std::vector<Sensitivity>& movers = ui.moves.strongest();
  for (std::size_t i = 0; i < std::min(movers.size(), kMoverRows); ++i)
    mover_row(ui, content.cut_top(ui.px(kMoverRow)), "movers/" + std::to_string(i + 1), movers[i]);
  if (movers.empty()) {
    const Rect row = content.cut_top(ui.px(kMoverRow));
    ui.name("movers/none", row);
    return draw_text(ui, ui.fonts.text, row, tr("Nothing here moves it."), ui.theme.dim);
  }
  const bool shared = std::ranges::any_of(movers, [&](const Sensitivity& one) {
    return explain::is_shared_vector(ui.document(), one);
  });
  draw_text(ui, ui.fonts.small, footer,
            shared ? tr("By |derivative|; an edit of X moves equal words too")
                   : tr("Inputs and parameters by |derivative|"),
            ui.theme.dim);
}

}  // namespace

extern constexpr PanelInfo kMoversPanel{
    .name = "movers", .place = PanelPlace::kRight, .draw = movers_card, .wanted = movers_height};

}  // namespace lab::view
