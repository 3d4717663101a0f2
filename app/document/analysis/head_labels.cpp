#include "app/document/analysis/head_labels.h"

#include <algorithm>

#include "app/translation/words.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::HeadScoreMeter;
using attention::network::HeadScores;
using attention::network::Network;
using attention::network::Sublayer;

// A text of random tokens, twice, that fits the positions that the model knows.
attention::network::Tokens repeated_text(const Network& network, Index longest,
                                         std::uint64_t seed) {
  constexpr Index kLongestPeriod = 25;
  const Index period =
      longest > 0 ? std::clamp<Index>(longest / 2, 1, kLongestPeriod) : kLongestPeriod;
  const auto vocabulary = static_cast<std::uint32_t>(network.stack.embedding.tokens.rows());
  attention::network::Tokens tokens;
  tokens.ids = attention::network::repeated_tokens(period, vocabulary, seed);
  if (network.encoder) tokens.encoder_ids = tokens.ids;
  return tokens;
}

void add_heads(const HeadScoreMeter& meter, const Network& network, Sublayer sublayer,
               std::vector<LabelledHead>& heads) {
  const std::vector<HeadScores> scores = meter.scores();
  const Index n_heads = head_count(network, sublayer);
  for (const Index layer : attending_layers(network, sublayer))
    for (Index head = 0; head < n_heads; ++head)
      heads.push_back(
          {{{sublayer, layer}, head}, scores[static_cast<std::size_t>(layer * n_heads + head)]});
}

}  // namespace

std::string label_of(const HeadScores& scores) {
  const std::pair<const char*, float> patterns[] = {{tr_later("previous token"), scores.previous},
                                                    {tr_later("first token"), scores.first},
                                                    {tr_later("duplicate token"), scores.duplicate},
                                                    {tr_later("induction"), scores.induction}};
  const auto* const best =
      std::ranges::max_element(patterns, {}, [](const auto& p) { return p.second; });
  return best->second >= kLeastLabelled ? best->first : "";
}

HeadLabelling::HeadLabelling(const ModelDocument& document, int threads)
    : network_(document.network),
      gains_{.gains = document.interventions.gains},
      longest_(document.source->max_positions),
      evaluator_(threads) {}

void HeadLabelling::step(attention::WorkWatch* watch) {
  const auto tokens = repeated_text(network_, longest_, texts_read_ + 1);
  const auto& trace = evaluator_.evaluate(network_, tokens, gains_, watch);
  meter_.add(trace.stack, tokens.ids, head_count(network_, Sublayer::kSelf));
  if (trace.encoder)
    encoder_meter_.add(*trace.encoder, tokens.encoder_ids,
                       head_count(network_, Sublayer::kEncoder));
  ++texts_read_;
}

LabelledHeads HeadLabelling::heads() const {
  LabelledHeads result;
  add_heads(meter_, network_, Sublayer::kSelf, result.heads);
  if (network_.encoder) add_heads(encoder_meter_, network_, Sublayer::kEncoder, result.heads);
  result.without_cross = network_.encoder.has_value();
  return result;
}

LabelledHeads labelled_heads(const ModelDocument& document, int threads) {
  HeadLabelling labelling(document, threads);
  while (!labelling.done()) labelling.step();
  return labelling.heads();
}

}  // namespace lab
