#include "app/lessons/answers/answer_name.h"

#include <array>

#include "app/base/strings.h"
#include "app/lessons/answers/named_place.h"
#include "app/lessons/reading/lesson_lines.h"
#include "app/lessons/reading/value_or_throw.h"

namespace lab::lessons {
namespace {

constexpr std::array<std::string_view, 8> kQuotes{"\"", "'", "“", "”", "„", "‘", "’", "*"};

std::string plain_name(std::string_view text) {
  text = trimmed(text);
  for (const std::string_view quote : kQuotes) {
    if (text.size() > quote.size() && text.starts_with(quote)) text.remove_prefix(quote.size());
    if (text.size() > quote.size() && text.ends_with(quote)) text.remove_suffix(quote.size());
  }
  return lower_ascii(without_blank(std::string(trimmed(text))));
}

}  // namespace

std::vector<std::string> right_names(const Question& question, const Snapshot& live) {
  std::vector<std::string> names;
  for (const Expression& answer : question.answers) {
    const Value value = value_or_throw(answer.evaluate(live));
    const auto* name = std::get_if<std::string>(&value);
    if (!name) throw BadInput("the answer is not a name, such as likeliest[last]");
    names.push_back(*name);
  }
  return names;
}

bool means_name(std::string_view typed, std::string_view name) {
  return plain_name(typed) == plain_name(name);
}

}  // namespace lab::lessons
