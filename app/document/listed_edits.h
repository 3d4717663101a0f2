#pragma once

#include <vector>

#include "app/document/commands/override_commands.h"
#include "app/document/document.h"
#include "app/document/model/model_document.h"
#include "core/matrix_id.h"

namespace lab {

/// What was done to one thing in a trained model or in a layer made by hand, whose layer is {}, as
/// a person sees it: one line of the list of edits.
struct ListedEdit {
  /// What it is about.
  enum class Type {
    kMix,      ///< mute, solo and gain of a head
    kCells,    ///< overridden numbers of a stage, of a head where the stage has heads
    kPatch,    ///< all numbers of a stage of a head
    kStream,   ///< overridden numbers of the residual stream before a layer of a model
    kWeights,  ///< edited weights of a matrix of a model
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
  bool operator==(const ListedEdit&) const = default;
};

/// All edits, those of earlier layers first, including those that are switched off or detached.
std::vector<ListedEdit> edits_of(const ModelDocument& model);
/// The same for a layer made by hand.
std::vector<ListedEdit> edits_of(const Document& document);

/// The edits of layer `at` that `command` may be about; none when SwitchEdit::what is no name.
std::vector<ListedEdit> matching_edits(const SwitchEdit& command,
                                       const attention::network::LayerId& at);

/// The numbers that the model was opened with, of the matrix that `edit` is about. Precondition: it
/// is of kWeights.
attention::Matrix unedited_values(const ModelDocument& document, const ListedEdit& edit);

/// The document with `edit` switched on, or off: it has no effect then, but stays in the document.
/// What was done to the same head, cell or matrix meanwhile stays, and then what was switched off
/// is forgotten. Precondition: it is not detached.
ModelDocument with_switched(const ModelDocument& document, const ListedEdit& edit, bool on);
/// The same for a layer made by hand.
Document with_switched(const Document& document, const ListedEdit& edit, bool on);

}  // namespace lab
