#include <array>
#include <chrono>

#include "app/document/reducer.h"
#include "app/view/edit_block.h"
#include "app/view/edit_grid.h"
#include "app/view/edit_keys.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::FillKind;
using attention::Index;

constexpr std::array kTabs{MatrixId::kX, MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV,
                           MatrixId::kWO};

constexpr float kAroundGrid = 154;  // height of everything but the grid's rows
constexpr float kGridRow = 24;

struct FillButton {
  FillKind kind;
  const char* label;
  const char* help;
};
constexpr std::array kFills{
    FillButton{FillKind::kZero, "Zero", "0 everywhere"},
    FillButton{FillKind::kIdentity, "Identity", "1 on the diagonal"},
    FillButton{FillKind::kNormal, "Normal",
               "Random numbers around 0, deviation 1; other ones each time"},
    FillButton{FillKind::kXavier, "Xavier",
               "Random in ±√(6 / (rows + columns)); other ones each time"},
};

// "Head 2", or "Heads 3–4" for those that share keys and values.
std::string heads_text(const attention::Config& config, MatrixRef ref) {
  const int sharing = is_per_kv_head(ref.id) ? config.n_heads / kv_head_count(config) : 1;
  const std::string first = std::to_string(ref.head * sharing + 1);
  if (sharing == 1) return "Head " + first;
  return "Heads " + first + "–" + std::to_string((ref.head + 1) * sharing);
}

std::string describe(const Ui& ui, MatrixRef ref) {
  const auto shape = shape_of(ui.document(), ref);
  const std::string size = std::to_string(shape.rows) + " × " + std::to_string(shape.cols);
  const std::string head = heads_text(ui.problem().config, ref) + " · ";
  switch (ref.id) {
    case MatrixId::kX:
      return "Embeddings of the tokens · " + size;
    case MatrixId::kWQ:
      return head + "query projection · " + size;
    case MatrixId::kWK:
      return head + "key projection · " + size;
    case MatrixId::kWV:
      return head + "value projection · " + size;
    default:
      return "All heads · output projection · " + size;
  }
}

// Row i of W_O belongs to one feature of one head's output.
std::string concat_feature(const Document& document, Index i) {
  const int d_v = document.problem.config.d_v;
  return "h" + std::to_string(i / d_v + 1) + "." + std::to_string(i % d_v);
}

EditGrid grid_of(Ui& ui, MatrixRef ref) {
  const Document& document = ui.document();
  const auto dimension = [&document](Index d) { return dimension_label(document, d); };
  const auto number = [](Index i) { return std::to_string(i); };
  EditGrid grid{ref, shown_matrix(ui, ref), dimension, number};
  if (ref.id == MatrixId::kX)
    grid.row_label = [&document](Index i) { return row_label(document, i); };
  if (ref.id == MatrixId::kWO)
    grid.row_label = [&document](Index i) { return concat_feature(document, i); };
  if (ref.id == MatrixId::kX || ref.id == MatrixId::kWO) grid.col_label = dimension;
  return grid;
}

void tabs(Ui& ui, Rect row) {
  for (const MatrixId id : kTabs) {
    const std::string name(matrix_name(id));
    const float width = text_width(ui, ui.fonts.text, name) + ui.px(20);
    const bool active = ui.state.edit.matrix == id;
    if (button(ui, "tab/" + name, row.cut_left(width), name,
               active ? ButtonLook::kActive : ButtonLook::kQuiet)) {
      ui.state.edit.matrix = id;
      ui.state.edit.typing.reset();
      ui.queue(intent::Cancel{});
    }
    row.cut_left(ui.px(6));
  }
}

std::uint64_t fresh_seed() {
  return static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) %
         1'000'000;
}

void fill_buttons(Ui& ui, Rect row, MatrixRef ref) {
  const float gap = ui.px(6);
  const float width = std::floor((row.w - gap * (kFills.size() - 1)) / kFills.size());
  for (const FillButton& fill : kFills) {
    if (button(ui, "fill/" + std::string(fill_name(fill.kind)), row.cut_left(width), fill.label)) {
      ui.queue(intent::Apply{FillMatrix{ref, fill.kind, fresh_seed()}});
    }
    tooltip(ui, fill.help);
    row.cut_left(gap);
  }
}

}  // namespace

float edit_card_height(const Ui& ui) {
  const MatrixRef ref{ui.state.edit.matrix, 0};
  const auto rows = static_cast<float>(shape_of(ui.document(), ref).rows);
  return ui.px(kAroundGrid) + rows * ui.px(kGridRow);
}

void edit_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, "Edit", "drag a cell, or type a number");
  const MatrixRef ref = edited_matrix(ui);
  content.cut_top(ui.px(2));
  tabs(ui, content.cut_top(ui.px(26)));
  content.cut_top(ui.px(4));
  draw_text(ui, ui.fonts.small, content.cut_top(ui.px(20)), describe(ui, ref), ui.theme.dim);
  content.cut_top(ui.px(2));
  fill_buttons(ui, content.cut_bottom(ui.px(28)), ref);
  content.cut_bottom(ui.px(6));
  edit_grid(ui, content, grid_of(ui, ref));
}

}  // namespace lab
