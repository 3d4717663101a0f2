#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/base/error.h"

namespace lab {

/// Thrown inside a reader of this folder where an error is found; never leaves it: guarded()
/// makes an Error of it.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What `read()` returns, or kBadInput with the message of the BadInput or std::invalid_argument
/// (the core's complaint) that it threw, or kFailed when memory ran out.
template <typename Read>
auto guarded(Read&& read) -> Expected<std::invoke_result_t<Read>> {
  try {
    return std::forward<Read>(read)();
  } catch (const BadInput& error) {
    return fail(ErrorKind::kBadInput, error.what());
  } catch (const std::invalid_argument& error) {
    return fail(ErrorKind::kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::kFailed, "there is not enough memory for this file");
  }
}

/// `text` in quotes for a message: printable, and cut after about 60 bytes.
std::string in_quotes(std::string_view text);

}  // namespace lab
