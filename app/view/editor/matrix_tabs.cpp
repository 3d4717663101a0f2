#include <algorithm>
#include <array>

#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/editor_panels.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kTabPadding = 12, kLeastTabPadding = 6, kTabGap = 4;
constexpr float kWidestMore = 66;  // for the longest name of the last tab

constexpr const char* kMatrixMenu = "matrices";
constexpr std::array kMatrixTabs{MatrixId::kX, MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV,
                                 MatrixId::kWO};

// A matrix of the menu, and what switches it on when it is absent.
struct More {
  MatrixId id;
  const char* name;
  const char* short_name;  // on the tab
  const char* missing;
};
constexpr std::array kMore{
    More{MatrixId::kMask, tr_later("mask"), tr_later("mask"), ""},
    More{MatrixId::kScoreBias, tr_later("score bias"), tr_later("bias"), ""},
    More{MatrixId::kBQ, "b_Q", "b_Q", tr_later("biases are off")},
    More{MatrixId::kBK, "b_K", "b_K", tr_later("biases are off")},
    More{MatrixId::kBV, "b_V", "b_V", tr_later("biases are off")},
    More{MatrixId::kBO, "b_O", "b_O", tr_later("biases are off")},
    More{MatrixId::kGamma, "gamma", "γ", tr_later("layer norm is off")},
    More{MatrixId::kBeta, "beta", "β", tr_later("layer norm is off")},
    More{MatrixId::kNormQ, "norm_Q", "n_Q", tr_later("norm of Q and K is off")},
    More{MatrixId::kNormK, "norm_K", "n_K", tr_later("norm of Q and K is off")},
    More{MatrixId::kPositionTable, tr_later("positions"), tr_later("pos."),
         tr_later("positions are not learned")},
    More{MatrixId::kPositionTableKv, tr_later("positions of keys"), tr_later("pos. K"),
         tr_later("no second sentence with learned ones")},
    More{MatrixId::kXKv, "X_kv", "X_kv", tr_later("there is no second sentence")},
};

void more_items(Ui& ui) {
  for (const More& more : kMore) {
    const bool there = is_editable(ui.edited().problem, more.id);
    if (menu_item(ui, "tab/" + std::string(matrix_name(more.id)), tr(more.name),
                  there ? "" : tr(more.missing), ui.state.edit.matrix == more.id, there)) {
      show_matrix(ui, more.id);
    }
  }
}

// Shows which matrix of the menu is open, if any.
void more_tab(Ui& ui, const Rect& bounds) {
  const auto shown = std::ranges::find(kMore, ui.state.edit.matrix, &More::id);
  const bool active = shown != kMore.end();
  const std::string name = active ? tr(shown->short_name) : tr("More##matrices");
  if (button(ui, "tab/more", bounds, "", active ? ButtonLook::kActive : ButtonLook::kQuiet))
    open_popup(kMatrixMenu);
  tooltip(ui, tr("Mask, score bias, biases, layer norm, positions, second sentence"));
  const float mark = ui.px(18);
  const Rect words{bounds.x + ui.px(4), bounds.y, bounds.w - mark - ui.px(2), bounds.h};
  draw_text(ui, fitting_font(ui, name, words.w), words, name,
            active ? ui.theme.on_accent : ui.theme.text, TextAlign::kCentre);
  draw_menu_mark(ui, {bounds.right() - mark / 2 - ui.px(1), bounds.y + bounds.h / 2});
  if (!begin_popup(ui, kMatrixMenu, bounds)) return;
  more_items(ui);
  end_popup();
}

// The space around the names of the tabs: less where the last tab would have no room for its name.
float tab_padding(const Ui& ui, float width) {
  float left = width - ui.px(kWidestMore);
  for (const MatrixId id : kMatrixTabs)
    left -= std::ceil(text_width(ui, ui.fonts.text, matrix_name(id))) + ui.px(kTabGap);
  const float tabs = static_cast<float>(kMatrixTabs.size());
  return std::clamp(std::floor(left / tabs), ui.px(kLeastTabPadding), ui.px(kTabPadding));
}

}  // namespace

void matrix_tabs(Ui& ui, Rect row) {
  const float padding = tab_padding(ui, row.w);
  for (const MatrixId id : kMatrixTabs) {
    const std::string name(matrix_name(id));
    const float width = std::ceil(text_width(ui, ui.fonts.text, name)) + padding;
    const bool active = ui.state.edit.matrix == id;
    if (button(ui, "tab/" + name, row.cut_left(width), name,
               active ? ButtonLook::kActive : ButtonLook::kQuiet)) {
      show_matrix(ui, id);
    }
    row.cut_left(ui.px(kTabGap));
  }
  more_tab(ui, row);
}

}  // namespace lab::view
