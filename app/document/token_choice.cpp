#include "app/document/token_choice.h"

#include <algorithm>
#include <optional>
#include <set>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/translation/words.h"

namespace lab {

using attention::Index;

namespace {

using Indices = std::set<Index>;

// Both ends are part of it.
struct PositionRange {
  Index first = 0, last = 0;
};

// "7" or "2-7", with a hyphen or a dash; nothing when it is neither.
std::optional<PositionRange> range_of(std::string_view text) {
  const auto first = take_number<Index>(text);
  if (!first || *first < 0) return std::nullopt;
  text = trimmed(text);
  if (text.empty()) return PositionRange{*first, *first};
  for (const std::string_view dash : {"-", "–"}) {
    if (!text.starts_with(dash)) continue;
    std::string_view rest = trimmed(text.substr(dash.size()));
    const auto last = take_number<Index>(rest);
    if (last && rest.empty() && *last >= 0)
      return PositionRange{std::min(*first, *last), std::max(*first, *last)};
  }
  return std::nullopt;
}

Indices indices_of(std::string_view word, const std::vector<std::string>& labels) {
  Indices indices;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] == word) indices.insert(static_cast<Index>(i));
  return indices;
}

// The tokens that are that word, or that word after "token:". None for a whole number.
Indices indices_named(std::string_view word, const std::vector<std::string>& labels) {
  if (is_position(word)) return {};
  Indices indices = indices_of(word, labels);
  if (indices.empty() && word.starts_with(kTokenMark))
    indices = indices_of(word.substr(kTokenMark.size()), labels);
  return indices;
}

Expected<Indices> item_indices(std::string_view item, const std::vector<std::string>& labels) {
  if (Indices indices = indices_named(item, labels); !indices.empty()) return indices;
  const auto range = range_of(item);
  const std::string last = std::to_string(std::ssize(labels) - 1);
  if (!range)
    return fail(ErrorType::kUsage, tr("{} is no token; write words, positions from 0 to {}, or "
                                      "ranges such as 2-7",
                                      {in_quotes(item), last}));
  if (range->last >= std::ssize(labels))
    return fail(ErrorType::kUsage,
                tr("{}: the tokens have the positions 0 to {}", {in_quotes(item), last}));
  Indices indices;
  for (Index i = range->first; i <= range->last; ++i) indices.insert(i);
  return indices;
}

}  // namespace

bool is_position(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

Expected<std::vector<Index>> chosen_tokens(std::string_view text,
                                           const std::vector<std::string>& labels) {
  text = trimmed(text);
  Indices chosen = indices_named(text, labels);  // a token may be a comma
  bool more = chosen.empty() && !text.empty();
  while (more) {
    const std::size_t comma = text.find(',');
    const std::string_view item = trimmed(text.substr(0, comma));
    if (!item.empty()) {
      auto indices = item_indices(item, labels);
      if (!indices) return tl::make_unexpected(indices.error());
      chosen.merge(*indices);
    }
    more = comma != text.npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return std::vector<Index>(chosen.begin(), chosen.end());
}

}  // namespace lab
