#pragma once

#include <array>
#include <cstddef>

#include "app/document/training/training_document.h"
#include "app/figure/model/model_curves.h"
#include "app/translation/words.h"
#include "app/view/state/ui.h"

// The training of the model that is shown, and its curves, for all panels.

namespace lab::view {

/// The step of training that is shown; null when no model that is trained here is.
const TrainingPosition* shown_training(const Ui& ui);
/// The same of what is edited.
const TrainingPosition* edited_training(const Ui& ui);
/// True when a model that is trained here is edited, for actions.
bool is_training_document(const Ui& ui);

/// The curves of the branch that is shown up to its newest step, as ViewState chooses them: a line
/// for each head, layer by layer, then the loss. They are made once for each state. Precondition:
/// shown_training() is not null.
const figure::ModelCurves& training_lines(Ui& ui);

/// What each CurveType is called on its button and in tables, in their order.
inline constexpr std::array kCurveNames{tr_later("induction"), tr_later("previous"),
                                        tr_later("first"), tr_later("entropy"),
                                        tr_later("gradient")};
static_assert(kCurveNames.size() == static_cast<std::size_t>(CurveType::kGradient) + 1);

/// The head of that line, from 0; std::nullopt for the loss.
std::optional<HeadRef> head_of_line(const ModelDocument& model, std::size_t line);

}  // namespace lab::view
