#include "app/document/commands/reducer.h"
#include "app/document/matrix_labels.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/edit_grid.h"
#include "app/view/editor/editor_panels.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

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
