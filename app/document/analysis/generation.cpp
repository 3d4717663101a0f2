#include "app/document/analysis/generation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "app/base/bad_input.h"
#include "app/document/model/text_limit.h"
#include "core/embedding.h"

namespace lab {
namespace {

using attention::Index;
using attention::RowVector;

// The first of `tokens` whose cumulated probability is above `share`, which is in [0, 1).
const Prediction& chosen(const std::vector<Prediction>& tokens, double share) {
  double sum = 0;
  for (const Prediction& token : tokens)
    if (sum += static_cast<double>(token.probability); share < sum) return token;
  return tokens.back();  // rounding left the sum below 1
}

Expected<void> check_can_go_on(const ModelDocument& document, const Generation& generation) {
  if (auto there = check_read_out(document); !there) return there;
  if (!document.source->causal)
    return fail(ErrorType::kUsage, "this model fills gaps and does not go on with a text");
  if (!document.interventions.patches.empty())
    return fail(ErrorType::kUsage,
                "patched heads have numbers for as many tokens as there are: take the patches "
                "back before the text goes on");
  if (generation.tokens < 1) return fail(ErrorType::kUsage, "should be 1 token or more");
  return check(generation.sampling);
}

// Fails when there is not enough memory for the text with `more` tokens.
Expected<void> check_memory_for(const ModelDocument& document, int more, int threads) {
  ModelDocument longer = document;
  std::vector<std::uint32_t>& ids =
      longer.network.encoder ? longer.decoder_text.ids : longer.text.ids;
  ids.resize(ids.size() + static_cast<std::size_t>(more));
  return check_continuation_memory(longer, threads);
}

// Fails, naming the first part that gives such numbers, when logits are not finite.
Expected<void> check_logits(const ModelDocument& document, const attention::network::Tokens& tokens,
                            const RowVector& logits, int threads) {
  if (logits.allFinite()) return {};
  attention::network::NetworkEvaluator evaluator(threads);
  auto evaluated = guarded([&] {
    evaluator.evaluate(document.network, tokens, document.interventions);
    return true;
  });
  if (!evaluated) return tl::make_unexpected(evaluated.error());
  return check_finite(evaluator.trace(), std::ssize(tokens.ids) - 1, logits);
}

// The choices among the `count` likeliest tokens, where `all` says whether no other token could be
// one. Otherwise empty where they do not sum up to top_p.
std::optional<std::vector<Prediction>> likeliest_choices(const RowVector& logits,
                                                         const Sampling& sampling,
                                                         std::size_t count, bool all) {
  const std::vector<std::uint32_t> ids = likeliest_tokens(logits, count);
  const double largest = logits(ids.front());
  std::vector<double> weights;
  weights.reserve(ids.size());
  for (const std::uint32_t id : ids)
    weights.push_back(std::exp((logits(id) - largest) / sampling.temperature));
  const double sum =
      all ? std::reduce(weights.begin(), weights.end())
          : ((logits.cast<double>().array() - largest) / sampling.temperature).exp().sum();
  std::size_t kept = 0;
  double share = 0;
  while (kept < ids.size() && (kept == 0 || share < sampling.top_p)) share += weights[kept++] / sum;
  if (!all && share < sampling.top_p) return std::nullopt;
  std::vector<Prediction> tokens;
  tokens.reserve(kept);
  for (std::size_t i = 0; i < kept; ++i)
    tokens.push_back({ids[i], static_cast<float>(weights[i] / (sum * share)), logits(ids[i])});
  return tokens;
}

}  // namespace

Expected<void> check(const Sampling& sampling) {
  if (!(sampling.temperature >= 0) || !std::isfinite(sampling.temperature))
    return fail(ErrorType::kUsage, "the temperature should be 0 or more");
  if (sampling.top_k < 0) return fail(ErrorType::kUsage, "top-k should be 0 or more");
  if (!(sampling.top_p > 0 && sampling.top_p <= 1))
    return fail(ErrorType::kUsage, "top-p should be above 0 and at most 1");
  return {};
}

std::vector<Prediction> choices(const RowVector& logits, const Sampling& sampling) {
  if (sampling.temperature == 0) {
    const std::uint32_t id = likeliest_token(logits);
    return {{id, 1, logits(id)}};
  }
  const auto all = static_cast<std::size_t>(logits.size());
  if (sampling.top_k > 0)
    return *likeliest_choices(logits, sampling,
                              std::min(all, static_cast<std::size_t>(sampling.top_k)), true);
  if (sampling.top_p == 1) return *likeliest_choices(logits, sampling, all, true);
  constexpr std::size_t kFirst = 64, kMore = 8;  // few reach the sum, and all take long to sort
  for (std::size_t count = kFirst; count < all; count *= kMore)
    if (auto tokens = likeliest_choices(logits, sampling, count, false)) return *tokens;
  return *likeliest_choices(logits, sampling, all, true);
}

Expected<std::vector<Prediction>> generate(const ModelDocument& document,
                                           attention::network::Continuation& continuation,
                                           const Generation& generation, const OnToken& on_token,
                                           attention::WorkWatch* watch) {
  if (auto able = check_can_go_on(document, generation); !able)
    return tl::make_unexpected(able.error());
  const int threads = continuation.pool().threads();
  if (auto fits = check_memory_for(document, generation.tokens, threads); !fits)
    return tl::make_unexpected(fits.error());
  const Index most = document.network.stack.embedding.most_tokens();
  attention::network::Tokens tokens = tokens_of(document);
  attention::PortableRandom random(generation.seed);
  std::vector<Prediction> added;
  for (int step = 0; step < generation.tokens; ++step) {
    const Index last = std::ssize(tokens.ids) - 1;
    const auto logits = guarded([&] {
      return continuation.logits(document.network, tokens, document.interventions,
                                 step == 0 ? watch : nullptr);
    });
    if (!logits) return tl::make_unexpected(logits.error());
    if (auto finite = check_logits(document, tokens, *logits, threads); !finite)
      return tl::make_unexpected(finite.error());
    if (step == 0) expect_work(watch, generation.tokens);
    const std::uint32_t id =
        chosen(choices(*logits, generation.sampling), static_cast<double>(random.uniform())).id;
    added.push_back(prediction_of(*logits, id));
    if (on_token) on_token(added.back());
    report_work(watch, 1);
    if (std::ranges::find(generation.ends, id) != generation.ends.end()) break;
    if (most > 0 && last + 2 > most) break;
    tokens.ids.push_back(id);
    if (!tokens.types.empty()) tokens.types.push_back(tokens.types.back());
  }
  return added;
}

}  // namespace lab
