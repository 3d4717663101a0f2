#include "app/document/snapshot.h"

#include "app/document/model/shown_layer.h"
#include "core/layer/evaluator.h"

namespace lab {

std::shared_ptr<const Snapshot> at_layer(std::shared_ptr<const Snapshot> snapshot,
                                         const attention::network::LayerId& at) {
  const ModelLayer& layer = snapshot->document.layer;
  if (!layer.model || !snapshot->network || layer.at == at) return snapshot;
  if (find_attention(layer.model->network, at) == nullptr) return snapshot;
  attention::ThreadPool pool(1);
  Document shown = completed_layer(shown_layer(layer.model, at), *snapshot->network, pool);
  attention::Evaluator evaluator;
  attention::Trace trace = evaluator.evaluate(shown.problem);
  return std::make_shared<const Snapshot>(
      Snapshot{std::move(shown), std::move(trace), snapshot->network});
}

}  // namespace lab
