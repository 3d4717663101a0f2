#pragma once

#include <span>
#include <vector>

#include "app/view/state/layout.h"
#include "app/view/state/panel.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// Begins a part of the window that scrolls when its content is higher than `area`; ends with
/// end_column, which is given the height of the content.
void begin_column(const char* name, const Rect& area, ImGuiWindowFlags flags = 0);
/// Ends it; `height` is that of its content, 0 if it does not scroll.
void end_column(const Rect& area, float height);
/// The area for the content of the current column, beside its scroll bar if it has one.
Rect scrolled(Rect area);

/// The height that the columns need so that none of them has to scroll.
float columns_height(Ui& ui, Ui& read, WindowLayout layout);

/// The columns between sentence and status line. `read` refers to the state that is shown: the
/// edited one, or the one it is compared with.
void draw_columns(Ui& ui, Ui& read, WindowLayout layout);

/// A panel of a column: the height it wants and how it yields, in pixels.
struct ColumnSection {
  float preferred_height = 0;  ///< 0: it is absent
  PanelHeight height;
};

/// The heights of the parts of a column of that height, in pixels. Parts without a share get what
/// they want; of the rest, parts with a share below 1 come first, and those with 1 divide the
/// remainder. There are `gap` pixels between two present parts. The total exceeds the column when
/// it is lower than the sum of the least heights.
std::vector<float> column_heights(std::span<const ColumnSection> sections, float column, float gap);

}  // namespace lab::view
