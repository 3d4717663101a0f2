#include "app/base/decimal_mark.h"

#include <algorithm>
#include <atomic>

namespace lab {
namespace {

std::atomic<bool> comma_is_mark{false};

}  // namespace

void set_decimal_comma(bool comma) { comma_is_mark = comma; }

bool decimal_comma() { return comma_is_mark; }

std::string with_decimal_mark(std::string number) {
  if (comma_is_mark) std::ranges::replace(number, '.', ',');
  return number;
}

const char* between_numbers() { return comma_is_mark ? "; " : ", "; }

}  // namespace lab
