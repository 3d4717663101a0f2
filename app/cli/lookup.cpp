#include "app/cli/lookup.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"

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

std::string repeated_note(const std::vector<std::string>& labels, Index first) {
  const auto repeats = std::count(labels.begin() + first, labels.end(), labels[first]);
  if (repeats == 1) return {};
  return in_quotes(labels[first]) + " appears " + std::to_string(repeats) +
         " times; using the first, at position " + std::to_string(first);
}

}  // namespace

Expected<Found> find_label(const std::vector<std::string>& labels, const std::string& text,
                           const std::string& option) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != text) continue;
    return Found{static_cast<Index>(i), repeated_note(labels, i)};
  }
  const auto position = whole_number(text);
  if (position && *position >= 0 && static_cast<std::size_t>(*position) < labels.size()) {
    return Found{*position, {}};
  }
  return fail(ErrorKind::kUsage,
              option + " is " + in_quotes(text) + " but should be one of " + listed(labels));
}

}  // namespace lab::cli
