#include "app/explain/sensitivity_text.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/go_to.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Sensitivity;

constexpr float kContributorRow = 21, kContributorHeading = 44, kContributorFooter = 18;
constexpr std::size_t kContributorRows = 10;

// Shows the number in the Edit card, in the head that it belongs to.
void go_to_contributor(Ui& ui, const Sensitivity& contributor) {
  const int sharing =
      is_per_kv_head(contributor.matrix) ? heads_per_kv_head(ui.problem().config) : 1;
  const Index head = is_per_head(contributor.matrix) ? contributor.head * sharing : ui.state.head;
  if (is_per_head(contributor.matrix)) ui.state.head = static_cast<int>(head);
  show_left_column(ui);
  go_to(ui, {operand_name(contributor.matrix), head, contributor.row, contributor.col});
}

void contributor_row(Ui& ui, Rect row, const std::string& id, const Sensitivity& contributor) {
  if (click_area(ui, id, row)) go_to_contributor(ui, contributor);
  const bool pointed = is_pointed_at(ui);
  const Index sharing =
      is_per_kv_head(contributor.matrix) ? heads_per_kv_head(ui.problem().config) : 1;
  if (pointed) {
    fill_rect(ui, row, ui.theme.button, ui.px(4));
    light_cell(ui, {operand_name(contributor.matrix), contributor.head * sharing, contributor.row,
                    contributor.col});
  }
  tooltip(ui, explain::move_text(ui.sensitivity.name, contributor.derivative));
  row = {row.x + ui.px(4), row.y, row.w - ui.px(8), row.h};
  const std::string by = explain::signed_text(contributor.derivative);
  draw_text(ui, ui.fonts.mono,
            row.cut_right(std::max(ui.px(58), text_width(ui, ui.fonts.mono, by) + ui.px(4))), by,
            ui.theme.text, TextAlign::kRight);
  row.cut_right(ui.px(6));
  draw_label(ui, row, explain::contributor_title(ui.document(), contributor), 11.5f,
             pointed ? ui.theme.text : ui.theme.dim, TextAlign::kLeft);
}

float contributors_height(Ui& ui, const Rect&) {
  if (!shows_sensitivity(ui)) return 0;
  const std::size_t rows = std::max<std::size_t>(1, ui.sensitivity.strongest().size());
  return ui.px(kContributorHeading + kContributorFooter +
               kContributorRow * static_cast<float>(rows));
}

void contributors_card(Ui& ui, const Rect& rect) {
  if (!shows_sensitivity(ui)) return;
  Rect content = card(ui, rect, tr("Moves it most"), tr("derivatives, per +1"));
  const Rect footer = content.cut_bottom(ui.px(kContributorFooter));
  const std::vector<Sensitivity>& contributors = ui.sensitivity.strongest();
  for (std::size_t i = 0; i < std::min(contributors.size(), kContributorRows); ++i)
    contributor_row(ui, content.cut_top(ui.px(kContributorRow)), "movers/" + std::to_string(i + 1),
                    contributors[i]);
  if (contributors.empty()) {
    const Rect row = content.cut_top(ui.px(kContributorRow));
    ui.name("movers/none", row);
    return draw_text(ui, ui.fonts.text, row, tr("Nothing here moves it."), ui.theme.dim);
  }
  const bool shared = std::ranges::any_of(contributors, [&](const Sensitivity& one) {
    return explain::is_shared_vector(ui.document(), one);
  });
  draw_text(ui, ui.fonts.small, footer,
            shared ? tr("By |derivative|; an edit of X moves equal words too")
                   : tr("Inputs and parameters by |derivative|"),
            ui.theme.dim);
}

}  // namespace

extern constexpr PanelInfo kContributorsPanel{.name = "movers",
                                              .region = PanelRegion::kRight,
                                              .of = PanelOf::kByHand,
                                              .draw = contributors_card,
                                              .preferred_height = contributors_height};

}  // namespace lab::view
