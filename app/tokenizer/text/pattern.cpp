#include "app/tokenizer/text/pattern.h"

#include <oniguruma.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/bad_input.h"
#include "app/tokenizer/unicode/properties.h"

namespace lab::tokenizer {
namespace {

// A character class of Oniguruma; it may stand within another one.
std::string class_text(std::span<const CodePointRange> ranges, bool inverted) {
  std::string text = inverted ? "[^" : "[";
  for (const CodePointRange& range : ranges) {
    std::array<char, 40> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "\\x{%X}-\\x{%X}",
                  static_cast<unsigned>(range.first), static_cast<unsigned>(range.last));
    text += buffer.data();
  }
  return text + "]";
}

// A property that the expression spells: its name, whether it is inverted, its number of bytes.
struct SpeltProperty {
  std::string name;
  bool inverted = false;
  std::size_t size = 0;
};

// The property that begins at the backslash at `at`; no name if none does. `in_brackets` is true
// within a character class, where the reference's \w lacks six characters.
SpeltProperty spelt_property(std::string_view expression, std::size_t at, bool in_brackets) {
  if (at + 1 >= expression.size()) return {};
  const char type = expression[at + 1];
  if (type == 'w' || type == 'W')
    return {in_brackets ? "word in brackets" : "word", type == 'W', 2};
  if (type == 'd' || type == 'D') return {"digit", type == 'D', 2};
  if (type != 'p' && type != 'P') return {};
  const std::string_view rest = expression.substr(at + 2);
  const std::size_t end = rest.find('}');
  if (!rest.starts_with('{') || end == rest.npos) return {};
  const bool caret = rest.starts_with("{^");
  const std::size_t first = caret ? 2 : 1;
  return {std::string(rest.substr(first, end - first)), caret != (type == 'P'), end + 3};
}

/// `expression` (Oniguruma) with every property of characters that the reference has a table for
/// (\p{L}, \P{Nd}, \p{^Lu}, \p{Han}, \w, \W, \d, \D) written out as ranges of code points, because
/// each version of the library has the tables of another version of Unicode. Other properties stay.
std::string with_reference_classes(std::string_view expression) {
  std::string result;
  std::size_t open_brackets = 0;
  for (std::size_t at = 0; at < expression.size();) {
    if (expression[at] != '\\') {
      if (expression[at] == '[') ++open_brackets;
      if (expression[at] == ']' && open_brackets > 0) --open_brackets;
      result += expression[at++];
      continue;
    }
    const SpeltProperty property = spelt_property(expression, at, open_brackets > 0);
    const auto ranges = property_ranges(property.name);
    if (ranges.empty()) {
      result += expression.substr(at, 2);
      at += 2;
    } else {
      result += class_text(ranges, property.inverted);
      at += property.size;
    }
  }
  return result;
}

// A pattern made to be slow must not stop the program: one search may take this many steps and
// remember this many places to return to, and all searches of a text together this long.
constexpr unsigned long kMostSteps = 50'000'000;
constexpr unsigned int kMostPlaces = 8'000'000;
constexpr std::chrono::seconds kLongestSearch{20};

const OnigUChar* bytes_of(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string oniguruma_message(int code, OnigErrorInfo* info) {
  OnigUChar message[ONIG_MAX_ERROR_MESSAGE_LEN] = {};
  const int length = info != nullptr ? onig_error_code_to_str(message, code, info)
                                     : onig_error_code_to_str(message, code);
  return {reinterpret_cast<const char*>(message), static_cast<std::size_t>(length)};
}

// The limits of one search, and the place of what it found.
class Search {
 public:
  Search() : region_(onig_region_new()), limits_(onig_new_match_param()) {
    onig_initialize_match_param(limits_);
    onig_set_retry_limit_in_match_of_match_param(limits_, kMostSteps);
    onig_set_retry_limit_in_search_of_match_param(limits_, kMostSteps);
    onig_set_match_stack_limit_size_of_match_param(limits_, kMostPlaces);
  }
  ~Search() {
    onig_region_free(region_, 1);
    onig_free_match_param(limits_);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // The first match that begins at byte `from` or later.
  std::optional<TextRange> first(regex_t* regex, std::string_view text, std::size_t from) {
    const OnigUChar* const begin = bytes_of(text);
    const OnigUChar* const end = begin + text.size();
    const int found = onig_search_with_param(regex, begin, end, begin + from, end, region_,
                                             ONIG_OPTION_NONE, limits_);
    if (found == ONIG_MISMATCH) return std::nullopt;
    if (found < 0) {
      throw BadInput("the pattern takes too long on this text: " +
                     oniguruma_message(found, nullptr));
    }
    return TextRange{static_cast<std::uint32_t>(region_->beg[0]),
                     static_cast<std::uint32_t>(region_->end[0])};
  }

 private:
  OnigRegion* region_;
  OnigMatchParam* limits_;
};

// Appends a match to `segments`, after what lies between it and the one before.
void add_match(std::vector<Match>& segments, TextRange match) {
  const std::uint32_t before = segments.empty() ? 0 : segments.back().bytes.last;
  if (before != match.first) segments.push_back({{before, match.first}, false});
  segments.push_back({match, true});
}

void add_rest(std::vector<Match>& segments, std::string_view text) {
  const std::uint32_t before = segments.empty() ? 0 : segments.back().bytes.last;
  const auto end = static_cast<std::uint32_t>(text.size());
  if (before != end) segments.push_back({{before, end}, false});
}

// Throws when the searches of one text have taken too long.
class Deadline {
 public:
  void check() {
    if (++searches_ % 1024 == 0 && std::chrono::steady_clock::now() > end_)
      throw BadInput("the pattern takes too long on this text: more than 20 seconds");
  }

 private:
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + kLongestSearch;
  unsigned searches_ = 0;
};

}  // namespace

struct Pattern::Compiled {
  explicit Compiled(const std::string& expression) {
    const std::string exact = with_reference_classes(expression);
    OnigErrorInfo info{};
    const int code = onig_new(&regex, bytes_of(exact), bytes_of(exact) + exact.size(),
                              ONIG_OPTION_NONE, ONIG_ENCODING_UTF8, ONIG_SYNTAX_ONIGURUMA, &info);
    if (code != ONIG_NORMAL)
      throw BadInput(in_quotes(expression) + " is no pattern: " + oniguruma_message(code, &info));
  }
  ~Compiled() { onig_free(regex); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  // As the reference searches: an empty match right after another is none.
  std::vector<Match> segments(std::string_view text) const {
    std::vector<Match> result;
    Search search;
    Deadline deadline;
    std::optional<std::uint32_t> last_match;
    for (std::size_t at = 0; at <= text.size();) {
      deadline.check();
      const auto match = search.first(regex, text, at);
      if (!match) break;
      at = match->last;
      if (match->empty() && last_match == match->last) {
        at += at < text.size() ? character_size(text[at]) : 1;
        continue;
      }
      last_match = match->last;
      add_match(result, *match);
    }
    add_rest(result, text);
    return result;
  }

  regex_t* regex = nullptr;
};

Pattern Pattern::literal(std::string text) {
  if (text.empty()) return regex("");
  Pattern pattern;
  pattern.text_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(const std::string& expression) {
  Pattern pattern;
  pattern.text_ = expression;
  pattern.regex_ = std::make_shared<const Compiled>(expression);
  return pattern;
}

std::vector<Match> Pattern::literal_segments(std::string_view text) const {
  std::vector<Match> result;
  for (std::size_t at = text.find(text_); at != text.npos;
       at = text.find(text_, at + text_.size())) {
    add_match(result,
              {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + text_.size())});
  }
  add_rest(result, text);
  return result;
}

std::vector<Match> Pattern::segments(std::string_view text) const {
  if (text.empty()) return {};
  return regex_ ? regex_->segments(text) : literal_segments(text);
}

}  // namespace lab::tokenizer
