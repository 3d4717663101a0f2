#pragma once

#include <string>
#include <string_view>

#include "app/view/toolkit/rect.h"

namespace lab::view {

struct Ui;
struct ViewState;

/// The parts of the window that panels are stacked in, from top to bottom.
enum class PanelPlace {
  kTop,
  kSentence,
  kTabs,         ///< of the columns, in a narrow window
  kLeft,         ///< scrolls
  kAboveCentre,  ///< stays in view while the centre scrolls
  kCentre,       ///< scrolls
  kAboveRight,  ///< stays in view while the right column scrolls; above the tabs in a narrow window
  kLesson,      ///< the same; in a tab of its own in a narrow window
  kRight,       ///< scrolls
  kStatus
};

/// How a panel of a column takes part in the column's height. One with a share of 0 has what it
/// wants.
struct PanelHeight {
  float least = 0;  ///< points; the column scrolls before the panel gets less
  float ample = 0;  ///< points; it may have so many even where its share is less
  /// What it may have of the height that those with a share of 0 leave. With 1 it has all that the
  /// others leave.
  float share = 0;
};

/// What the window knows of a panel. Each is defined in the panel's own file and listed in
/// window/panels.cpp: the columns, the keyboard, lessons and the tests find it there.
struct PanelInfo {
  /// Stable: lessons hide it by this name, and its widget is "panel/NAME".
  std::string_view name;
  PanelPlace place;
  /// Draws it into `rect`, in window pixels; reads the state, and queues what it asks for.
  void (*draw)(Ui& ui, const Rect& rect);
  /// The height in pixels that all of its content has in a column of that size; 0: it is not there
  /// now. Null: it is always there and wants what it can get.
  float (*wanted)(Ui& ui, const Rect& column) = nullptr;
  PanelHeight height = {};
  bool of_edited = false;  ///< belongs to what is edited, also while A is shown in its place
  /// The widget that the keyboard enters it at before it has been there; null or empty: the first.
  std::string (*entrance)(const ViewState& state) = nullptr;
  /// Whether what is typed goes to it; null: never.
  bool (*has_keys)(const ViewState& state) = nullptr;
  std::string_view widgets = {};  ///< what its widgets' names begin with, divided by blanks
};

/// The panel's place in Ui::panels, which is the order in which the keyboard goes through them.
/// Throws std::out_of_range when there is no panel of that name.
int panel_index(const Ui& ui, std::string_view name);

/// True when the step of a lesson hides the panel of that name.
bool is_hidden(const ViewState& state, std::string_view panel);

/// The height that `panel` wants in a column of that size, in pixels; 0 when it is not there. One
/// that takes what it can get wants the least it can do with.
float wanted_height(Ui& ui, const PanelInfo& panel, const Rect& column);

/// True when nothing of the panels at `place` is there.
bool is_place_empty(Ui& ui, PanelPlace place, const Rect& column);

/// The place of the panel that a widget of that name belongs to; the right column's when no panel
/// has claimed it.
PanelPlace place_of_widget(const Ui& ui, std::string_view widget);

}  // namespace lab::view
