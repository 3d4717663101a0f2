#pragma once

#include "app/view/ui.h"

namespace lab {

/// What the picture shows, a line each.
void figure_kind_rows(Ui& ui);

/// How it looks: format, size, colours and what is drawn.
void figure_option_rows(Ui& ui);

}  // namespace lab
