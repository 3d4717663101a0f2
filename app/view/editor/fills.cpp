#include "app/view/editor/fills.h"

#include "app/document/commands/reducer.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"

namespace lab::view {

using attention::FillType;
using attention::Matrix;

namespace {

bool is_whole(const Ui& ui) { return selected_block(ui).is_cell(); }

bool is_random(FillType type) { return type == FillType::kNormal || type == FillType::kXavier; }

void replace_cells(Ui& ui, Matrix values, StepLabel label) {
  queue_step(ui, set_numbers(ui, fill_target(ui), std::move(values)), std::move(label));
}

// Names the cells that a fill changes.
StepLabel target_name(const Ui& ui) {
  const MatrixRef ref = edited_matrix(ui);
  if (is_whole(ui)) return [ref] { return matrix_label(ref); };
  return [ref, block = selected_block(ui)] {
    return tr("{} × {} cells of {}",
              {std::to_string(block.rows), std::to_string(block.cols), matrix_label(ref)});
  };
}

// `words` with the target's name.
StepLabel of_target(const Ui& ui, const char* words) {
  return [words, target = target_name(ui)] { return tr(words, {target()}); };
}

}  // namespace

CellBlock fill_target(const Ui& ui) {
  if (!is_whole(ui)) return selected_block(ui);
  const attention::Shape shape = shape_of(ui.edited(), edited_matrix(ui));
  return {0, 0, shape.rows, shape.cols};
}

std::string fill_target_text(const Ui& ui) { return target_name(ui)(); }

void fill_cells(Ui& ui, FillType type) {
  EditState& edit = ui.state.edit;
  const std::uint64_t seed = edit.fill_seed;
  const FillMatrix whole{edited_matrix(ui), type, seed};
  const CellBlock target = fill_target(ui);
  const bool filled =
      is_whole(ui)
          ? queue_step(ui, whole)
          : queue_step(
                ui,
                set_numbers(ui, target, attention::filled(type, {target.rows, target.cols}, seed)),
                [whole] { return command_label(whole); });
  if (!filled || !is_random(type)) return;
  ++edit.fill_seed;
  ui.state.notice = tr("Filled with seed {}", {std::to_string(seed)});
}

void allow_pairs(Ui& ui) {
  const CellBlock target = fill_target(ui);
  replace_cells(ui, Matrix::Ones(target.rows, target.cols), [] { return tr("Allow pairs"); });
}

namespace {

std::string lost_painting_text(const Matrix& allowed) {
  const auto forbidden = static_cast<long>((allowed.array() == 0).count());
  return tr_count("The painted mask was removed, with {} forbidden pair. Undo brings it back.",
                  "The painted mask was removed, with {} forbidden pairs. Undo brings it back.",
                  forbidden);
}

}  // namespace

void reset_mask(Ui& ui) { ui.queue(intent::Apply{FillMask{true}}); }

void remove_mask(Ui& ui) {
  const SetMask no_rules{false, 0, 0};
  if (!has_painted_mask(ui)) return ui.queue(intent::Apply{no_rules});
  // The key is unique, so that exactly these two steps are merged.
  const std::string key = "remove mask " + std::to_string(ui.workspace.history().state_id());
  const StepLabel label = [] { return tr("Mask none"); };
  ui.state.notice = lost_painting_text(*ui.edited().problem.allowed);
  ui.queue(intent::ApplyMerged{FillMask{true}, key, label});
  ui.queue(intent::ApplyMerged{no_rules, key, label});
}

bool has_painted_mask(const Ui& ui) { return !ui.edited().problem.allowed.empty(); }

void scale_cells(Ui& ui) {
  const float factor = ui.state.edit.fill_factor;
  replace_cells(ui, block_numbers(ui, fill_target(ui)) * factor,
                [factor, target = target_name(ui)] {
                  return tr("Scale {} by {}", {target(), explain::format_significant(factor, 4)});
                });
}

bool can_transpose(const Ui& ui) {
  const CellBlock target = fill_target(ui);
  return target.rows == target.cols && target.rows > 1;
}

void transpose_cells(Ui& ui) {
  replace_cells(ui, block_numbers(ui, fill_target(ui)).transpose(),
                of_target(ui, tr_later("Transpose {}")));
}

void normalise_cells(Ui& ui) {
  Matrix values = block_numbers(ui, fill_target(ui));
  for (auto row : values.rowwise()) row = row.stableNormalized().eval();
  replace_cells(ui, std::move(values), of_target(ui, tr_later("Normalise rows of {}")));
}

bool holds_numbers(const Ui& ui) { return ui.state.edit.matrix != MatrixId::kMask; }

}  // namespace lab::view
