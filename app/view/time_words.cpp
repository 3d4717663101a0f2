#include "app/view/time_words.h"

#include <array>

namespace lab {
namespace {

constexpr std::array kMonths{"January", "February", "March",     "April",   "May",      "June",
                             "July",    "August",   "September", "October", "November", "December"};

std::tm local(std::time_t time) {
  std::tm parts{};
  ::localtime_r(&time, &parts);
  return parts;
}

// mktime puts right a day 0 of the month; noon is there on every day.
bool is_day_before(const std::tm& day, std::tm next) {
  next.tm_mday -= 1;
  next.tm_hour = 12;
  next.tm_isdst = -1;
  std::mktime(&next);
  return day.tm_year == next.tm_year && day.tm_yday == next.tm_yday;
}

std::string day_in_words(const std::tm& day, const std::tm& today) {
  if (day.tm_year == today.tm_year && day.tm_yday == today.tm_yday) return "today";
  if (is_day_before(day, today)) return "yesterday";
  std::string words =
      "on " + std::to_string(day.tm_mday) + " " + kMonths[static_cast<std::size_t>(day.tm_mon)];
  if (day.tm_year != today.tm_year) words += " " + std::to_string(day.tm_year + 1900);
  return words;
}

}  // namespace

std::string time_in_words(std::time_t then, std::time_t now) {
  const std::tm moment = local(then);
  const std::string minutes = std::to_string(moment.tm_min);
  return day_in_words(moment, local(now)) + " at " + std::to_string(moment.tm_hour) + ":" +
         (minutes.size() < 2 ? "0" : "") + minutes;
}

}  // namespace lab
