#include "core/network/head_outputs.h"

#include <stdexcept>

#include "core/network/block_pass.h"

namespace attention::network {
namespace {

// The interventions but for what is done at `at` to the outputs of heads once they are computed.
Interventions before_gains(Interventions all, const LayerPlace& at) {
  std::erase_if(all.gains, [&](const HeadGain& gain) { return gain.at == at; });
  std::erase_if(all.overrides, [&](const CellOverride& override) {
    return override.at == at && override.cell.stage == Stage::kConcat;
  });
  return all;
}

// The rows that cross-attention reads.
Matrix before_cross_attention(const Block& block, const BlockTrace& traced, Index layer,
                              const Interventions& interventions, ThreadPool& pool) {
  const BlockPass pass{block, 0, interventions, {Sublayer::kSelf, layer}, nullptr, pool};
  return before_sublayer(block.cross_norms, after_self_attention(pass, traced.input), pool);
}

}  // namespace

Matrix head_outputs(const Network& network, const NetworkTrace& trace,
                    const Interventions& interventions, const LayerPlace& at, ThreadPool& pool) {
  const Attention* attention = find_attention(network, at);
  if (attention == nullptr) throw std::invalid_argument("the network has no such layer");
  const bool of_encoder = at.sublayer == Sublayer::kEncoder;
  const auto layer = static_cast<std::size_t>(at.layer);
  const Block& block = (of_encoder ? *network.encoder : network.stack).blocks[layer];
  const BlockTrace& traced = stack_trace(trace, at.sublayer).blocks[layer];
  const Interventions kept = before_gains(interventions, at);
  const LayerInterventions here{&kept, at};
  Projected projected;
  if (at.sublayer == Sublayer::kCross) {
    const Matrix rows = before_cross_attention(block, traced, at.layer, kept, pool);
    update_cross_projections(*attention, rows, 0, trace.encoder->final, here, pool, projected);
  } else {
    const Matrix rows = before_sublayer(block.attention_norms, traced.input, pool);
    update_projections(*attention, rows, 0, here, pool, projected);
  }
  Matrix weights;
  return mix_heads(*attention, projected, 0, here, pool, weights);
}

}  // namespace attention::network
