#include "app/tokenizer/text/expression.h"

#include <oniguruma.h>

#include <array>
#include <cstdio>
#include <span>

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
// remember this many places to return to.
constexpr unsigned long kMostSteps = 50'000'000;
constexpr unsigned int kMostPlaces = 8'000'000;
const OnigUChar* bytes_of(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string oniguruma_message(int code, OnigErrorInfo* info) {
  OnigUChar message[ONIG_MAX_ERROR_MESSAGE_LEN] = {};
  const int length = info != nullptr ? onig_error_code_to_str(message, code, info)
                                     : onig_error_code_to_str(message, code);
  return {reinterpret_cast<const char*>(message), static_cast<std::size_t>(length)};
}

// With the limits of one search, and the place of what it found.
class OnigurumaSearch final : public Expression::Search {
 public:
  OnigurumaSearch(regex_t* regex, std::string_view text)
      : regex_(regex), text_(text), region_(onig_region_new()), limits_(onig_new_match_param()) {
    onig_initialize_match_param(limits_);
    onig_set_retry_limit_in_match_of_match_param(limits_, kMostSteps);
    onig_set_retry_limit_in_search_of_match_param(limits_, kMostSteps);
    onig_set_match_stack_limit_size_of_match_param(limits_, kMostPlaces);
  }
  ~OnigurumaSearch() override {
    onig_region_free(region_, 1);
    onig_free_match_param(limits_);
  }
  OnigurumaSearch(const OnigurumaSearch&) = delete;
  OnigurumaSearch& operator=(const OnigurumaSearch&) = delete;

  std::optional<TextRange> first(std::size_t from) override {
    const OnigUChar* const begin = bytes_of(text_);
    const OnigUChar* const end = begin + text_.size();
    const int found = onig_search_with_param(regex_, begin, end, begin + from, end, region_,
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
  regex_t* regex_;
  std::string_view text_;
  OnigRegion* region_;
  OnigMatchParam* limits_;
};

}  // namespace

struct Expression::Compiled {
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

  regex_t* regex = nullptr;
};

Expression::Expression(const std::string& text)
    : compiled_(std::make_unique<const Compiled>(text)) {}

Expression::~Expression() = default;

std::unique_ptr<Expression::Search> Expression::search(std::string_view text) const {
  return std::make_unique<OnigurumaSearch>(compiled_->regex, text);
}

}  // namespace lab::tokenizer
