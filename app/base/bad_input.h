#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/base/error.h"
#include "app/base/visible_text.h"

namespace lab {

/// Thrown by a reader of outside input where it finds an error. Never leaves the reader: guarded()
/// turns it into an Error.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The result of `read()`. Fails with kBadInput and the message of the BadInput or
/// std::invalid_argument (thrown by the core) that `read` threw, or with kFailed when memory ran
/// out.
template <typename Read>
auto guarded(Read&& read) -> Expected<std::invoke_result_t<Read>> {
  try {
    return std::forward<Read>(read)();
  } catch (const BadInput& error) {
    return fail(ErrorType::kBadInput, error.what());
  } catch (const std::invalid_argument& error) {
    return fail(ErrorType::kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ErrorType::kFailed, "there is not enough memory for this file");
  }
}

/// `text` in quotes for a message: printable, and shortened to about 60 bytes.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return '"' + printable(text) + '"';
  // Not in the middle of a UTF-8 sequence.
  std::size_t end = kLongest;
  while (end > kLongest - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return '"' + printable(text.substr(0, end)) + "…\"";
}

/// Returns the value, or throws the error as BadInput, which guarded() turns back into an Error.
template <typename T>
T value_or_bad_input(Expected<T> value) {
  if (!value) throw BadInput(value.error().message);
  return std::move(*value);
}

}  // namespace lab
