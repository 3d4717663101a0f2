#pragma once

#include "app/view/state/layout.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// Begins a part of the window that scrolls when its content is higher than `area`; ends with
/// end_column, which is given the height of the content.
void begin_column(const char* name, const Rect& area, ImGuiWindowFlags flags = 0);
void end_column(const Rect& area, float height);
/// The area for the content of the current column, beside its scroll bar if it has one.
Rect scrolled(Rect area);

/// The height that the columns need so that none of them has to scroll.
float columns_height(Ui& ui, Ui& read, WindowLayout layout);

/// The columns between sentence and status line. `read` refers to the state that is shown: the
/// edited one, or the one it is compared with.
void draw_columns(Ui& ui, Ui& read, WindowLayout layout);

}  // namespace lab::view
