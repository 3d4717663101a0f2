#include "app/view/search.h"

#include <algorithm>
#include <string>

namespace lab {
namespace {

constexpr int kWordStart = 100, kInside = 10, kLetters = 1;

// Letters beyond ASCII stay as they are.
std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

bool starts_word(std::string_view name, std::size_t place) {
  return place == 0 || name[place - 1] == ' ' || name[place - 1] == '-';
}

bool has_letters_in_order(std::string_view word, std::string_view name) {
  std::size_t found = 0;
  for (const char c : name) {
    if (found < word.size() && c == word[found]) ++found;
  }
  return found == word.size();
}

std::optional<int> word_score(std::string_view word, std::string_view name) {
  bool inside = false;
  for (auto at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    if (starts_word(name, at)) return kWordStart;
    inside = true;
  }
  if (inside) return kInside;
  if (has_letters_in_order(word, name)) return kLetters;
  return std::nullopt;
}

}  // namespace

std::optional<int> match_score(std::string_view typed, std::string_view name) {
  const std::string small_name = in_small_letters(name), small_typed = in_small_letters(typed);
  int score = 0;
  std::string_view rest = small_typed;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.empty()) continue;
    const auto found = word_score(word, small_name);
    if (!found) return std::nullopt;
    score += *found;
  }
  return score;
}

}  // namespace lab
