#include "app/lessons/answers/named_place.h"

#include <algorithm>

#include "app/base/machine_numbers.h"

namespace lab::lessons {

using attention::Index;

std::optional<Index> named_place(const IndexText& index, const std::vector<std::string>& labels) {
  const auto count = static_cast<Index>(labels.size());
  for (const std::string& label : {index.text, "·" + index.text})
    if (const auto at = std::ranges::find(labels, label); at != labels.end())
      return at - labels.begin();
  if (index.quoted) return std::nullopt;
  if (index.text == "last" && count > 0) return count - 1;
  const auto number = parse_number<Index>(index.text);
  return number && *number >= 0 && *number < count ? number : std::nullopt;
}

std::string listed(const std::vector<std::string>& labels) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(labels.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + labels[i];
  return labels.size() > kMost ? text + " …" : text;
}

std::string without_blank(const std::string& label) {
  constexpr std::string_view kBlank = "·";
  const bool marked = label.size() > kBlank.size() && label.starts_with(kBlank);
  return marked ? label.substr(kBlank.size()) : label;
}

}  // namespace lab::lessons
