#include "app/document/arrays/shown_arrays.h"

#include <algorithm>

namespace lab {

bool ShownArrays::other_layer_has_unsaved_steps() const {
  return std::ranges::any_of(others, [](const auto& other) {
    return other.second->history.state_id() != other.second->saved;
  });
}

}  // namespace lab
