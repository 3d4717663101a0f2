#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/document/model/layer_name.h"
#include "app/document/model/model_document.h"
#include "app/document/training/training_curves.h"
#include "app/figure/model/model_curves.h"
#include "app/translation/words.h"
#include "core/training/options.h"

namespace lab::view {

/// What the curves of a training show of each head.
enum class CurveType { kInduction, kPrevious, kFirst, kEntropy, kGradient };

/// What the lines of a training were made for.
struct CurvesKey {
  const void* run = nullptr;
  int branch = 0;
  std::uint64_t version = 0;
  CurveType type = CurveType::kInduction;
  HeadRef focused;
  Language language = Language::kEnglish;
  bool operator==(const CurvesKey&) const = default;
};

struct HeadGlance;  // training/glance_card.cpp

/// How the training of a model is shown and steered.
struct TrainingState {
  CurveType curves = CurveType::kInduction;
  TrainingCurves data;  ///< of the branch that is shown, up to the newest step
  std::shared_ptr<const figure::ModelCurves> lines;  ///< of `data`, see training_lines()
  CurvesKey lines_of;
  bool requested = false;  ///< it goes on until it is paused
  bool scrubbing = false;  ///< the handle of the curves is being dragged
  /// The model that the running steps go on from, or the newest of them that is shown; null: no
  /// steps are taken.
  std::shared_ptr<const ModelDocument> followed;
  std::shared_ptr<const HeadGlance> glance;  ///< of the head that was shown last
  std::uint64_t example = 0;                 ///< the number of the example text that was shown last
  /// What a new start would begin with, if that differs from the run.
  std::optional<attention::training::TrainingOptions> next;
};

}  // namespace lab::view
