#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/model/model_run.h"
#include "app/document/analysis/answer.h"
#include "app/document/analysis/exploration.h"
#include "app/document/analysis/head_labels.h"
#include "app/document/analysis/model_pass.h"
#include "core/network/attribution.h"

namespace lab::cli {

/// What `attribute` can report about a model's answer.
enum class AttributionType {
  kSummary,   ///< logit lens, direct attribution, knock-out map, and patching if asked for
  kLens,      ///< what each layer would answer
  kDirect,    ///< what each head adds to the logit
  kKnockOut,  ///< what the logit loses without each head
  kPatching,  ///< how the logit changes with each head's output on another text
  kRollout,   ///< which token reaches which row through all layers
};

/// The type of that name: "summary", "lens", "direct", "knock-out", "patching", "rollout".
std::optional<AttributionType> attribution_type_from_name(std::string_view name);

/// Attention rollout of one stack.
struct StackRollout {
  std::string name;  ///< "", or "encoder" and "decoder" of a model with two
  std::vector<std::uint32_t> ids;
  attention::Matrix reach;  ///< [n × n]
};

/// How an answer changes with each head's output on another text.
struct PatchingReport {
  AskedAnswer there;          ///< the same answer on that text
  std::vector<HeadMap> maps;  ///< of each sublayer that the model has
};

/// What was asked for; the rest is empty.
struct AttributionReport {
  std::optional<AskedAnswer> answer;
  std::vector<LensLine> lens;  ///< before each layer, and after the last one
  std::optional<attention::network::LogitAttribution> direct;
  std::string direct_refused;       ///< why there is no `direct` in a summary
  std::vector<HeadMap> knock_outs;  ///< of each sublayer that the model has
  std::optional<PatchingReport> patching;
  std::vector<StackRollout> rollouts;
};

/// A token, by name or by id.
struct TokenByName {
  std::optional<std::string> token;  ///< what it is called, see is_called(); of several tokens the
                                     ///< most probable one
  std::optional<std::uint32_t> id;   ///< instead of that

  /// True when it is set.
  bool any() const { return token || id; }
};

/// The answer to ask about, and what to compare it with.
struct AnswerChoice {
  TokenByName token;                    ///< not set: the most probable one
  TokenByName minus;                    ///< whose logit is subtracted; not set: none
  std::optional<std::string> row;       ///< a token of the text, by the same names, or its number;
                                        ///< unset: the last row, or the first masked token
  std::optional<ModelText> patch_from;  ///< the text from which heads are patched
};

/// Computes what `type` is about. Fails with kUsage for an answer or a row that there is not, or a
/// text to patch from that has another number of tokens, and with kBadInput when the model has no
/// read-out, or, for kDirect, is of a family in which a logit is no sum of components.
Expected<AttributionReport> attribution_report(ModelRun& run, AttributionType type,
                                               const AnswerChoice& choice);

/// The report as tables.
std::string attribution_text(const ModelRun& run, const AttributionReport& report);
/// The report as JSON.
std::string attribution_json(const ModelRun& run, const AttributionReport& report);

// What heads attend to, on random tokens and in a text.

/// The heads as a table.
std::string labels_text(const LabelledHeads& heads);
/// The heads as JSON.
std::string labels_json(const LabelledHeads& heads);

/// What was found, as tables: of one head its pairs in their context, of several the strongest
/// pairs of each.
std::string exploration_text(const ModelSource& model, const Exploration& exploration);
/// The same as JSON, with the pairs of all heads in their context.
std::string exploration_json(const ModelSource& model, const Exploration& exploration);

}  // namespace lab::cli
