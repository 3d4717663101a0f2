#include "app/figure/cairo/source_date.h"

#include <chrono>
#include <cstdlib>
#include <string_view>

#include "app/base/machine_numbers.h"

namespace lab::figure {
namespace {

constexpr std::int64_t kEndOf9999 = 253402300799;

/// `value` with leading zeros.
template <typename Value>
std::string digits(Value value, std::size_t count) {
  std::string text = std::to_string(value);
  return std::string(count - std::min(count, text.size()), '0') + text;
}

}  // namespace

std::optional<std::int64_t> source_date() {
  const char* variable = std::getenv("SOURCE_DATE_EPOCH");
  const std::string_view text = variable == nullptr ? "" : variable;
  const auto seconds = parse_number<std::int64_t>(text);
  if (!seconds || *seconds < 0 || *seconds > kEndOf9999) return std::nullopt;
  return seconds;
}

std::string pdf_date(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return "D:" + digits(static_cast<int>(date.year()), 4) +
         digits(static_cast<unsigned>(date.month()), 2) +
         digits(static_cast<unsigned>(date.day()), 2) + digits(clock.hours().count(), 2) +
         digits(clock.minutes().count(), 2) + digits(clock.seconds().count(), 2) + "Z";
}

}  // namespace lab::figure
