// app/tokenizer/text/expression.h, by JavaScript's RegExp. Oniguruma's syntax is written anew in
// JavaScript's, every class of characters as its code points; what the two do differently and no
// tokenizer asks for is refused.
#include "app/tokenizer/text/expression.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"
#include "app/tokenizer/unicode/properties.h"
#include "app/web/unicode/characters.h"

namespace lab::tokenizer {
namespace {

using Ranges = std::vector<CodePointRange>;

constexpr char32_t kLastCharacter = 0x10FFFF;
constexpr CodePointRange kSpace[] = {
#include "app/tokenizer/unicode/white_space.inc"
};

Ranges sorted(Ranges ranges) {
  std::ranges::sort(ranges, {}, &CodePointRange::first);
  Ranges joined;
  for (const CodePointRange& range : ranges) {
    if (!joined.empty() && range.first <= joined.back().last + 1)
      joined.back().last = std::max(joined.back().last, range.last);
    else
      joined.push_back(range);
  }
  return joined;
}

Ranges complement(const Ranges& ranges) {
  Ranges others;
  char32_t next = 0;
  for (const CodePointRange& range : sorted(ranges)) {
    if (range.first > next) others.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCharacter) others.push_back({next, kLastCharacter});
  return others;
}

std::string code_point(char32_t c) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "\\u{%X}", static_cast<unsigned>(c));
  return text.data();
}

std::string class_of(const Ranges& ranges) {
  if (ranges.empty()) return "(?!)";
  std::string text = "[";
  for (const CodePointRange& range : ranges) {
    text += code_point(range.first);
    if (range.last > range.first) text += "-" + code_point(range.last);
  }
  return text + "]";
}

// Reads an expression from left to right and writes the other one.
class Translator {
 public:
  explicit Translator(std::string_view text) : whole_(text), rest_(text) {}

  std::string translate() {
    std::string result = alternatives();
    if (!rest_.empty()) refuse();
    return result;
  }

 private:
  [[noreturn]] void refuse() const {
    throw BadInput("a page cannot use the pattern " + in_quotes(std::string(whole_)));
  }

  bool take(std::string_view start) {
    if (!rest_.starts_with(start)) return false;
    rest_.remove_prefix(start.size());
    return true;
  }
  char32_t next() {
    if (rest_.empty()) refuse();
    const CodePoint point = code_point_at(rest_, 0);
    rest_.remove_prefix(point.size);
    return static_cast<char32_t>(point.value);
  }

  // As far as a closing parenthesis or the end. "(?i)" holds to the end of the group.
  std::string alternatives() {
    const bool outside = ignores_case_;
    std::string result;
    while (!rest_.empty() && rest_.front() != ')') {
      if (take("|"))
        result += '|';
      else
        result += quantified(atom());
    }
    ignores_case_ = outside;
    return result;
  }

  std::string group(const std::string& opening) {
    std::string result = opening + alternatives() + ")";
    if (!take(")")) refuse();
    return result;
  }

  // What matches is not given up again.
  std::string atomic(const std::string& inside) {
    const std::string name = "a" + std::to_string(++atomic_);
    return "(?:(?=(?<" + name + ">" + inside + "))\\k<" + name + ">)";
  }

  std::string parenthesis() {
    for (const char* look : {"?=", "?!", "?<=", "?<!", "?:"})
      if (take(look)) return group("(" + std::string(look));
    if (take("?>")) return atomic(group("(?:"));
    if (take("?i)")) {
      ignores_case_ = true;
      return {};
    }
    if (take("?i:")) {
      const bool outside = std::exchange(ignores_case_, true);
      std::string result = group("(?:");
      ignores_case_ = outside;
      return result;
    }
    if (rest_.starts_with('?')) refuse();
    ++groups_;
    return group("(");
  }

  std::string atom() {
    last_letter_ = std::exchange(letter_, 0);
    const char32_t c = next();
    switch (c) {
      case '(':
        return parenthesis();
      case '[':
        return class_of(sorted(brackets()));
      case '.':
        return "[^\\n]";
      case '^':
        return "(?<![^\\n])";
      case '$':
        return "(?![^\\n])";
      case '\\':
        return escape();
      default:
        return literal(c);
    }
  }

  std::string literal(char32_t c) {
    if (!ignores_case_) return code_point(c);
    check_fold(c);
    return class_of(sorted(with_other_case({{c, c}})));
  }

