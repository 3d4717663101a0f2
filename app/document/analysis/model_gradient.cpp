#include "app/document/analysis/model_gradient.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "core/gradient/network_gradient.h"
#include "core/network/layer_problem.h"

namespace lab {
namespace {

using attention::Index;
using attention::LayerGradient;
using attention::Matrix;
using attention::Sensitivity;
using attention::network::BlockGradient;
using attention::network::LayerId;
using attention::network::NetworkGradient;
using attention::network::StackGradient;
using attention::network::Sublayer;

constexpr std::array kSublayers{Sublayer::kSelf, Sublayer::kCross, Sublayer::kEncoder};

const StackGradient& stack_of(const NetworkGradient& gradient, Sublayer sublayer) {
  return sublayer == Sublayer::kEncoder ? gradient.encoder : gradient.stack;
}

LayerGradient& of_sublayer(BlockGradient& block, Sublayer sublayer) {
  return sublayer == Sublayer::kCross ? block.cross_attention : block.attention;
}
const LayerGradient& of_sublayer(const BlockGradient& block, Sublayer sublayer) {
  return sublayer == Sublayer::kCross ? block.cross_attention : block.attention;
}

// Calls visit(id, gradient) for each attention sublayer that something reaches.
template <typename Visit>
void for_each_layer(const NetworkGradient& gradient, Visit visit) {
  for (const Sublayer sublayer : kSublayers) {
    Index layer = 0;
    for (const BlockGradient& block : stack_of(gradient, sublayer).blocks)
      visit(LayerId{sublayer, layer++}, of_sublayer(block, sublayer));
  }
}

// 0 where nothing reaches a head, NaN in layers without attention.
std::vector<HeadMap> gain_maps(const ModelPass& pass, const NetworkGradient& gradient) {
  std::vector<HeadMap> maps;
  for (const Sublayer sublayer : kSublayers) {
    HeadMap map{sublayer, Matrix::Constant(layer_count(pass.network(), sublayer),
                                           head_count(pass.network(), sublayer),
                                           std::numeric_limits<float>::quiet_NaN())};
    for (const Index layer : attending_layers(pass.network(), sublayer))
      map.values.row(layer).setZero();
    if (map.values.size() > 0) maps.push_back(std::move(map));
  }
  for_each_layer(gradient, [&](const LayerId& at, const LayerGradient& layer) {
    const auto map = std::ranges::find(maps, at.sublayer, &HeadMap::sublayer);
    if (map == maps.end() || at.layer >= map->values.rows()) return;
    for (std::size_t head = 0; head < layer.gains.size(); ++head)
      map->values(at.layer, static_cast<Index>(head)) = layer.gains[head];
  });
  return maps;
}

void add_tokens(const StackGradient& gradient, const attention::network::StackTrace& trace,
                bool of_encoder, std::vector<TokenGradient>& tokens) {
  const Matrix& by = gradient.embedded;
  if (by.size() == 0 || trace.blocks.empty()) return;
  const Matrix& rows = *trace.blocks.front().input;
  for (Index row = 0; row < by.rows(); ++row)
    tokens.push_back({of_encoder, row, by.row(row).norm(), by.row(row).dot(rows.row(row))});
}

// What a sublayer reads is no number of the model by itself, but the result of those before it.
std::vector<WeightSensitivity> strongest_numbers(const NetworkGradient& gradient) {
  std::vector<WeightSensitivity> found;
  for_each_layer(gradient, [&](const LayerId& at, const LayerGradient& layer) {
    for (const attention::MatrixInfo& info : attention::kMatrixInfos)
      if (is_parameter(info.id))
        for (const Sensitivity& one : strongest(layer, kListedNumbers, info.id))
          found.push_back({at, one});
  });
  std::ranges::stable_sort(found, std::ranges::greater(), [](const WeightSensitivity& one) {
    return std::abs(one.number.derivative);
  });
  found.resize(std::min(found.size(), kListedNumbers));
  return found;
}

NetworkGradient gradient_of(const ModelPass& pass, const GradientRequest& request,
                            const attention::network::Answer& answer) {
  const attention::network::DifferentiatedPass differentiated{
      pass.network(), pass.document.interventions, pass.trace, pass.pool};
  if (!request.cell) return gradient_of_answer(differentiated, answer);
  const ModelCell& cell = *request.cell;
  const attention::Problem layer =
      layer_problem(pass.network(), pass.trace, pass.document.interventions, cell.at, pass.pool);
  return gradient_of_stage(differentiated, cell.at,
                           cell_seed(layer, cell.stage, cell.head, cell.row, cell.col));
}

}  // namespace

ModelGradient model_gradient(const ModelPass& pass, const GradientRequest& request,
                             const attention::network::Answer& answer) {
  NetworkGradient gradient = gradient_of(pass, request, answer);
  ModelGradient found{request, {}, gain_maps(pass, gradient), {}, strongest_numbers(gradient)};
  if (pass.trace.encoder) add_tokens(gradient.encoder, *pass.trace.encoder, true, found.tokens);
  add_tokens(gradient.stack, pass.trace.stack, false, found.tokens);
  const bool encoder = request.at.sublayer == Sublayer::kEncoder;
  std::vector<BlockGradient>& blocks = (encoder ? gradient.encoder : gradient.stack).blocks;
  const auto layer = static_cast<std::size_t>(request.at.layer);
  if (layer < blocks.size())
    found.layer = std::move(of_sublayer(blocks[layer], request.at.sublayer));
  return found;
}

}  // namespace lab
