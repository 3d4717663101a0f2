#pragma once

#include <optional>
#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// A number that can be typed where it stands: shows `shown`, and after a click a field with `full`
/// in it. `text` is what is being typed; it must be one that commit_pending makes an edit of. Enter
/// keeps the number, Esc takes it back, a click elsewhere keeps it when it is one. `name` is the
/// stable name.
void number_field(Ui& ui, const std::string& name, const Rect& place, const std::string& shown,
                  const std::string& full, std::optional<std::string>& text);

}  // namespace lab::view