  // Without regard to case, some letters equal several ("ß" and "ss"): those are refused.
  void check_fold(char32_t c) {
    letter_ = c | 0x20;
    static constexpr std::array<std::string_view, 5> kPairs = {"ss", "ff", "fi", "fl", "st"};
    for (const std::string_view pair : kPairs)
      if (last_letter_ == static_cast<char32_t>(pair[0]) &&
          letter_ == static_cast<char32_t>(pair[1]))
        refuse();
  }
  Ranges with_other_case(Ranges ranges) const {
    Ranges all = ranges;
    for (const CodePointRange& range : ranges) {
      if (range.last >= 0x80 && range.first >= 0x80) refuse();
      for (char32_t c = range.first; c <= range.last && c < 0x80; ++c) {
        const char32_t lower = c | 0x20;
        if (lower < 'a' || lower > 'z') continue;
        all.push_back({lower, lower});
        all.push_back({lower - 0x20, lower - 0x20});
        if (lower == 'k') all.push_back({0x212A, 0x212A});
        if (lower == 's') all.push_back({0x17F, 0x17F});
      }
    }
    return all;
  }

  std::string escape() {
    if (take("A")) return "(?<![^])";
    if (take("z")) return "(?![^])";
    if (take("Z")) return "(?=\\n?(?![^]))";
    if (take("R")) return "(?:\\r\\n|(?!\\r\\n)[\\n-\\r\\u{85}\\u{2028}\\u{2029}])";
    if (take("b")) return boundary("(?:(?<=W)(?!W)|(?<!W)(?=W))");
    if (take("B")) return boundary("(?:(?<=W)(?=W)|(?<!W)(?!W))");
    if (!rest_.empty() && rest_.front() >= '1' && rest_.front() <= '9') {
      const int number = static_cast<int>(next() - '0');
      if (number > groups_ || atomic_ > 0) refuse();
      return "\\" + std::to_string(number) + "(?:)";
    }
    Ranges ranges;
    if (property(ranges, false)) return class_of(sorted(ranges));
    return literal(escaped());
  }

  static std::string boundary(std::string pattern) {
    const auto word = property_ranges("word");
    const std::string of_words = class_of({word.begin(), word.end()});
    for (std::size_t at = 0; (at = pattern.find('W', at)) != pattern.npos; at += of_words.size())
      pattern.replace(at, 1, of_words);
    return pattern;
  }

  // After a backslash: a set of characters. False when there is none.
  bool property(Ranges& ranges, bool in_brackets) {
    const char type = rest_.empty() ? ' ' : rest_.front();
    const bool inverted = type >= 'A' && type <= 'Z';
    const char lower = static_cast<char>(type | 0x20);
    Ranges found;
    if (lower == 'w' || lower == 'd') {
      const char* const word = in_brackets ? "word in brackets" : "word";
      const auto table = property_ranges(lower == 'd' ? "digit" : word);
      found.assign(table.begin(), table.end());
    } else if (lower == 's') {
      found.assign(std::begin(kSpace), std::end(kSpace));
    } else if (lower == 'h') {
      found = {{'0', '9'}, {'A', 'F'}, {'a', 'f'}};
    } else if (lower == 'p') {
      return named_property(ranges);
    } else {
      return false;
    }
    rest_.remove_prefix(1);
    append(ranges, inverted ? complement(found) : found);
    return true;
  }

  bool named_property(Ranges& ranges) {
    bool inverted = next() == 'P';
    if (!take("{")) refuse();
    if (take("^")) inverted = !inverted;
    const std::size_t end = rest_.find('}');
    if (end == rest_.npos) refuse();
    const auto table = property_ranges(rest_.substr(0, end));
    if (table.empty()) refuse();
    rest_.remove_prefix(end + 1);
    const Ranges found(table.begin(), table.end());
    append(ranges, inverted ? complement(found) : found);
    return true;
  }

