#pragma once

#include <span>

#include "app/view/actions/actions.h"

// What the tables of actions are written with, and the tables themselves; the others read
// all_actions().

namespace lab::view {

/// The actions of the Help menu, lessons among them; of the Model menu; of the Heads menu and the
/// Tokens card.
std::span<const Action> help_actions();
std::span<const Action> model_actions();
std::span<const Action> heads_actions();

/// Shortcuts: none, and a key with what is held with it.
inline constexpr Chord kNoChord{};
constexpr Chord ctrl(Key key) { return {key, true, false}; }
constexpr Chord ctrl_shift(Key key) { return {key, true, true}; }
constexpr Chord plain(Key key) { return {key, false, false}; }
constexpr Chord shift(Key key) { return {key, false, true}; }
constexpr Chord alt(Key key) { return {key, false, false, true}; }

/// Of an action of several, of which one holds: whether it does, and how to make it. `of` finds in
/// the view's state what is chosen.
template <auto& of, auto choice>
bool is_chosen(const Ui& ui) {
  return of(ui.state) == choice;
}
template <auto& of, auto choice>
void choose(Ui& ui) {
  of(ui.state) = choice;
}

/// The record of such a choice, which needs no key.
template <auto& of, auto choice>
constexpr Action one_of(std::string_view id, std::string_view menu, std::string_view name,
                        bool (*enabled)(const Ui&) = nullptr) {
  return {id, menu, name, kNoChord, enabled, is_chosen<of, choice>, choose<of, choice>};
}

}  // namespace lab::view
