#include "app/view/toolkit/search.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lab::view {
namespace {

// À … Þ are C3 80 … C3 9E in UTF-8, with × among them.
bool is_latin_capital(char before, char c) {
  constexpr unsigned char kLead = 0xC3, kFirst = 0x80, kLast = 0x9E, kTimes = 0x97;
  const auto byte = static_cast<unsigned char>(c);
  return static_cast<unsigned char>(before) == kLead && byte >= kFirst && byte <= kLast &&
         byte != kTimes;
}

// Letters beyond those of western Europe are unchanged.
std::string in_small_letters(std::string_view text) {
  std::string small(text);
  char before = 0;
  for (char& c : small) {
    const bool capital = (c >= 'A' && c <= 'Z') || is_latin_capital(before, c);
    before = c;
    if (capital) c = static_cast<char>(c + ('a' - 'A'));
  }
  return small;
}

bool is_letter(char c) {
  return static_cast<signed char>(c) < 0 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// The best position of `word` in `text`, and its score.
struct ScoredMatch {
  std::size_t start = std::string_view::npos;
  int score = 0;
};

struct Scores {
  int whole, start, inside;
};
constexpr Scores kInName{1000, 500, 50}, kInWords{400, 300, 20};
constexpr int kLetters = 1;

ScoredMatch best_match(std::string_view word, std::string_view text, const Scores& scores) {
  ScoredMatch best;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_letter(text[at - 1]);
    const std::size_t end = at + word.size();
    const bool ends = end == text.size() || !is_letter(text[end]);
    const int score = starts && ends ? scores.whole : starts ? scores.start : scores.inside;
    if (score > best.score) best = {at, score};
  }
  return best;
}

// The letters of `word` one by one; empty when they do not occur in that order.
std::vector<TextPart> letter_parts(std::string_view word, std::string_view name) {
  std::vector<TextPart> parts;
  for (std::size_t i = 0; i < name.size() && parts.size() < word.size(); ++i) {
    if (name[i] == word[parts.size()]) parts.push_back({i, 1});
  }
  if (parts.size() < word.size()) parts.clear();
  return parts;
}

bool add_word(Match& found, std::string_view word, std::string_view name, std::string_view words) {
  const ScoredMatch in_name = best_match(word, name, kInName),
                    in_words = best_match(word, words, kInWords);
  found.score += std::max(in_name.score, in_words.score);
  if (in_name.score > 0) found.parts.push_back({in_name.start, word.size()});
  if (in_name.score + in_words.score > 0) return true;
  const auto letters = letter_parts(word, name);
  found.score += kLetters;
  found.parts.insert(found.parts.end(), letters.begin(), letters.end());
  return !letters.empty();
}

// Sorts the parts and merges duplicates.
void join(std::vector<TextPart>& parts) {
  std::ranges::sort(parts, {}, &TextPart::start);
  std::vector<TextPart> joined;
  for (const TextPart& part : parts) {
    if (joined.empty() || joined.back().start + joined.back().length < part.start) {
      joined.push_back(part);
    } else {
      const std::size_t end =
          std::max(joined.back().start + joined.back().length, part.start + part.length);
      joined.back().length = end - joined.back().start;
    }
  }
  parts = std::move(joined);
}

}  // namespace

std::optional<Match> match(std::string_view typed, std::string_view name, std::string_view words) {
  const std::string small_name = in_small_letters(name), small_words = in_small_letters(words);
  const std::string small_typed = in_small_letters(typed);
  Match found;
  std::string_view rest = small_typed;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (!word.empty() && !add_word(found, word, small_name, small_words)) return std::nullopt;
  }
  join(found.parts);
  return found;
}

}  // namespace lab::view
