#include "app/chat/lexer.h"

#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/base/visible_text.h"

namespace lab::chat {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";

bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80U;
}

// Ends of lines as "\n", without one at the end.
std::string with_plain_lines(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n') continue;
    text += source[i] == '\r' ? '\n' : source[i];
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(with_plain_lines(source)) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) text_and_tag();
    add(TokenType::kEnd, "");
    return std::move(tokens_);
  }

 private:
  // What ends a tag, as it was found.
  struct Ending {
    bool found = false;
    std::size_t size = 0;  // with the blanks that it takes
  };

  [[noreturn]] void refuse(const std::string& problem) const {
    throw BadInput(at_line(line_) + problem);
  }

  void add(TokenType type, std::string text) { tokens_.push_back({type, std::move(text), line_}); }

  // Goes past `size` bytes.
  void advance(std::size_t size) {
    line_ +=
        static_cast<int>(std::ranges::count(std::string_view(source_).substr(at_, size), '\n'));
    at_ += size;
    if (size > 0) line_starts_ = source_[at_ - 1] == '\n';
  }

  bool looking_at(std::string_view text) const {
    return source_.compare(at_, text.size(), text) == 0;
  }

  std::size_t blanks_from(std::size_t at) const {
    const std::size_t stop = source_.find_first_not_of(kBlanks, at);
    return (stop == source_.npos ? source_.size() : stop) - at;
  }

  // The next text, and the tag after it.
  void text_and_tag() {
    std::size_t tag = at_;
    while ((tag = source_.find('{', tag)) != source_.npos) {
      if (tag + 1 < source_.size() &&
          std::string_view("{%#").find(source_[tag + 1]) != std::string_view::npos)
        break;
      ++tag;
    }
    if (tag == source_.npos) {
      add_text(std::string_view(source_).substr(at_));
      advance(source_.size() - at_);
      return;
    }
    const char type = source_[tag + 1];
    add_text(text_before(tag, type != '{'));
    advance(tag - at_);
    const std::size_t sign =
        tag + 2 < source_.size() &&
        std::string_view("+-").find(source_[tag + 2]) != std::string_view::npos;
    if (type == '#')
      comment();
    else if (!raw(2 + sign))
      inside_of_tag(type == '%', 2 + sign);
  }

  // What is printed of the text before the tag at `tag`; `strips`: blanks before it on its line are
  // left out.
  std::string_view text_before(std::size_t tag, bool strips) const {
    std::string_view text = std::string_view(source_).substr(at_, tag - at_);
    const char sign = tag + 2 < source_.size() ? source_[tag + 2] : '\0';
    if (sign == '-') return text.substr(0, text.find_last_not_of(kBlanks) + 1);
    if (!strips || sign == '+') return text;
    const std::size_t line = text.rfind('\n') + 1;  // 0: the text begins within a line
    const bool blank = text.find_first_not_of(kBlanks, line) == text.npos;
    return blank && (line > 0 || line_starts_) ? text.substr(0, line) : text;
  }

  void add_text(std::string_view text) {
    if (!text.empty()) add(TokenType::kText, std::string(text));
  }

  // What ends a tag here with `closing`, "%}" for instance.
  Ending ending(std::string_view closing, bool takes_line) const {
    const std::size_t sign = looking_at("-") || looking_at("+") ? 1 : 0;
    if (source_.compare(at_ + sign, closing.size(), closing) != 0) return {};
    if (looking_at("+") && !takes_line) return {};
    const std::size_t after = at_ + sign + closing.size();
    if (looking_at("-")) return {true, after - at_ + blanks_from(after)};
    const bool line = takes_line && sign == 0 && after < source_.size() && source_[after] == '\n';
    return {true, after - at_ + (line ? 1 : 0)};
  }

  void comment() {
    const int began = line_;
    advance(2);
    while (at_ < source_.size()) {
      if (const Ending end = ending("#}", true); end.found) {
        advance(end.size);
        return;
      }
      advance(1);
    }
    throw BadInput(at_line(began) + "a comment has no end: #}");
  }

  // A block of text that is printed as it is; false when none begins here.
  bool raw(std::size_t opening) {
    std::size_t at = at_ + opening + blanks_from(at_ + opening);
    if (source_[at_ + 1] != '%' || source_.compare(at, 3, "raw") != 0) return false;
    at += 3;
    at += blanks_from(at);
    const bool strips = source_.compare(at, 3, "-%}") == 0;
    if (!strips && source_.compare(at, 2, "%}") != 0) return false;
    at += strips ? 3 : 2;
    if (strips) at += blanks_from(at);
    advance(at - at_);
    for (std::size_t tag = source_.find("{%", at_); tag != source_.npos;
         tag = source_.find("{%", tag + 1)) {
      std::size_t name = tag + 2;
      if (name < source_.size() && (source_[name] == '-' || source_[name] == '+')) ++name;
      name += blanks_from(name);
      if (source_.compare(name, 6, "endraw") != 0) continue;
      add_text(text_before(tag, true));
      name += 6;
      advance(name + blanks_from(name) - at_);
      const Ending end = ending("%}", true);
      if (!end.found) refuse("endraw has no end: %}");
      advance(end.size);
      return true;
    }
    refuse("a raw block has no end");
  }

  void inside_of_tag(bool block, std::size_t opening) {
    const int began = line_;
    add(block ? TokenType::kBlockBegin : TokenType::kOutputBegin, "");
    advance(opening);
    open_.clear();
    while (true) {
      advance(blanks_from(at_));
      if (at_ >= source_.size())
        throw BadInput(at_line(began) +
                       (block ? "a block has no end: %}" : "an output has no end: }}"));
      if (open_.empty()) {
        const Ending end = ending(block ? "%}" : "}}", block);
        if (end.found) {
          add(block ? TokenType::kBlockEnd : TokenType::kOutputEnd, "");
          advance(end.size);
          return;
        }
      }
      token();
    }
  }

  void token() {
    const char c = source_[at_];
    if (is_digit(c))
      number();
    else if (is_name_character(c))
      name();
    else if (c == '"' || c == '\'')
      string();
    else
      operation();
  }

  void name() {
    std::size_t stop = at_;
    while (stop < source_.size() && is_name_character(source_[stop])) ++stop;
    add(TokenType::kName, source_.substr(at_, stop - at_));
    advance(stop - at_);
  }

  std::size_t digits_from(std::size_t at) const {
    std::size_t stop = at;
    while (stop < source_.size() &&
           (is_digit(source_[stop]) || (source_[stop] == '_' && stop > at)))
      ++stop;
    return stop - at;
  }

  void number() {
    std::size_t stop = at_ + digits_from(at_);
    bool real = false;
    const auto here = [&](std::size_t at) { return at < source_.size() ? source_[at] : '\0'; };
    if (here(at_) == '0' &&
        std::string_view("xXoObB").find(here(at_ + 1)) != std::string_view::npos)
      refuse("numbers of another base are not supported");
    if (here(stop) == '.' && is_digit(here(stop + 1)) && (at_ == 0 || here(at_ - 1) != '.')) {
      stop += 1 + digits_from(stop + 1);
      real = true;
    }
    if (here(stop) == 'e' || here(stop) == 'E') {
      std::size_t exponent = stop + 1;
      if (here(exponent) == '+' || here(exponent) == '-') ++exponent;
      if (is_digit(here(exponent))) {
        stop = exponent + digits_from(exponent);
        real = true;
      }
    }
    std::string text = source_.substr(at_, stop - at_);
    std::erase(text, '_');
    add(real ? TokenType::kReal : TokenType::kWhole, std::move(text));
    advance(stop - at_);
  }

  void string() {
    const char quote = source_[at_];
    std::size_t stop = at_ + 1;
    while (stop < source_.size() && source_[stop] != quote) stop += source_[stop] == '\\' ? 2 : 1;
    if (stop >= source_.size()) refuse("a text has no end: " + std::string(1, quote));
    add(TokenType::kString, unescaped(std::string_view(source_).substr(at_ + 1, stop - at_ - 1)));
    advance(stop + 1 - at_);
  }

  // The text that a string spells.
  std::string unescaped(std::string_view spelled) const {
    std::string text;
    for (std::size_t i = 0; i < spelled.size(); ++i) {
      if (spelled[i] != '\\' || i + 1 == spelled.size()) {
        text += spelled[i];
        continue;
      }
      const char c = spelled[++i];
      constexpr std::string_view kLetters = "nrtabfv\\'\"0";
      constexpr std::string_view kMeanings("\n\r\t\a\b\f\v\\'\"\0", 11);
      if (const std::size_t known = kLetters.find(c); known != kLetters.npos) {
        if (c == '0' && i + 1 < spelled.size() && is_digit(spelled[i + 1])) refuse_escape(c);
        text += kMeanings[known];
      } else if (c == 'x' || c == 'u' || c == 'U') {
        const std::size_t size = c == 'x' ? 2 : (c == 'u' ? 4 : 8);
        append_code(text, spelled.substr(i + 1, size), size);
        i += size;
      } else if (c == 'N' || is_digit(c)) {
        refuse_escape(c);
      } else if (c != '\n') {
        text += '\\';
        text += c;
      }
    }
    return text;
  }

  [[noreturn]] void refuse_escape(char c) const {
    refuse(std::string("a text has \\") + c + ", which is not supported");
  }

  void append_code(std::string& text, std::string_view digits, std::size_t size) const {
    char32_t code = 0;
    for (const char c : digits) {
      const char lower = to_lower(c);
      if (!is_digit(c) && (lower < 'a' || lower > 'f'))
        refuse("a text has an escape that is no number");
      code = code * 16 + static_cast<char32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    if (digits.size() < size || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
      refuse("a text has an escape that is no character");
    append_utf8(text, code);
  }

  void operation() {
    static constexpr std::array<std::string_view, 26> kOperators = {
        "**", "//", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
        "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};
    const auto* const found =
        std::find_if(kOperators.data(), kOperators.data() + kOperators.size(),
                     [&](std::string_view known) { return looking_at(known); });
    if (found == kOperators.data() + kOperators.size())
      refuse("unexpected " + in_quotes(std::string_view(source_).substr(at_, 1)));
    if (*found == "(" || *found == "[" || *found == "{") open_ += found->front();
    if (*found == ")" || *found == "]" || *found == "}") {
      const char opening = *found == ")" ? '(' : (*found == "]" ? '[' : '{');
      if (open_.empty() || open_.back() != opening) refuse("unexpected " + in_quotes(*found));
      open_.pop_back();
    }
    add(TokenType::kOperator, std::string(*found));
    advance(found->size());
  }

  std::string source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starts_ = true;
  std::string open_;  // brackets of the tag that are open
  std::vector<Token> tokens_;
};

}  // namespace

std::string at_line(int line) { return "line " + std::to_string(line) + ": "; }

std::vector<Token> tokens_of_template(std::string_view source) { return Lexer(source).run(); }

}  // namespace lab::chat
