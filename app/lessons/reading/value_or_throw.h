#pragma once

#include <utility>

#include "app/base/bad_input.h"

namespace lab::lessons {

/// Returns the value, or throws the error as BadInput, which guarded() turns back into an Error.
template <typename T>
T value_or_throw(Expected<T> value) {
  if (!value) throw BadInput(value.error().message);
  return std::move(*value);
}

}  // namespace lab::lessons
