#pragma once

#include <string>
#include <string_view>

#include "app/view/toolkit/rect.h"

namespace lab::view {

struct Ui;
struct ViewState;

/// The parts of the window in which panels are stacked from top to bottom.
enum class PanelRegion {
  kTop,
  kSentence,
  kTabs,         ///< the tabs of the columns, in a narrow window
  kLeft,         ///< scrolls
  kAboveCentre,  ///< stays in view while the centre scrolls
  kCentre,       ///< scrolls
  kAboveRight,  ///< stays in view while the right column scrolls; above the tabs in a narrow window
  kLesson,      ///< the same; in a tab of its own in a narrow window
  kRight,       ///< scrolls
  kStatus
};

/// The documents that a panel is about; it is absent while another one is open.
enum class PanelOf {
  kAny,
  kByHand,    ///< layers made by hand
  kModel,     ///< trained models, also while they are trained
  kTraining,  ///< networks that are trained here
};

/// How a panel shares the height of its column. One with a share of 0 gets the height it wants.
struct PanelHeight {
  float least = 0;  ///< points; the column scrolls rather than give the panel less
  float ample = 0;  ///< points; it may use this much even if its share is less
  /// Its fraction of the height left by panels with a share of 0. With 1 it gets all that the
  /// others leave.
  float share = 0;
};

/// The description of a panel. Each is defined in the panel's own file and listed in
/// window/panels.cpp, where the columns, the keyboard, lessons and the tests find it.
struct PanelInfo {
  /// Stable: lessons hide it by this name, and its widget is "panel/NAME".
  std::string_view name;
  PanelRegion region;
  PanelOf of = PanelOf::kAny;
  /// Draws it into `rect`, in window pixels; reads the state, and queues intents.
  void (*draw)(Ui& ui, const Rect& rect);
  /// The height in pixels of all its content in a column of that size; 0: it is currently absent.
  /// Null: it is always present and takes all available height.
  float (*preferred_height)(Ui& ui, const Rect& column) = nullptr;
  PanelHeight height = {};
  bool of_edited = false;  ///< belongs to the edited state, even while A is shown instead
  /// The widget at which the keyboard first enters it; null or empty: the first.
  std::string (*entrance)(const ViewState& state) = nullptr;
  /// Whether it receives what is typed; null: never.
  bool (*has_keys)(const ViewState& state) = nullptr;
  std::string_view widgets = {};  ///< prefixes of the names of its widgets, separated by blanks
};

/// The panel's index in Ui::panels, which is the order in which the keyboard goes through them.
/// Throws std::out_of_range when there is no panel of that name.
int panel_index(const Ui& ui, std::string_view name);

/// True when the step of a lesson hides the panel of that name.
bool is_hidden(const ViewState& state, std::string_view panel);

/// The height that `panel` wants in a column of that size, in pixels; 0 when it is absent. For one
/// that takes all available height, its least height.
float preferred_height(Ui& ui, const PanelInfo& panel, const Rect& column);

/// True when all panels of `region` are absent in `column`.
bool is_region_empty(Ui& ui, PanelRegion region, const Rect& column);

/// The region of the panel that a widget of that name belongs to; the right column when no panel
/// has claimed it.
PanelRegion region_of_widget(const Ui& ui, std::string_view widget);

}  // namespace lab::view
