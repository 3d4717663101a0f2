#pragma once

#include <span>

#include "app/view/actions/actions.h"

// The tables of actions and helpers to write them; other files use all_actions().

namespace lab::view {

/// The actions of the View menu for the colour ranges of all maps.
std::span<const Action> range_actions();
/// The actions of the Help menu, including lessons; of the Model menu, and what it has of training;
/// of the Heads menu and the Tokens card.
std::span<const Action> help_actions();
/// Those of the Model menu.
std::span<const Action> model_actions();
/// Those of training in the Model menu.
std::span<const Action> training_actions();
/// Those of the Heads menu and the Tokens card.
std::span<const Action> heads_actions();
/// The actions of the Explain menu about what moves a number.
std::span<const Action> sensitivity_actions();
/// The actions of the Edit menu for several sentences.
std::span<const Action> sentence_actions();

/// Shortcuts: none, and a key with its modifiers.
inline constexpr Chord kNoChord{};
/// A key with Ctrl.
constexpr Chord ctrl(Key key) { return {key, true, false}; }
/// A key with Ctrl and Shift.
constexpr Chord ctrl_shift(Key key) { return {key, true, true}; }
/// A key alone.
constexpr Chord plain(Key key) { return {key, false, false}; }
/// A key with Shift.
constexpr Chord shift(Key key) { return {key, false, true}; }
/// A key with Alt.
constexpr Chord alt(Key key) { return {key, false, false, true}; }

/// For a group of mutually exclusive actions: whether one is chosen, and choosing it. `of` returns
/// the setting in the view's state.
template <auto& of, auto choice>
bool is_chosen(const Ui& ui) {
  return of(ui.state) == choice;
}
/// Sets the setting to this choice.
template <auto& of, auto choice>
void choose(Ui& ui) {
  of(ui.state) = choice;
}

/// The record of such a choice, without a shortcut.
template <auto& of, auto choice>
constexpr Action one_of(std::string_view id, std::string_view menu, std::string_view name,
                        bool (*enabled)(const Ui&) = nullptr) {
  return {id, menu, name, kNoChord, enabled, is_chosen<of, choice>, choose<of, choice>};
}

}  // namespace lab::view
