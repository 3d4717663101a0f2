#include "app/base/wording.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/machine_numbers.h"
#include "app/translation/words.h"

namespace lab {
namespace {

constexpr std::array kNamesInWords{
    tr_later("embedding"),
    tr_later("position"),
    tr_later("embedding_kv"),
    tr_later("position_kv"),
    tr_later("normed_Q"),
    tr_later("normed_K"),
    tr_later("rotated_Q"),
    tr_later("rotated_K"),
    tr_later("scores"),
    tr_later("scaled_scores"),
    tr_later("capped_scores"),
    tr_later("masked_scores"),
    tr_later("weights"),
    tr_later("dropped_weights"),
    tr_later("head_output"),
    tr_later("concat"),
    tr_later("output"),
    tr_later("residual"),
    tr_later("layer_norm"),
    tr_later("mask"),
    tr_later("score_bias"),
    tr_later("position_table"),
    tr_later("position_table_kv"),
};

}  // namespace

std::string grouped(attention::Index count) {
  std::string digits = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, tr(",##between thousands"));
  }
  return digits;
}

std::string name_in_words(std::string_view name) {
  const bool is_word = std::ranges::find(kNamesInWords, name) != kNamesInWords.end();
  return is_word ? tr(name) : std::string(name);
}

std::string shortest(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  return shortest_digits(value);
}

}  // namespace lab
