#include "app/tokenizer/unicode/lower_case.h"

#include "app/tokenizer/unicode/ranges.h"

namespace lab::tokenizer {
namespace {

// Every `step`-th character from `first` to `last` becomes the one `delta` after it.
struct LowerCaseRange {
  char32_t first = 0;
  char32_t last = 0;
  std::int32_t delta = 0;
  char32_t step = 1;
};

constexpr LowerCaseRange kLowerCase[] = {
#include "app/tokenizer/unicode/lowercase.inc"
};

struct SpecialLowerCase {
  char32_t first = 0;
  char32_t to[3] = {};
  char32_t last = first;
};

constexpr SpecialLowerCase kSpecialLowerCase[] = {
#include "app/tokenizer/unicode/lowercase_special.inc"
};

}  // namespace

std::u32string_view lower_case(char32_t c, char32_t& storage) {
  storage = c;
  if (const auto* range = entry_of<LowerCaseRange>(kLowerCase, c)) {
    if ((c - range->first) % range->step == 0)
      storage = static_cast<char32_t>(static_cast<std::int32_t>(c) + range->delta);
  } else if (const auto* special = entry_of<SpecialLowerCase>(kSpecialLowerCase, c)) {
    return special->to;  // up to the first 0
  }
  return {&storage, 1};
}

}  // namespace lab::tokenizer
