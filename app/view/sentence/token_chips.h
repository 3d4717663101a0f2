#pragma once

#include <optional>

#include "app/view/state/ui.h"

namespace lab::view {

/// One chip per token of the first sentence, in a row that scrolls sideways; a click selects the
/// query. Returns the token that is pointed at, if any.
std::optional<attention::Index> token_chips(Ui& ui, const Rect& rect);

/// The same for the second sentence; a click selects the key.
std::optional<attention::Index> key_chips(Ui& ui, const Rect& rect);

}  // namespace lab::view
