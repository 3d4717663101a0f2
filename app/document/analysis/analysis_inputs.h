#pragma once

#include "app/document/analysis/model_analysis.h"

namespace lab {

/// The entries of an AnalysisResult.
enum class EntryType {
  kAnswer,
  kPredictions,
  kLens,
  kMasked,
  kEntropies,
  kDirect,
  kLabels,
  kKnockOut,
  kPatching,
  kLensOfAllRows,
  kExploration,
  kGradient,
};

/// A type of entry and its member of the result.
template <typename Value>
struct EntryId {
  EntryType type;
  AnalysisEntry<Value> AnalysisResult::*member;
};

inline constexpr EntryId<AskedAnswer> kAnswerEntry{EntryType::kAnswer, &AnalysisResult::answer};
inline constexpr EntryId<RowPredictions> kPredictionsEntry{EntryType::kPredictions,
                                                           &AnalysisResult::predictions};
inline constexpr EntryId<RowLens> kLensEntry{EntryType::kLens, &AnalysisResult::lens};
inline constexpr EntryId<std::vector<PredictionsAt>> kMaskedEntry{EntryType::kMasked,
                                                                  &AnalysisResult::masked};
inline constexpr EntryId<std::vector<HeadMap>> kEntropiesEntry{EntryType::kEntropies,
                                                               &AnalysisResult::entropies};
inline constexpr EntryId<AnswerAttribution> kDirectEntry{EntryType::kDirect,
                                                         &AnalysisResult::direct};
inline constexpr EntryId<LabelledHeads> kLabelsEntry{EntryType::kLabels, &AnalysisResult::labels};
inline constexpr EntryId<AnswerMaps> kKnockOutEntry{EntryType::kKnockOut,
                                                    &AnalysisResult::knock_out};
inline constexpr EntryId<AnswerMaps> kPatchingEntry{EntryType::kPatching,
                                                    &AnalysisResult::patching};
inline constexpr EntryId<LensGrid> kLensOfAllRowsEntry{EntryType::kLensOfAllRows,
                                                       &AnalysisResult::lens_of_all_rows};
inline constexpr EntryId<Exploration> kExplorationEntry{EntryType::kExploration,
                                                        &AnalysisResult::exploration};

inline constexpr EntryId<ModelGradient> kGradientEntry{EntryType::kGradient,
                                                       &AnalysisResult::gradient};

/// Number of types.
inline constexpr std::size_t kEntryTypes = 12;

/// Calls visit(id) with each EntryId.
template <typename Visit>
void for_each_entry(Visit visit) {
  visit(kAnswerEntry), visit(kPredictionsEntry), visit(kLensEntry), visit(kMaskedEntry);
  visit(kEntropiesEntry), visit(kDirectEntry), visit(kLabelsEntry), visit(kKnockOutEntry);
  visit(kPatchingEntry), visit(kLensOfAllRowsEntry), visit(kExplorationEntry);
  visit(kGradientEntry);
}

/// What was asked for, and what the request leaves open, as far as it is known.
struct RequestedAnalysis {
  AnalysedModel model;
  AnalysisRequest request;
  std::optional<attention::Index> row;               ///< unset: no row predicts
  std::optional<attention::network::Answer> answer;  ///< unset: not known yet, or none

  /// True when there is a model.
  bool any() const { return model.document && model.trace; }
};

/// What the numbers of an entry depend on; the rest is empty. Without a trace they depend only on
/// the network and what is done to its heads, and not on the text.
struct EntryInputs {
  AnalysedModel model = {}, source = {};
  std::optional<attention::Index> row = {};
  std::optional<attention::network::Answer> answer = {};
  std::vector<std::uint32_t> pinned = {};
  std::optional<ExplorationRequest> exploration = {};
  std::optional<GradientRequest> gradient = {};
};

/// The inputs of an entry that was asked for.
EntryInputs inputs_of(EntryType type, const RequestedAnalysis& requested);

/// True when both give the same numbers.
bool same_model(const AnalysedModel& a, const AnalysedModel& b);
/// The same for all inputs of an entry.
bool same_inputs(const EntryInputs& a, const EntryInputs& b);

}  // namespace lab
