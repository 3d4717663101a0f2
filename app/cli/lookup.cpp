#include "app/cli/lookup.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/document/model/token_name.h"
#include "app/document/token_choice.h"

namespace lab::cli {

using attention::Index;

namespace {

constexpr std::size_t kMostListed = 12;

std::string listed(const std::vector<std::string>& labels) {
  std::string text;
  for (std::size_t i = 0; i < std::min(labels.size(), kMostListed); ++i) {
    const std::string number = std::to_string(i);
    text += (i == 0 ? "" : ", ") + number + (labels[i] == number ? "" : " " + labels[i]);
  }
  if (labels.size() <= kMostListed) return text;
  return text + " … " + std::to_string(labels.size() - 1);
}

std::optional<Index> index_of(const std::vector<std::string>& labels, std::string_view label) {
  const auto at = std::ranges::find(labels, label);
  if (at == labels.end()) return std::nullopt;
  return at - labels.begin();
}

std::string repeated_note(const std::vector<std::string>& labels, Index first) {
  const auto repeats = std::count(labels.begin() + first, labels.end(), labels[first]);
  if (repeats == 1) return {};
  return in_quotes(labels[first]) + " appears " + std::to_string(repeats) +
         " times; using the first, at position " + std::to_string(first);
}

std::optional<Found> found_label(const std::vector<std::string>& labels,
                                 const std::vector<std::string>& pieces, std::string_view text) {
  auto at = index_of(labels, text);
  for (std::size_t i = 0; !at && i < labels.size(); ++i)
    if (is_called(text, labels[i], i < pieces.size() ? pieces[i] : labels[i]))
      at = static_cast<Index>(i);
  if (!at) return std::nullopt;
  return Found{*at, repeated_note(labels, *at)};
}

// What to write for the token that is written like the number `text`.
std::string other_token_note(Index at, const std::string& text) {
  return "the token " + in_quotes(text) + " is at position " + std::to_string(at) + ": write " +
         std::string(kTokenMark) + text + " for it";
}

Expected<Found> found_position(const std::vector<std::string>& labels, const std::string& text,
                               const std::string& option) {
  const auto position = whole_number(text);
  const auto token = index_of(labels, text);
  if (position && static_cast<std::size_t>(*position) < labels.size()) {
    if (!token || labels[*position] == text) return Found{*position, {}};
    return Found{*position, text + " is a position; " + other_token_note(*token, text)};
  }
  return fail(ErrorType::kUsage, option + " is " + in_quotes(text) + " but should be " +
                                     (token ? "from 0 to " + std::to_string(labels.size() - 1) +
                                                  "; " + other_token_note(*token, text)
                                            : "one of " + listed(labels)));
}

}  // namespace

Expected<Found> find_label(const std::vector<std::string>& labels, const std::string& text,
                           const std::string& option, const std::vector<std::string>& pieces) {
  if (is_position(text)) return found_position(labels, text, option);
  auto found = found_label(labels, pieces, text);
  if (!found && text.starts_with(kTokenMark))
    found = found_label(labels, pieces, std::string_view(text).substr(kTokenMark.size()));
  if (found) return *found;
  return fail(ErrorType::kUsage,
              option + " is " + in_quotes(text) + " but should be one of " + listed(labels));
}

}  // namespace lab::cli
