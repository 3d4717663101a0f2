#include "app/view/toolkit/number_input.h"

#include <cmath>

#include "app/base/number_reading.h"
#include "app/base/typed_number.h"

namespace lab::view {

std::optional<float> parse_typed_number(std::string_view text) {
  const auto plain = plain_decimal(text);
  const NumberField number = plain ? read_number(*plain) : NumberField{};
  if (number.status == NumberStatus::kTooLarge) return INFINITY;
  if (number.status == NumberStatus::kNumber) return number.value;
  const auto quotient = typed_number(text);
  return quotient ? std::optional(static_cast<float>(*quotient)) : std::nullopt;
}

}  // namespace lab::view
