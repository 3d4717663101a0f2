#include "app/document/analysis/model_pass.h"

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
    HeadMap map{sublayer, {}};
    for (Index layer = 0; const auto* attention = find_attention(network, {sublayer, layer});
         ++layer) {
      const Matrix& all = weights_at(trace, {sublayer, layer});
      const Index n = all.rows() / attention->n_heads;
      map.values.conservativeResize(layer + 1, attention->n_heads);
      for (Index head = 0; head < attention->n_heads; ++head)
        map.values(layer, head) =
            static_cast<float>(attention::mean_entropy(all.middleRows(head * n, n)));
    }
    if (map.values.size() > 0) maps.push_back(std::move(map));
  }
  return maps;
}

}  // namespace lab
