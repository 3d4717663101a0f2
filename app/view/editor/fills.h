#pragma once

#include <string>

#include "app/view/state/ui.h"

// Ways to fill the matrix in the Edit card: the selected block if it has several cells, otherwise
// the whole matrix. Each is one undo step.

namespace lab::view {

/// The cells that are filled.
CellBlock fill_target(const Ui& ui);

/// What is filled, as text: "W_Q, head 2" or "2 × 3 cells of W_Q, head 2".
std::string fill_target_text(const Ui& ui);

/// Fills it as `type` says. Random numbers come from EditState::fill_seed, which advances to the
/// next seed, so that the next fill differs; the message names the seed.
void fill_cells(Ui& ui, attention::FillType type);

/// Allows the pairs of the mask that are selected, or all.
void allow_pairs(Ui& ui);
/// Removes the painted mask; the mask's rules are kept.
void reset_mask(Ui& ui);
/// Removes the painted mask and the mask's rules, as one undo step; score biases are kept.
void remove_mask(Ui& ui);
/// True when there is a painted mask.
bool has_painted_mask(const Ui& ui);

/// Multiplies by EditState::fill_factor.
void scale_cells(Ui& ui);

/// Swaps rows and columns.
void transpose_cells(Ui& ui);
/// True when there are as many rows as columns.
bool can_transpose(const Ui& ui);

/// Divides each row by its length, so that its squares sum to 1; rows of zeros are unchanged.
void normalise_cells(Ui& ui);

/// The row of buttons below the Edit card's grid, with the menu of all fills.
void fill_row(Ui& ui, Rect row);

/// True unless the matrix is the mask, which does not hold numbers to compute with.
bool holds_numbers(const Ui& ui);

}  // namespace lab::view
