#include "app/files/model/layer_alone.h"

#include <cmath>
#include <optional>

#include "app/files/session/token_keys.h"

namespace lab::files {
namespace {

using attention::Index;

// The base whose frequencies these are for all pairs of d_k features; nothing when there is none.
std::optional<float> base_of(const attention::Matrix& frequencies, int d_k) {
  constexpr double kTolerance = 1e-5;
  const Index pairs = frequencies.cols();
  if (2 * pairs != d_k) return std::nullopt;
  const double base =
      pairs < 2 ? 1 : std::pow(static_cast<double>(frequencies(0, 1)), -static_cast<double>(pairs));
  if (!(base >= 1) || !std::isfinite(base)) return std::nullopt;
  for (Index i = 0; i < pairs; ++i) {
    const double expected = std::pow(base, -static_cast<double>(i) / static_cast<double>(pairs));
    if (std::abs(frequencies(0, i) / expected - 1) > kTolerance) return std::nullopt;
  }
  return static_cast<float>(base);
}

// Labels are set again when the tokens were made from their texts.
void keep_labels(const std::vector<Token>& from, std::vector<Token>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i].shown = from[i].shown;
}

}  // namespace

LayerAlone layer_alone(const Document& layer) {
  LayerAlone alone{layer, {}};
  Document& document = alone.document;
  attention::Problem& problem = document.problem;
  set_query_tokens(document, texts_of(layer.tokens));
  keep_labels(layer.tokens, document.tokens);
  if (problem.cross()) {
    set_kv_tokens(document, texts_of(layer.kv_tokens));
    keep_labels(layer.kv_tokens, document.kv_tokens);
  }
  document.head_names.clear();
  if (!problem.rotary_frequencies.empty()) {
    const auto base = base_of(*problem.rotary_frequencies, problem.config.d_k);
    if (base) problem.config.rotary_base = *base;
    if (!base) alone.lost = "the frequencies of its rotary positions";
    problem.rotary_frequencies = {};
    problem.rotary_first = 0;
  }
  problem.input_parts.reset();
  problem.key_layer.reset();
  if (!problem.head_bias.empty()) {
    alone.lost = "the bias of distances that each head adds to its scores";
    problem.head_bias.clear();
  }
  if (problem.relative) {
    alone.lost = "the scores by distance that each head adds";
    problem.relative.reset();
    std::erase_if(document.problem.overrides, [&](const attention::Override& one) {
      return stage_shape(problem, one.stage).rows == 0;
    });
  }
  if (!alone.lost.empty())
    alone.lost = "a layer on its own does not keep " + alone.lost +
                 ": its numbers differ from those in the model";
  return alone;
}

}  // namespace lab::files
