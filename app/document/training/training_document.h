#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/base/error.h"
#include "app/document/model/model_document.h"
#include "app/document/training/training_run.h"
#include "core/network/interventions.h"

namespace lab {

/// The step of training that a model is at; null when it is not trained here.
const TrainingPosition* training_of(const ModelDocument& document);

/// True when it is trained here on a task that asks each token something else than what comes next,
/// such as which bracket closes it.
bool answers_each_token(const ModelDocument& document);

/// An example of the run's task as a text: its tokens, separated by blanks. The same for the same
/// `number`, and in no batch of the run.
std::string example_text(const TrainingRun& run, std::uint64_t number);

/// The model at the newest state of the newest branch of `run`; it is called `name`, and `folder`
/// is where the run is kept while it is not saved.
std::shared_ptr<const ModelSource> training_source(std::shared_ptr<TrainingRun> run,
                                                   tokenizer::Tokenizer tokenizer, std::string name,
                                                   std::string folder);

/// The same model at another step of its run, or the kept one that is nearest to it: its weights
/// are those of the step, without what was edited at the one before; texts, heads and overrides
/// stay. Fails with kBadInput when the model is not trained here, or there is no such branch.
Expected<ModelDocument> at_step(const ModelDocument& document, int branch, std::uint64_t step);

/// True when weights differ from those of the step. Precondition: training_of() is not null.
bool has_edited_weights(const ModelDocument& document);

/// What training goes on from: the state of the step, with the weights as they were edited and, if
/// it is given, another learning rate. Fails with kBadInput when a weight is not finite.
/// Precondition as above.
Expected<attention::training::SharedState> state_to_train(const ModelDocument& document,
                                                          std::optional<float> rate = {});

/// The model after training from what it is on, up to that step: waits for it. In the same branch
/// where it is at its end, else in a new one. Fails as state_to_train() does, and with kFailed when
/// it diverges.
Expected<ModelDocument> trained_up_to(const ModelDocument& document, std::uint64_t step);

/// Where training goes on from a document, as trained_up_to() says.
struct BranchToTrain {
  int branch = 0;
  attention::training::SharedState from;
};
/// That branch, which is begun if it is a new one. Fails as state_to_train() does.
Expected<BranchToTrain> branch_to_train(const ModelDocument& document,
                                        std::optional<float> rate = {});

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
