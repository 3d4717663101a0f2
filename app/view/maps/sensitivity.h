#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/sensitivity_maps.h"

// "What moves this?": the maps show d(asked number) / d(number) in place of the numbers.

namespace lab::view {

/// Asks what moves the selected cell, or the answer of a trained model; or ends that.
void toggle_sensitivity(Ui& ui);
/// Asks about the selected cell, also in a trained model.
void ask_about_selected(Ui& ui);
/// Asks about the answer. Precondition: a trained model is shown.
void ask_about_answer(Ui& ui);
/// A step of the frame (main_view.cpp), before the panels: the question follows the selection
/// unless it is held, or an input is selected, which nothing moves; what moves the number is
/// computed if it is not known.
void follow_sensitivity(Ui& ui);

/// True when the maps show what moves a number.
bool shows_sensitivity(const Ui& ui);
/// True when `cell` is the one that is asked about.
bool is_asked(const Ui& ui, const attention::CellRef& cell);

/// Makes the map of its stage, that of `head`, show what moves the number: signed colours in a
/// range of their own, which the colour bar says. Precondition: shows_sensitivity().
void show_sensitivity(Ui& ui, HeatMap& map, int head);
/// The same for thumbnails, whose range is that of all heads.
void show_sensitivity_of_heads(Ui& ui, HeatMap& map, int head);
/// The derivative of the number by each number of an edited matrix; empty when the maps show
/// numbers, or where there is no derivative.
attention::SharedMatrix sensitivity_of(const Ui& ui, MatrixRef ref);

/// What is shown with what moves the number in place of the numbers, for files; see
/// gradient_snapshot(). Precondition: shows_sensitivity().
Snapshot sensitivity_snapshot(const Ui& ui);

/// Markup for the heading of a card, from the longest on: "∂ weights[it, animal] / ∂ Q"; of the
/// focused head, "∂ = 0" where its stage does not move the number.
std::vector<std::string> sensitivity_formulas(const Ui& ui, attention::Stage stage);
/// What +0.01 on the cell of a stage does, "+0.01 here moves … by +0.0034": of an input what an
/// edit does, with all equal words. Empty when that is not known, or it is the one asked about.
std::string move_text(const Ui& ui, attention::Stage stage, Cell cell);
/// The same for a number of an edited matrix.
std::string move_text(const Ui& ui, MatrixRef ref, Cell cell);
/// The same in few words.
std::string short_move_text(const Ui& ui, MatrixRef ref, Cell cell);

}  // namespace lab::view
