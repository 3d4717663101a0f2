#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/model/model_run.h"
#include "app/cli/model/predictions.h"
#include "core/network/attribution.h"

namespace lab::cli {

/// What `attribute` can tell of a model's answer.
enum class AttributionKind {
  kSummary,   ///< logit lens, direct attribution and knock-out map
  kLens,      ///< what each layer would answer
  kDirect,    ///< what each head adds to the logit
  kKnockOut,  ///< what the logit loses without each head
  kRollout,   ///< which token reaches which row through all layers
};

/// The kind of that name: "summary", "lens", "direct", "knock-out", "rollout".
std::optional<AttributionKind> attribution_kind_from_name(std::string_view name);

/// The answer that is asked about.
struct AskedAnswer {
  attention::Index row = 0;   ///< of the token after which, or in whose place, it is predicted
  Prediction token;           ///< with its probability and logit
  attention::Index rank = 1;  ///< 1: the most probable one
};

/// What the model would answer if it ended before a layer.
struct LensLine {
  Prediction top;                    ///< the most probable token
  Prediction answer;                 ///< the answer that is asked about
  attention::Index answer_rank = 1;  ///< among all tokens, from 1
};

/// Attention rollout of one stack.
struct StackRollout {
  std::string name;  ///< "", or "encoder" and "decoder" of a model with two
  std::vector<std::uint32_t> ids;
  attention::Matrix reach;  ///< [n × n]
};

/// What the logit loses without each head of a sublayer.
struct KnockOutMap {
  attention::network::Sublayer sublayer{};
  attention::Matrix change;  ///< [its layers × its heads]
};

/// What was asked for; the rest is empty.
struct AttributionReport {
  std::optional<AskedAnswer> answer;
  std::vector<LensLine> lens;  ///< before each layer, and after the last one
  std::optional<attention::network::LogitAttribution> direct;
  std::string direct_refused;           ///< why there is no `direct` in a summary
  std::vector<KnockOutMap> knock_outs;  ///< of each sublayer that the model has
  std::vector<StackRollout> rollouts;
};

/// The answer to ask about.
struct AnswerChoice {
  std::optional<std::string> token;  ///< what it is called, see is_called(); of several tokens the
                                     ///< most probable one
  std::optional<std::uint32_t> id;   ///< instead of that; neither: the most probable one
  std::optional<std::string> row;    ///< a token of the text, as above, or its number; nothing: the
                                     ///< last row, or the first masked token
};

/// Computes what `kind` is about. Fails with kUsage for an answer or a row that there is not, and
/// with kBadInput when the model has no read-out, or, for kDirect, is of a family in which a logit
/// is no sum of parts.
Expected<AttributionReport> attribution_report(ModelRun& run, AttributionKind kind,
                                               const AnswerChoice& choice);

/// The report as tables.
std::string attribution_text(const ModelRun& run, const AttributionReport& report);
/// The report as JSON.
std::string attribution_json(const ModelRun& run, const AttributionReport& report);

}  // namespace lab::cli
