#include "app/base/wording.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/machine_numbers.h"
#include "app/translation/words.h"

namespace lab {
namespace {

constexpr std::array kNamesInWords{
    tr_later("embedding"),
    tr_later("position"),
    tr_later("embedding_kv"),
    tr_later("position_kv"),
    tr_later("normed_Q"),
    tr_later("normed_K"),
    tr_later("normed_V"),
    tr_later("rotated_Q"),
    tr_later("rotated_K"),
    tr_later("scores"),
    tr_later("content_to_position"),
    tr_later("position_to_content"),
    tr_later("summed_scores"),
    tr_later("scaled_scores"),
    tr_later("capped_scores"),
    tr_later("masked_scores"),
    tr_later("weights"),
    tr_later("dropped_weights"),
    tr_later("head_output"),
    tr_later("concat"),
    tr_later("output"),
    tr_later("residual"),
    tr_later("layer_norm"),
    tr_later("mask"),
    tr_later("score_bias"),
    tr_later("position_table"),
    tr_later("position_table_kv"),
};

constexpr std::array kMonths{tr_later("January"), tr_later("February"), tr_later("March"),
                             tr_later("April"),   tr_later("May"),      tr_later("June"),
                             tr_later("July"),    tr_later("August"),   tr_later("September"),
                             tr_later("October"), tr_later("November"), tr_later("December")};

std::tm local(std::time_t time) {
  std::tm parts{};
  ::localtime_r(&time, &parts);
  return parts;
}

// mktime corrects a day 0 of the month; every day has a noon.
bool is_day_before(const std::tm& day, std::tm next) {
  next.tm_mday -= 1;
  next.tm_hour = 12;
  next.tm_isdst = -1;
  std::mktime(&next);
  return day.tm_year == next.tm_year && day.tm_yday == next.tm_yday;
}

std::string day_in_words(const std::tm& day, const std::tm& today) {
  if (day.tm_year == today.tm_year && day.tm_yday == today.tm_yday) return tr("today");
  if (is_day_before(day, today)) return tr("yesterday");
  const std::string number = std::to_string(day.tm_mday);
  const std::string month = tr(kMonths.at(static_cast<std::size_t>(day.tm_mon)));
  if (day.tm_year == today.tm_year) return tr("on {} {}", {number, month});
  return tr("on {} {} {}", {number, month, std::to_string(day.tm_year + 1900)});
}

}  // namespace

std::string grouped(attention::Index count) {
  std::string digits = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, tr(",##between thousands"));
  }
  return digits;
}

std::string name_in_words(std::string_view name) {
  const bool is_word = std::ranges::find(kNamesInWords, name) != kNamesInWords.end();
  return is_word ? tr(name) : std::string(name);
}

std::string shortest(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  return shortest_digits(value);
}

std::string time_in_words(std::time_t then, std::time_t now) {
  const std::tm moment = local(then);
  const std::string minutes = std::to_string(moment.tm_min);
  return tr("{} at {}:{}", {day_in_words(moment, local(now)), std::to_string(moment.tm_hour),
                            (minutes.size() < 2 ? "0" : "") + minutes});
}

}  // namespace lab
