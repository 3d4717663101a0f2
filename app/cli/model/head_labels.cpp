#include "app/cli/model/head_labels.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/text.h"
#include "app/document/model/layer_name.h"
#include "app/explain/number_text.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::network::HeadScoreMeter;
using attention::network::HeadScores;
using attention::network::Sublayer;
using nlohmann::ordered_json;

// A text of random tokens, twice, that fits the positions that the model knows.
attention::network::Tokens repeated_text(const files::Model& model, std::uint64_t seed) {
  constexpr Index kLongestPeriod = 25;
  Index period = kLongestPeriod;
  if (model.description.max_positions > 0)
    period = std::clamp<Index>(model.description.max_positions / 2, 1, period);
  const auto vocabulary = static_cast<std::uint32_t>(model.description.vocabulary);
  attention::network::Tokens tokens;
  tokens.ids = attention::network::repeated_tokens(period, vocabulary, seed);
  if (model.network.encoder) tokens.encoder_ids = tokens.ids;
  return tokens;
}

void add_heads(const HeadScoreMeter& meter, Sublayer sublayer, Index n_heads,
               std::vector<LabelledHead>& heads) {
  Index at = 0;
  for (const HeadScores& scores : meter.scores()) {
    heads.push_back({model_head_name({sublayer, at / n_heads}, at % n_heads), scores});
    ++at;
  }
}

std::string score_text(float score) { return explain::format_fixed(score, 4); }

}  // namespace

Expected<LabelledHeads> labelled_heads(const files::ModelSession& session) {
  constexpr std::uint64_t kTexts = 4;
  const files::Description& model = session.model->description;
  const attention::network::Interventions gains{.gains = session.document.interventions.gains};
  attention::network::NetworkEvaluator evaluator(model_threads());
  HeadScoreMeter meter, encoder_meter;
  for (std::uint64_t seed = 1; seed <= kTexts; ++seed) {
    const auto tokens = repeated_text(*session.model, seed);
    const auto& trace = evaluator.evaluate(session.document.network, tokens, gains);
    meter.add(trace.stack, tokens.ids, model.n_heads);
    if (trace.encoder) encoder_meter.add(*trace.encoder, tokens.encoder_ids, model.n_encoder_heads);
  }
  if (auto readable = files::check_readable(*session.model); !readable)
    return tl::make_unexpected(readable.error());
  LabelledHeads result;
  add_heads(meter, Sublayer::kSelf, model.n_heads, result.heads);
  add_heads(encoder_meter, Sublayer::kEncoder, model.n_encoder_heads, result.heads);
  result.without_cross = session.model->network.encoder.has_value();
  return result;
}

std::string label_of(const HeadScores& scores) {
  const std::pair<const char*, float> patterns[] = {{"previous token", scores.previous},
                                                    {"first token", scores.first},
                                                    {"duplicate token", scores.duplicate},
                                                    {"induction", scores.induction}};
  const auto* const best =
      std::ranges::max_element(patterns, {}, [](const auto& p) { return p.second; });
  return best->second >= kLeastLabelled ? best->first : "";
}

std::string labels_text(const LabelledHeads& heads) {
  TextTable table(
      {Side::kLeft, Side::kRight, Side::kRight, Side::kRight, Side::kRight, Side::kLeft});
  table.add({"head", "previous", "first", "duplicate", "induction", "label"});
  for (const auto& [name, scores] : heads.heads)
    table.add({name, score_text(scores.previous), score_text(scores.first),
               score_text(scores.duplicate), score_text(scores.induction), label_of(scores)});
  if (!heads.without_cross) return table.text();
  return table.text() +
         "\nThe heads of cross-attention have no labels: they attend to another text.\n";
}

std::string labels_json(const LabelledHeads& heads) {
  ordered_json list = ordered_json::array();
  for (const auto& [name, scores] : heads.heads) {
    list.push_back({{"head", name},
                    {"previous", scores.previous},
                    {"first", scores.first},
                    {"duplicate", scores.duplicate},
                    {"induction", scores.induction},
                    {"label", label_of(scores)}});
  }
  return ordered_json({{"labels", list}}).dump() + "\n";
}

}  // namespace lab::cli
