#include "app/view/editor/edit_block.h"

#include <imgui.h>

#include <algorithm>

#include "app/document/commands/reducer.h"
#include "app/translation/words.h"
#include "app/view/editor/block_text.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"

namespace lab::view {

using attention::Matrix;

namespace {

std::string size_text(const Matrix& numbers) {
  return std::to_string(numbers.rows()) + " × " + std::to_string(numbers.cols());
}

// The value of a cleared cell.
float cleared_value(MatrixId id) { return id == MatrixId::kMask ? 1.0f : 0.0f; }

Matrix constant(const CellBlock& block, float value) {
  return Matrix::Constant(block.rows, block.cols, value);
}

void show_block(Ui& ui, const CellBlock& block) {
  const Cell last{block.row + block.rows - 1, block.col + block.cols - 1};
  select_block(ui.state.edit, last, {block.row, block.col});
}

}  // namespace

MatrixRef edited_matrix(const Ui& ui) {
  const MatrixId id = ui.state.edit.matrix;
  const attention::Config& config = ui.edited().problem.config;
  const int head = std::min(ui.state.head, config.n_heads - 1);
  if (is_per_kv_head(id)) return {id, kv_head_of(config, head)};
  return {id, is_per_head(id) ? head : 0};
}

bool is_editable(const attention::Problem& problem, MatrixId id) {
  return attention::is_in_use(problem, id);
}

void show_left_column(Ui& ui) {
  leave_present(ui.state);
  ui.state.side_tab = SideTab::kEdit;
}

void show_matrix(Ui& ui, MatrixId id) {
  leave_field(ui);
  show_left_column(ui);
  ui.state.edit.matrix = id;
  ui.state.edit.block.reset();
}

attention::SharedMatrix shown_matrix(Ui& ui, MatrixRef ref) {
  const attention::SharedMatrix& matrix = matrix_of(ui.edited(), ref);
  if (matrix.shape() == shape_of(ui.edited(), ref)) return matrix;
  // The same matrix as long as its numbers do not change, so that it is uploaded once.
  Matrix numbers = shown_numbers(ui.edited(), ref);
  attention::SharedMatrix& kept = ui.state.edit.absent;
  const bool same = kept.shape() == attention::Shape{numbers.rows(), numbers.cols()};
  if (!same || *kept != numbers) kept = attention::SharedMatrix(std::move(numbers));
  return kept;
}

CellBlock selected_block(const Ui& ui) {
  const attention::Shape shape = shape_of(ui.edited(), edited_matrix(ui));
  CellBlock block = selected_block(ui.state.edit);
  block.row = std::min(block.row, shape.rows - 1);
  block.col = std::min(block.col, shape.cols - 1);
  block.rows = std::min(block.rows, shape.rows - block.row);
  block.cols = std::min(block.cols, shape.cols - block.col);
  return block;
}

Matrix block_numbers(const Ui& ui, const CellBlock& block) {
  const attention::SharedMatrix matrix = effective_matrix(ui.edited(), edited_matrix(ui));
  return matrix->block(block.row, block.col, block.rows, block.cols);
}

Command set_numbers(const Ui& ui, const CellBlock& block, Matrix values) {
  const MatrixRef ref = edited_matrix(ui);
  const auto row = static_cast<int>(block.row), col = static_cast<int>(block.col);
  if (values.size() == 1) return SetCell{ref, row, col, values(0, 0)};
  return SetBlock{ref, row, col, std::move(values)};
}

bool queue_step(Ui& ui, const Command& command, StepLabel label) {
  ui.queue(intent::Cancel{});
  auto dry_run = ui.attempt(command);
  if (!dry_run) {
    ui.state.error = dry_run.error().message;
    return false;
  }
  ui.queue(intent::Preview{command, std::move(*dry_run)});
  ui.queue(intent::Commit{std::move(label)});
  return true;
}

void copy_numbers(Ui& ui, const Matrix& numbers) {
  ImGui::SetClipboardText(block_text(numbers).c_str());
  ui.state.notice =
      numbers.size() == 1 ? tr("1 number copied") : tr("{} numbers copied", {size_text(numbers)});
}

void copy_block(Ui& ui) { copy_numbers(ui, block_numbers(ui, selected_block(ui))); }

void cut_block(Ui& ui) {
  copy_block(ui);
  const CellBlock block = selected_block(ui);
  const MatrixRef ref = edited_matrix(ui);
  queue_step(ui, set_numbers(ui, block, constant(block, cleared_value(ref.id))),
             [ref] { return tr("Cut from {}", {matrix_label(ref)}); });
}

void paste_block(Ui& ui) {
  const char* clipboard = ImGui::GetClipboardText();
  auto numbers = read_block_text(clipboard == nullptr ? "" : clipboard);
  if (!numbers) {
    ui.state.error = numbers.error().message;
    return;
  }
  CellBlock block = selected_block(ui);
  if (block.rows % numbers->rows() == 0 && block.cols % numbers->cols() == 0) {
    *numbers =
        numbers->replicate(block.rows / numbers->rows(), block.cols / numbers->cols()).eval();
  }
  block.rows = numbers->rows();
  block.cols = numbers->cols();
  const auto label = [size = size_text(*numbers), ref = edited_matrix(ui)] {
    return tr("Paste {} into {}", {size, matrix_label(ref)});
  };
  if (queue_step(ui, set_numbers(ui, block, std::move(*numbers)), label)) show_block(ui, block);
}

void clear_block(Ui& ui) {
  const CellBlock block = selected_block(ui);
  ui.queue(
      intent::Apply{set_numbers(ui, block, constant(block, cleared_value(ui.state.edit.matrix)))});
}

void fill_block(Ui& ui, float value) {
  const CellBlock block = selected_block(ui);
  ui.queue(intent::Apply{set_numbers(ui, block, constant(block, value))});
}

void select_all(Ui& ui) {
  const attention::Shape shape = shape_of(ui.edited(), edited_matrix(ui));
  select_block(ui.state.edit, {shape.rows - 1, shape.cols - 1}, {0, 0});
  ui.state.edit.focused = true;
}

bool grid_has_keys(const Ui& ui) {
  return ui.state.edit.focused && !ui.state.edit.typing && ui.state.dialog.open == Dialog::kNone &&
         !popup_has_keys(ui) && !compat::text_field_has_keys() && !is_dragging(ui);
}

}  // namespace lab::view
