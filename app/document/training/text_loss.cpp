#include "app/document/training/text_loss.h"

#include <numeric>
#include <vector>

#include "app/document/training/training_document.h"
#include "core/network/network_evaluator.h"
#include "core/training/cross_entropy.h"

namespace lab {

using attention::Index;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;

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
