#include <algorithm>
#include <array>

#include "app/document/commands/reducer.h"
#include "app/document/matrix_labels.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/edit_grid.h"
#include "app/view/editor/fills.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/state/ui.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

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
    More{MatrixId::kSink, tr_later("sink"), tr_later("sink"), tr_later("attention sinks are off")},
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

// The tabs of the Edit card and the menu of those that do not fit.
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

constexpr float kAroundGrid = 138;  // height of everything but the grid
constexpr float kBesideGrid = 24;
constexpr float kFiveRows = 5 * 24 + 16;

// "Head 2", or "Heads 3–4" for those that share keys and values.
std::string heads_text(const Document& document, MatrixRef ref) {
  const attention::Config& config = document.problem.config;
  const int sharing = is_per_kv_head(ref.id) ? heads_per_kv_head(config) : 1;
  const Index first = ref.head * sharing;
  if (sharing == 1) return head_title(document, first);
  return tr("Heads {}–{}",
            {head_number(document, first), head_number(document, first + sharing - 1)});
}

// A description of the matrix, followed by its size.
std::string meaning(const Document& document, MatrixRef ref) {
  const std::string head = heads_text(document, ref);
  switch (ref.id) {
    case MatrixId::kX:
      return tr("Embeddings of the tokens");
    case MatrixId::kXKv:
      return tr("Embeddings of the second sentence");
    case MatrixId::kWQ:
      return tr("{} · query projection", {head});
    case MatrixId::kWK:
      return tr("{} · key projection", {head});
    case MatrixId::kWV:
      return tr("{} · value projection", {head});
    case MatrixId::kWO:
      return tr("All heads · output projection");
    case MatrixId::kBQ:
      return tr("{} · query bias", {head});
    case MatrixId::kBK:
      return tr("{} · key bias", {head});
    case MatrixId::kBV:
      return tr("{} · value bias", {head});
    case MatrixId::kBO:
      return tr("All heads · output bias");
    case MatrixId::kPositionTable:
      return tr("Learned positions");
    case MatrixId::kPositionTableKv:
      return tr("Learned positions of keys");
    case MatrixId::kGamma:
      return tr("Layer norm · factors");
    case MatrixId::kBeta:
      return tr("Layer norm · offsets");
    case MatrixId::kNormQ:
      return tr("Norm of queries · factors");
    case MatrixId::kNormK:
      return tr("Norm of keys · factors");
    case MatrixId::kSink:
      return tr("{} · score without a key", {head});
    case MatrixId::kMask:
      return tr("Who sees whom · drag paints");
    case MatrixId::kScoreBias:
      return tr("Added to the scaled scores");
  }
  return {};
}

std::string describe(const Ui& ui, MatrixRef ref) {
  const auto shape = shape_of(ui.edited(), ref);
  const attention::Problem& problem = ui.edited().problem;
  if (ref.id == MatrixId::kPositionTableKv && problem.position_table_kv.empty())
    return tr("Learned, at first those of queries");
  return meaning(ui.edited(), ref) + " · " + std::to_string(shape.rows) + " × " +
         std::to_string(shape.cols);
}

// Not while the window is behind what is edited, or shows A.
attention::SharedMatrix sensitivity_in_grid(Ui& ui, MatrixRef ref) {
  if (ui.state.compare.shown() != nullptr) return {};
  attention::SharedMatrix sensitivity = sensitivity_of(ui, ref);
  return sensitivity.shape() == shape_of(ui.edited(), ref) ? sensitivity
                                                           : attention::SharedMatrix();
}

// What the cells show instead of numbers; of the cursor's cell, its derivative.
std::vector<std::string> describe_sensitivity(Ui& ui, const EditGrid& grid) {
  const Cell cursor = ui.state.edit.cursor;
  const bool here = ui.state.edit.focused && cursor.row < grid.sensitivity.shape().rows &&
                    cursor.col < grid.sensitivity.shape().cols;
  if (!here) return {tr("Derivatives, per +1 of each")};
  return {move_text(ui, grid.ref, cursor), short_move_text(ui, grid.ref, cursor)};
}

EditGrid grid_of(Ui& ui, MatrixRef ref) {
  const Document& document = ui.edited();
  const MatrixId id = ref.id;
  return {ref, shown_matrix(ui, ref),
          [&document, id](Index i) { return matrix_row_label(document, id, i); },
          [&document, id](Index j) { return matrix_column_label(document, id, j); },
          sensitivity_in_grid(ui, ref)};
}

float edit_card_height(Ui& ui, const Rect& column) {
  const EditGrid grid = grid_of(ui, edited_matrix(ui));
  const float width = column.w - ui.px(kBesideGrid);
  return std::max(ui.px(210), ui.px(kAroundGrid) + edit_grid_height(ui, width, grid));
}

void edit_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, tr("Edit"), tr("drag a cell, or type a number"));
  const MatrixRef ref = edited_matrix(ui);
  content.cut_top(ui.px(2));
  matrix_tabs(ui, content.cut_top(ui.px(26)));
  content.cut_top(ui.px(4));
  const EditGrid grid = grid_of(ui, ref);
  const bool sensitivity = !grid.sensitivity.empty();
  const Rect line = content.cut_top(ui.px(20));
  const std::vector<std::string> texts =
      sensitivity ? describe_sensitivity(ui, grid) : std::vector{describe(ui, ref)};
  draw_fitting(ui, ui.fonts.small, line, texts, sensitivity ? ui.theme.accent : ui.theme.dim,
               TextAlign::kLeft);
  if (sensitivity) ui.name("edit/moves", line);
  content.cut_top(ui.px(2));
  fill_row(ui, content.cut_bottom(ui.px(28)));
  content.cut_bottom(ui.px(6));
  edit_grid(ui, content, grid);
}

}  // namespace

extern constexpr PanelInfo kEditPanel{
    .name = "edit",
    .region = PanelRegion::kLeft,
    .draw = edit_card,
    .preferred_height = edit_card_height,
    // The grid shrinks before the column has to scroll, because it scrolls by itself, but five rows
    // stay in view.
    .height = {.least = kAroundGrid + kFiveRows, .ample = 400, .share = 0.62f},
    .of_edited = true,
    .entrance =
        [](const ViewState& state) {
          return "matrix/" + std::string(matrix_name(state.edit.matrix));
        },
    .has_keys = [](const ViewState& state) { return state.edit.focused; },
    .widgets = "matrix/ fill/ tab/"};

}  // namespace lab::view
