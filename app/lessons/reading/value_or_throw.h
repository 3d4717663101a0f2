#pragma once

#include <utility>

#include "app/base/bad_input.h"

namespace lab::lessons {

/// The value; its error is thrown as BadInput, for guarded() to make an Error of again.
template <typename T>
T demand(Expected<T> value) {
  if (!value) throw BadInput(value.error().message);
  return std::move(*value);
}

}  // namespace lab::lessons
