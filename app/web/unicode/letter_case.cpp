// app/base/letter_case.h, by JavaScript.
#include "app/base/letter_case.h"

#include "app/web/unicode/characters.h"

namespace lab {
namespace {

std::string in_case(bool upper, std::string_view text) {
  std::string result(3 * text.size(), '\0');
  const std::int32_t size =
      web::page_in_case(upper, text.data(), static_cast<std::int32_t>(text.size()), result.data());
  result.resize(static_cast<std::size_t>(size));
  return result;
}

}  // namespace

std::string lower_case(std::string_view text) { return in_case(false, text); }
std::string upper_case(std::string_view text) { return in_case(true, text); }

}  // namespace lab
