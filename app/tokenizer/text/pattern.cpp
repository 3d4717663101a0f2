#include "app/tokenizer/text/pattern.h"

#include <chrono>
#include <optional>

#include "app/base/bad_input.h"
#include "app/tokenizer/text/expression.h"

namespace lab::tokenizer {
namespace {

// All searches of a text together may take this long.
constexpr std::chrono::seconds kLongestSearch{20};

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

// As the reference searches: an empty match right after another is none.
std::vector<Match> regex_segments(const Expression& expression, std::string_view text) {
  std::vector<Match> result;
  const auto search = expression.search(text);
  Deadline deadline;
  std::optional<std::uint32_t> last_match;
  for (std::size_t at = 0; at <= text.size();) {
    deadline.check();
    const auto match = search->first(at);
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

}  // namespace

Pattern Pattern::literal(std::string text) {
  if (text.empty()) return regex("");
  Pattern pattern;
  pattern.text_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(const std::string& expression) {
  Pattern pattern;
  pattern.text_ = expression;
  pattern.regex_ = std::make_shared<const Expression>(expression);
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
  return regex_ ? regex_segments(*regex_, text) : literal_segments(text);
}

}  // namespace lab::tokenizer
