#include "app/document/analysis/model_pass.h"

#include <limits>

#include "core/analysis/metrics.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::network::Network;
using attention::network::NetworkTrace;
using attention::network::Sublayer;

std::vector<HeadMap> mean_entropies(const Network& network, const NetworkTrace& trace) {
  std::vector<HeadMap> maps;
  for (const Sublayer sublayer : {Sublayer::kSelf, Sublayer::kCross, Sublayer::kEncoder}) {
    const Index heads = head_count(network, sublayer);
    if (heads == 0) continue;
    HeadMap map{sublayer, Matrix::Constant(layer_count(network, sublayer), heads,
                                           std::numeric_limits<float>::quiet_NaN())};
    for (const Index layer : attending_layers(network, sublayer)) {
      const Matrix& all = weights_at(trace, {sublayer, layer});
      const Index n = all.rows() / heads;
      for (Index head = 0; head < heads; ++head)
        map.values(layer, head) =
            static_cast<float>(attention::mean_entropy(all.middleRows(head * n, n)));
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

}  // namespace lab