  static void append(Ranges& to, const Ranges& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  // After a backslash: one character.
  char32_t escaped() {
    const char32_t c = next();
    static constexpr std::string_view kNames = "tnrfvae", kCodes = "\t\n\r\f\v\a\x1b";
    if (const std::size_t at = kNames.find(static_cast<char>(c)); c < 0x80 && at != kNames.npos)
      return static_cast<char32_t>(kCodes[at]);
    if (c == 'x' && take("{")) return hexadecimal(8, true);
    if (c == 'x') return hexadecimal(2, false);
    if (c == 'u') return hexadecimal(4, false);
    if (c < 0x80 && std::isalnum(static_cast<int>(c)) != 0) refuse();
    return c;
  }
  char32_t hexadecimal(std::size_t most, bool closed) {
    std::size_t digits = 0;
    char32_t value = 0;
    while (digits < most && digits < rest_.size() &&
           std::isxdigit(static_cast<unsigned char>(rest_[digits])) != 0) {
      const char digit = rest_[digits++];
      value = 16 * value + static_cast<char32_t>(digit <= '9' ? digit - '0' : (digit | 0x20) - 87);
    }
    rest_.remove_prefix(digits);
    if (digits == 0 || value > kLastCharacter || (closed && !take("}"))) refuse();
    return value;
  }

  // A class, after its opening bracket.
  Ranges brackets() {
    const bool inverted = take("^");
    Ranges ranges;
    for (bool first = true; first || !rest_.starts_with(']'); first = false) {
      if (rest_.starts_with("&&") || rest_.starts_with("[:")) refuse();
      if (take("[")) {
        append(ranges, brackets());
        continue;
      }
      const bool escape = take("\\");
      if (escape && property(ranges, true)) continue;
      const char32_t from = escape ? escaped() : next();
      char32_t to = from;
      if (rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']') {
        rest_.remove_prefix(1);
        to = take("\\") ? escaped() : next();
        if (to < from) refuse();
      }
      append(ranges, ignores_case_ ? with_other_case({{from, to}}) : Ranges{{from, to}});
    }
    rest_.remove_prefix(1);
    return inverted ? complement(ranges) : ranges;
  }

  std::string quantified(std::string atom) {
    if (rest_.empty() || atom.empty()) return atom;
    std::string mark;
    for (const char* one : {"?", "*", "+"})
      if (mark.empty() && take(one)) mark = one;
    if (mark.empty()) mark = interval();
    if (mark.empty()) return atom;
    letter_ = 0;
    if (take("?")) return atom + mark + "?";
    if (rest_.starts_with('+') && mark.size() > 1) refuse();
    if (take("+")) return atomic(atom + mark);
    if (!rest_.empty() && std::string_view("*?+").find(rest_.front()) != rest_.npos) refuse();
    return atom + mark;
  }

  // "{2}", "{1,3}", "{2,}", "{,3}"; empty for another text, whose brace is a character.
  std::string interval() {
    const std::size_t end = rest_.find('}');
    if (!rest_.starts_with('{') || end == rest_.npos) return {};
    std::string inside(rest_.substr(1, end - 1));
    if (inside.empty() || inside.find_first_not_of("0123456789,") != inside.npos) return {};
    rest_.remove_prefix(end + 1);
    return "{" + (inside.front() == ',' ? "0" + inside : inside) + "}";
  }

  std::string_view whole_, rest_;
  bool ignores_case_ = false;
  int groups_ = 0, atomic_ = 0;
  char32_t letter_ = 0, last_letter_ = 0;  // of literals without regard to case
};

class PageSearch final : public Expression::Search {
 public:
  PageSearch(std::int32_t expression, std::string_view text)
      : text_(web::page_begin_search(expression, text.data(),
                                     static_cast<std::int32_t>(text.size()))) {}
  ~PageSearch() override { web::page_end_search(text_); }
  PageSearch(const PageSearch&) = delete;
  PageSearch& operator=(const PageSearch&) = delete;

  std::optional<TextRange> first(std::size_t from) override {
    std::array<std::int32_t, 2> range{};
    if (!web::page_search(text_, static_cast<std::int32_t>(from), range.data())) return {};
    return TextRange{static_cast<std::uint32_t>(range[0]), static_cast<std::uint32_t>(range[1])};
  }

 private:
  std::int32_t text_;
};

}  // namespace

struct Expression::Compiled {
  std::int32_t number;
};

Expression::Expression(const std::string& text) {
  const std::string translated = Translator(text).translate();
  const std::int32_t number =
      web::page_new_expression(translated.data(), static_cast<std::int32_t>(translated.size()));
  if (number < 0) throw BadInput(in_quotes(text) + " is no pattern");
  compiled_ = std::make_unique<const Compiled>(Compiled{number});
}

Expression::~Expression() {
  if (compiled_) web::page_forget_expression(compiled_->number);
}

std::unique_ptr<Expression::Search> Expression::search(std::string_view text) const {
  return std::make_unique<PageSearch>(compiled_->number, text);
}

}  // namespace lab::tokenizer
