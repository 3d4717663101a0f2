#include "app/view/toolkit/number_input.h"

#include <cmath>

#include "app/base/number_reading.h"
#include "app/base/typed_decimal.h"

namespace lab::view {

std::optional<float> parse_number(std::string_view text) {
  const auto plain = plain_decimal(text);
  const NumberField number = plain ? read_number(*plain) : NumberField{};
  if (number.status == NumberStatus::kNone) return std::nullopt;
  return number.status == NumberStatus::kTooLarge ? INFINITY : number.value;
}

}  // namespace lab::view
