#pragma once

#include <optional>
#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// A number that can be edited in place: shows `shown`, and after a click a field that contains
/// `full`. `text` is what is being typed; it must be one that commit_pending handles. Enter commits
/// the number, Esc cancels, a click elsewhere commits it if it is valid. `name` is the stable name.
void number_field(Ui& ui, const std::string& name, const Rect& bounds, const std::string& shown,
                  const std::string& full, std::optional<std::string>& text);

}  // namespace lab::view
