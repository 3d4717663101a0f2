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

using Places = std::set<Index>;

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

Places places_of(std::string_view word, const std::vector<std::string>& labels) {
  Places places;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] == word) places.insert(static_cast<Index>(i));
  return places;
}

// The tokens that are that word, or that word after "token:". None for a whole number.
Places places_named(std::string_view word, const std::vector<std::string>& labels) {
  if (is_position(word)) return {};
  Places places = places_of(word, labels);
  if (places.empty() && word.starts_with(kTokenMark))
    places = places_of(word.substr(kTokenMark.size()), labels);
  return places;
}

Expected<Places> part_of(std::string_view part, const std::vector<std::string>& labels) {
  if (Places places = places_named(part, labels); !places.empty()) return places;
  const auto range = range_of(part);
  const std::string last = std::to_string(std::ssize(labels) - 1);
  if (!range)
    return fail(ErrorType::kUsage, tr("{} is no token; write words, positions from 0 to {}, or "
                                      "ranges such as 2-7",
                                      {in_quotes(part), last}));
  if (range->last >= std::ssize(labels))
    return fail(ErrorType::kUsage,
                tr("{}: the tokens have the positions 0 to {}", {in_quotes(part), last}));
  Places places;
  for (Index i = range->first; i <= range->last; ++i) places.insert(i);
  return places;
}

}  // namespace

bool is_position(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

Expected<std::vector<Index>> chosen_tokens(std::string_view text,
                                           const std::vector<std::string>& labels) {
  text = trimmed(text);
  Places chosen = places_named(text, labels);  // a token may be a comma
  bool more = chosen.empty() && !text.empty();
  while (more) {
    const std::size_t comma = text.find(',');
    const std::string_view part = trimmed(text.substr(0, comma));
    if (!part.empty()) {
      auto places = part_of(part, labels);
      if (!places) return tl::make_unexpected(places.error());
      chosen.merge(*places);
    }
    more = comma != text.npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return std::vector<Index>(chosen.begin(), chosen.end());
}

}  // namespace lab
