#include "app/document/training/training_document.h"

#include <numeric>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"
#include "app/document/training/background_trainer.h"
#include "core/network/network_evaluator.h"
#include "core/training/cross_entropy.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::training::SharedState;
using attention::training::TrainingState;

// The source with the network of another state.
std::shared_ptr<const ModelSource> source_at(const ModelSource& before, TrainingPosition position) {
  auto source = std::make_shared<ModelSource>(before);
  source->network = attention::training::network_of(position.run->layout(), position.state);
  source->training = std::move(position);
  return source;
}

}  // namespace

const TrainingPosition* training_of(const ModelDocument& document) {
  const auto& training = document.source->training;
  return training ? &*training : nullptr;
}

bool answers_each_token(const ModelDocument& document) {
  const TrainingPosition* const position = training_of(document);
  return position != nullptr && !position->run->task().predicts_next();
}

std::string example_text(const TrainingRun& run, std::uint64_t number) {
  constexpr std::uint64_t kStepOfExamples = ~std::uint64_t{0} - 1;
  const auto row = static_cast<attention::Index>(number);
  const auto example = run.task().example(run.options().seed, kStepOfExamples, row);
  std::string text;
  for (const std::uint32_t id : example.ids)
    text += (text.empty() ? "" : " ") + run.task().tokens().at(id);
  return text;
}

std::shared_ptr<const ModelSource> training_source(std::shared_ptr<TrainingRun> run,
                                                   tokenizer::Tokenizer tokenizer, std::string name,
                                                   std::string folder) {
  ModelSource source;
  source.folder = std::move(folder);
  source.name = std::move(name);
  source.tokenizer = std::make_shared<const tokenizer::Tokenizer>(std::move(tokenizer));
  source.max_positions = run->options().task.length;
  const int newest_branch = run->branches() - 1;
  const SharedState newest = run->newest(newest_branch);
  return source_at(source, {std::move(run), newest_branch, newest});
}

Expected<ModelDocument> at_step(const ModelDocument& document, int branch, std::uint64_t step) {
  const TrainingPosition* const position = training_of(document);
  if (position == nullptr)
    return fail(ErrorType::kBadInput, "only a model that is trained here has steps to go to");
  if (branch < 0 || branch >= position->run->branches())
    return fail(ErrorType::kBadInput, "the training has no branch " + std::to_string(branch));
  const SharedState state = position->run->nearest(branch, step);
  if (state == position->state && branch == position->branch && !has_edited_weights(document))
    return document;
  ModelDocument changed = document;
  changed.source = source_at(*document.source, {position->run, branch, state});
  changed.network = changed.source->network;
  changed.weights_off.reset();
  return changed;
}

bool has_edited_weights(const ModelDocument& document) {
  return !(document.network == document.source->network);
}

Expected<SharedState> state_to_train(const ModelDocument& document, std::optional<float> rate) {
  const TrainingPosition& position = *training_of(document);
  const bool edited = has_edited_weights(document);
  if (!edited && rate.value_or(position.state->learning_rate) == position.state->learning_rate)
    return position.state;
  return guarded([&]() -> SharedState {
    auto state = std::make_shared<TrainingState>(*position.state);
    state->learning_rate = rate.value_or(state->learning_rate);
    if (edited)
      state->parameters =
          attention::training::parameters_of(position.run->layout(), document.network);
    if (!state->parameters.allFinite())
      throw BadInput("a weight is not a finite number: training cannot go on from it");
    return state;
  });
}

Expected<BranchToTrain> branch_to_train(const ModelDocument& document, std::optional<float> rate) {
  const TrainingPosition& position = *training_of(document);
  return state_to_train(document, rate).map([&](SharedState&& state) {
    const bool goes_on = state == position.state &&
                         position.run->newest(position.branch) == state &&
                         position.run->last_step(position.branch) == state->step;
    position.run->pin(position.branch, position.state);
    const int branch = goes_on ? position.branch : position.run->add_branch(position.branch, state);
    return BranchToTrain{branch, std::move(state)};
  });
}

Expected<ModelDocument> trained_up_to(const ModelDocument& document, std::uint64_t step) {
  const auto begin = branch_to_train(document);
  if (!begin) return tl::make_unexpected(begin.error());
  BackgroundTrainer trainer;
  trainer.start({training_of(document)->run, begin->branch, begin->from, step});
  trainer.wait();
  if (const std::string problem = trainer.problem(); !problem.empty())
    return fail(ErrorType::kFailed, problem);
  return at_step(document, begin->branch, step);
}

std::optional<float> known_loss_of_text(const ModelDocument& document,
                                        const Interventions& interventions) {
  const auto tokens = tokens_of(document);
  const auto example = training_of(document)->run->task().solved(tokens.ids);
  const auto length = std::ssize(example.ids);
  NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(document.network, tokens, interventions);
  attention::Matrix logits =
      attention::network::logits(document.network, trace.stack.final, evaluator.pool());
  attention::training::LossSums sums(length);
  attention::training::cross_entropy(example, 0, logits, sums);
  const Index known = std::accumulate(sums.known.begin(), sums.known.end(), Index{0});
  if (known == 0) return std::nullopt;
  const double sum = std::accumulate(sums.known_loss.begin(), sums.known_loss.end(), 0.0);
  return static_cast<float>(sum / static_cast<double>(known));
}

Interventions with_muted(Interventions interventions, const LayerId& at, Index head) {
  for (auto& gain : interventions.gains)
    if (gain.at == at && gain.head == head) {
      gain.mute = true;
      return interventions;
    }
  interventions.gains.push_back({at, head, 1, true, false});
  return interventions;
}

}  // namespace lab
