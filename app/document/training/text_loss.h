#pragma once

#include <optional>

#include "app/document/model/model_document.h"
#include "core/network/interventions.h"

namespace lab {

/// The mean loss of what can be known in the model's text, with `interventions` in place of its
/// own; nothing when nothing can be known there. Precondition: training_of(document) is not null.
/// Throws as NetworkEvaluator does.
std::optional<float> known_loss_of_text(const ModelDocument& document,
                                        const attention::network::Interventions& interventions);

/// The interventions with one head muted as well.
attention::network::Interventions with_muted(attention::network::Interventions interventions,
                                             const attention::network::LayerId& at,
                                             attention::Index head);

}  // namespace lab
