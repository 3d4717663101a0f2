#include "app/cli/arguments.h"

#include <cctype>
#include <cmath>
#include <filesystem>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/explain/number_text.h"

namespace lab::cli {

namespace {

constexpr int kSmallestSide = 240;
constexpr int kLargestSide = 8192;

bool is_side(std::optional<int> side) {
  return side && *side >= kSmallestSide && *side <= kLargestSide;
}

}  // namespace

std::optional<int> whole_number(std::string_view text) { return parse_number<int>(text); }

std::optional<float> finite_number(std::string_view text) {
  const auto value = parse_number<float>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

Expected<attention::Stage> parse_stage(const std::string& name) {
  if (const auto stage = attention::stage_from_name(name)) return *stage;
  std::string names;
  for (const attention::Stage stage : attention::kAllStages) {
    names += (names.empty() ? "" : ", ") + std::string(attention::stage_name(stage));
  }
  return fail(ErrorType::kUsage,
              "--stage is " + in_quotes(name) + " but should be one of " + names);
}

Expected<void> check_stage(attention::Stage stage, const Document& document) {
  if (stage_shape(document.problem, stage) != attention::Shape{}) return {};
  const bool keys = has_key_rows(stage) && !document.problem.cross();
  const bool pairs = has_key_columns(stage);
  return fail(ErrorType::kUsage,
              "there is no " + std::string(stage_name(stage)) + " here: " +
                  (keys    ? "keys and values come from the same sentence as queries"
                   : pairs ? "scores are not compared with distances in this way"
                           : "no positions are added to the embeddings"));
}

namespace {

// ", or 0 to 3" for the heads of one layer; empty for those of several.
std::string numbers_of_heads(const std::vector<std::string>& names) {
  const auto layer = [](const std::string& name) { return name.substr(0, name.rfind('H')); };
  if (layer(names.front()) != layer(names.back())) return {};
  return ", or 0 to " + std::to_string(names.size() - 1);
}

// The head of that name, or, in one layer, of that number from 0.
Expected<attention::Index> parse_head_name(const std::string& text, const Document& document,
                                           const std::string& option) {
  std::vector<attention::Index> found;
  const std::vector<std::string>& names = document.head_names;
  for (std::size_t head = 0; head < names.size(); ++head)
    if (names[head] == text || names[head].ends_with("H" + text))
      found.push_back(static_cast<attention::Index>(head));
  if (found.size() == 1) return found.front();
  return fail(ErrorType::kUsage, option + " is " + in_quotes(text) + " but should be one of " +
                                     names.front() + " to " + names.back() +
                                     numbers_of_heads(names));
}

}  // namespace

Expected<attention::Index> parse_head(const std::string& text, const Document& document,
                                      const std::string& option) {
  if (text.empty()) return 0;
  if (!document.head_names.empty()) return parse_head_name(text, document, option);
  const int n_heads = document.problem.config.n_heads;
  const auto head = whole_number(text);
  if (head && *head >= 1 && *head <= n_heads) return *head - 1;
  const std::string range = n_heads == 1 ? "1, the only one" : "1 to " + std::to_string(n_heads);
  return fail(ErrorType::kUsage, option + " is " + in_quotes(text) + " but should be " + range);
}

Expected<bool> parse_theme(const std::string& name) {
  if (name == "light" || name == "dark") return name == "dark";
  return fail(ErrorType::kUsage, "--theme is " + in_quotes(name) + " but should be light or dark");
}

Expected<void> check_digits(int digits) {
  return check_between("--digits", digits, explain::kFewestDigits, explain::kMostDigits);
}

Expected<figure::ThemeId> parse_window_theme(const std::string& name) {
  if (const auto theme = figure::theme_from_name(name)) return *theme;
  return fail(ErrorType::kUsage,
              "--theme is " + in_quotes(name) + " but should be light, dark or high-contrast");
}

Expected<Language> parse_language(const std::string& name) {
  if (const auto language = language_from_name(name)) return *language;
  return fail(ErrorType::kUsage, "--language is " + in_quotes(name) + " but should be en or de");
}

Expected<void> check_between(const char* option, double value, double least, double most) {
  if (value >= least && value <= most) return {};
  const auto text = [](double number) {
    return explain::format_significant(static_cast<float>(number), 4);
  };
  return fail(ErrorType::kUsage, std::string(option) + " is " + text(value) +
                                     " but should be from " + text(least) + " to " + text(most));
}

Expected<PixelSize> parse_pixel_size(const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross != std::string::npos) {
    const std::string_view view = text;
    const auto width = whole_number(view.substr(0, cross));
    const auto height = whole_number(view.substr(cross + 1));
    if (is_side(width) && is_side(height)) return PixelSize{*width, *height};
  }
  return fail(ErrorType::kUsage, "--size is " + in_quotes(text) +
                                     " but should be WIDTHxHEIGHT in pixels, such as 1600x1000, "
                                     "each from " +
                                     std::to_string(kSmallestSide) + " to " +
                                     std::to_string(kLargestSide));
}

}  // namespace lab::cli
