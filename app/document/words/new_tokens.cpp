#include "app/document/words/new_tokens.h"

#include <algorithm>
#include <cmath>

namespace lab {

std::optional<float> fitting_new_token_scale(const Document& document) {
  constexpr double kAboutDefault = 1.25;
  if (document.layer.model) return std::nullopt;  // its tokens have their own vectors
  const bool all_stored = std::ranges::all_of(
      document.tokens, [&](const Token& token) { return document.lexicon->contains(token.key); });
  if (!all_stored || document.new_token_scale != 1) return std::nullopt;
  // The numbers of default embeddings have a mean square of 1.
  const auto& rows = *document.problem.embedding;
  const double size =
      std::sqrt(rows.cast<double>().squaredNorm() / static_cast<double>(rows.size()));
  if (!std::isfinite(size) || size == 0) return std::nullopt;
  if (size < kAboutDefault && size > 1 / kAboutDefault) return std::nullopt;
  const double digit = std::pow(10.0, std::floor(std::log10(size)) - 1);
  const auto scale = static_cast<float>(std::round(size / digit) * digit);
  return is_new_token_scale(scale) ? std::optional(scale) : std::nullopt;
}

namespace {

// True for a command after which the sentence may have new tokens.
bool adds_tokens(const SetSentence& command) { return !command.text.empty(); }
bool adds_tokens(const SetKvSentence& command) { return !command.text.empty(); }
bool adds_tokens(const SetTokenMode&) { return true; }

template <typename Edit>
void fit_new_tokens(const Document& document, Command& command) {
  auto* edit = std::get_if<Edit>(&command);
  if (edit != nullptr && adds_tokens(*edit) && !edit->new_token_scale)
    edit->new_token_scale = fitting_new_token_scale(document);
}

}  // namespace

Command with_fitting_scale(const Document& document, Command command) {
  fit_new_tokens<SetSentence>(document, command);
  fit_new_tokens<SetKvSentence>(document, command);
  fit_new_tokens<SetTokenMode>(document, command);
  return command;
}

}  // namespace lab
