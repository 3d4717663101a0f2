#pragma once

#include <vector>

#include "app/document/model/model_document.h"
#include "core/matrix_id.h"

namespace lab {

/// What was done to a part of a trained model, as a person sees it: one line of the list of edits.
struct ModelEdit {
  /// What it is about.
  enum class Type {
    kMix,      ///< mute, solo and gain of a head
    kCells,    ///< overridden numbers of a stage, of a head where the stage has heads
    kPatch,    ///< all numbers of a stage of a head
    kStream,   ///< overridden numbers of the residual stream before a layer
    kWeights,  ///< edited weights of a matrix
  };
  /// Whether it has an effect, or else why it has none.
  enum class Effect {
    kOn,
    kOff,       ///< the user switched it off
    kDetached,  ///< the texts do not have its cells; it returns with them
  };
  Type type = Type::kMix;
  attention::network::LayerId at;
  attention::Index head = 0;                              ///< where it is about one
  attention::Stage stage = attention::Stage::kWeights;    ///< of kCells and kPatch
  attention::MatrixId matrix = attention::MatrixId::kWQ;  ///< of kWeights
  attention::HeadMix mix = {};                            ///< of kMix
  attention::Index numbers = 0;                           ///< that are replaced
  Effect effect = Effect::kOn;
  bool operator==(const ModelEdit&) const = default;
};

/// All edits of the model, those of earlier layers first, including those that are switched
/// off or detached.
std::vector<ModelEdit> edits_of(const ModelDocument& document);

/// The numbers that the model was opened with, of the matrix that `edit` is about. Precondition: it
/// is of kWeights.
attention::Matrix unedited_values(const ModelDocument& document, const ModelEdit& edit);

/// The document with `edit` switched on, or off: it has no effect then, but stays in the document.
/// What was done to the same head, cell or matrix meanwhile stays, and then what was switched off
/// is forgotten. Precondition: it is not detached.
ModelDocument with_switched(const ModelDocument& document, const ModelEdit& edit, bool on);

}  // namespace lab
