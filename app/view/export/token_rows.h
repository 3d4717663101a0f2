#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// Which tokens the figures show, under which names, and which labels and letters are written.
void token_rows(Ui& ui);

}  // namespace lab::view
