#include "app/tokenizer/unicode/scripts.h"

#include <cstdint>

#include "app/tokenizer/unicode/ranges.h"

namespace lab::tokenizer {
namespace {

struct ScriptRange {
  char32_t first = 0;
  char32_t last = 0;
  std::uint8_t number = 0;
};

constexpr ScriptRange kScriptRanges[] = {
#include "app/tokenizer/unicode/unicode_script.inc"
};

}  // namespace

int script_number(char32_t character) {
  const auto* entry = entry_of(std::span<const ScriptRange>(kScriptRanges), character);
  return entry != nullptr ? entry->number : 0;
}

}  // namespace lab::tokenizer
