#pragma once

#include "app/document/analysis/model_analysis.h"

namespace lab {

/// The parts of an AnalysisResult.
enum class PartType {
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

/// A kind and its place in the result.
template <typename Value>
struct PartId {
  PartType type;
  AnalysisPart<Value> AnalysisResult::*place;
};

inline constexpr PartId<AskedAnswer> kAnswerPart{PartType::kAnswer, &AnalysisResult::answer};
inline constexpr PartId<RowPredictions> kPredictionsPart{PartType::kPredictions,
                                                         &AnalysisResult::predictions};
inline constexpr PartId<RowLens> kLensPart{PartType::kLens, &AnalysisResult::lens};
inline constexpr PartId<std::vector<PredictionsAt>> kMaskedPart{PartType::kMasked,
                                                                &AnalysisResult::masked};
inline constexpr PartId<std::vector<HeadMap>> kEntropiesPart{PartType::kEntropies,
                                                             &AnalysisResult::entropies};
inline constexpr PartId<AnswerParts> kDirectPart{PartType::kDirect, &AnalysisResult::direct};
inline constexpr PartId<LabelledHeads> kLabelsPart{PartType::kLabels, &AnalysisResult::labels};
inline constexpr PartId<AnswerMaps> kKnockOutPart{PartType::kKnockOut, &AnalysisResult::knock_out};
inline constexpr PartId<AnswerMaps> kPatchingPart{PartType::kPatching, &AnalysisResult::patching};
inline constexpr PartId<LensGrid> kLensOfAllRowsPart{PartType::kLensOfAllRows,
                                                     &AnalysisResult::lens_of_all_rows};
inline constexpr PartId<Exploration> kExplorationPart{PartType::kExploration,
                                                      &AnalysisResult::exploration};

inline constexpr PartId<ModelGradient> kGradientPart{PartType::kGradient,
                                                     &AnalysisResult::gradient};

/// Number of kinds.
inline constexpr std::size_t kPartTypes = 12;

/// Calls visit(part) with each PartId.
template <typename Visit>
void for_each_part(Visit visit) {
  visit(kAnswerPart), visit(kPredictionsPart), visit(kLensPart), visit(kMaskedPart);
  visit(kEntropiesPart), visit(kDirectPart), visit(kLabelsPart), visit(kKnockOutPart);
  visit(kPatchingPart), visit(kLensOfAllRowsPart), visit(kExplorationPart);
  visit(kGradientPart);
}

/// What was asked for, and what the request leaves open, as far as it is known.
struct RequestedAnalysis {
  AnalysedModel model;
  AnalysisRequest request;
  std::optional<attention::Index> row;               ///< nothing: no row predicts
  std::optional<attention::network::Answer> answer;  ///< nothing: not known yet, or none

  /// True when there is a model.
  bool any() const { return model.document && model.trace; }
};

/// What the numbers of a part depend on; the rest is empty. Without a trace they depend only on the
/// network and what is done to its heads, and not on the text.
struct PartInputs {
  AnalysedModel model = {}, source = {};
  std::optional<attention::Index> row = {};
  std::optional<attention::network::Answer> answer = {};
  std::vector<std::uint32_t> pinned = {};
  std::optional<ExplorationRequest> exploration = {};
  std::optional<GradientRequest> gradient = {};
};

/// The inputs of a part of what was asked for.
PartInputs inputs_of(PartType type, const RequestedAnalysis& requested);

/// True when both give the same numbers.
bool same_model(const AnalysedModel& a, const AnalysedModel& b);
/// The same for all inputs of a part.
bool same_inputs(const PartInputs& a, const PartInputs& b);

}  // namespace lab
