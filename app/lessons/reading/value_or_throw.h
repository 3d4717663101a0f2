#pragma once

#include <utility>

#include "app/base/bad_input.h"

namespace lab::lessons {

/// The value. Throws BadInput with the message of the error when there is none; guarded() turns it
/// back into an Error.
template <typename T>
T value_or_throw(Expected<T> value) {
  if (!value) throw BadInput(value.error().message);
  return std::move(*value);
}

}  // namespace lab::lessons
