#include "app/document/words/new_words.h"

#include <algorithm>
#include <cmath>

namespace lab {

std::optional<float> fitting_new_word_scale(const Document& document) {
  constexpr double kAboutDefault = 1.25;
  const bool own = std::ranges::all_of(
      document.tokens, [&](const Token& token) { return document.lexicon->contains(token.key); });
  if (!own || document.new_word_scale != 1) return std::nullopt;
  // The numbers of default embeddings have a mean square of 1.
  const auto& rows = *document.problem.embedding;
  const double size =
      std::sqrt(rows.cast<double>().squaredNorm() / static_cast<double>(rows.size()));
  if (!std::isfinite(size) || size == 0) return std::nullopt;
  if (size < kAboutDefault && size > 1 / kAboutDefault) return std::nullopt;
  const double digit = std::pow(10.0, std::floor(std::log10(size)) - 1);
  const auto scale = static_cast<float>(std::round(size / digit) * digit);
  return is_new_word_scale(scale) ? std::optional(scale) : std::nullopt;
}

namespace {

template <typename Sentence>
void fit_new_words(const Document& document, Command& command) {
  auto* sentence = std::get_if<Sentence>(&command);
  if (sentence != nullptr && !sentence->text.empty() && !sentence->new_word_scale)
    sentence->new_word_scale = fitting_new_word_scale(document);
}

}  // namespace

Command with_fitting_words(const Document& document, Command command) {
  fit_new_words<SetSentence>(document, command);
  fit_new_words<SetKvSentence>(document, command);
  return command;
}

}  // namespace lab
