#pragma once

#include "app/view/state/layout.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// Begins a part of the window that scrolls when `height` is more than `area` has; ends with
/// end_column, which is told how high its content is.
void begin_column(const char* name, const Rect& area, ImGuiWindowFlags flags = 0);
void end_column(const Rect& area, float height);
/// Where the content of the column that was begun stands, beside its scroll bar if it has one.
Rect scrolled(Rect area);

/// The columns between sentence and status line. `read` is what is read: the state that is being
/// edited, or the one it is compared with.
void draw_columns(Ui& ui, Ui& read, WindowLayout layout);

}  // namespace lab::view
