#include "core/training/parameters.h"

#include <cmath>
#include <stdexcept>

#include "core/embedding.h"
#include "core/matrix.h"

namespace attention::training {
namespace {

using network::Network;
using network::StoredFormat;
using network::StoredMatrix;

// Places matrices one after the other.
class RangeAllocator {
 public:
  ParameterRange matrix(Index rows, Index cols) {
    const ParameterRange range{count_, {rows, cols}};
    count_ += range.size();
    return range;
  }
  LinearRanges linear(Index in, Index out) {
    const ParameterRange W = matrix(in, out);
    return {W, matrix(1, out)};
  }
  NormRanges norm(Index d) {
    const ParameterRange weight = matrix(1, d);
    return {weight, matrix(1, d)};
  }
  Index count() const { return count_; }

 private:
  Index count_ = 0;
};

BlockRanges block_ranges(const ParameterLayout& layout, RangeAllocator& allocator) {
  BlockRanges block;
  block.attention_norm = allocator.norm(layout.d_model);
  block.projections = allocator.linear(layout.d_model, 3 * layout.width());
  block.output = allocator.linear(layout.width(), layout.d_model);
  if (layout.d_mlp == 0) return block;
  block.mlp_norm = allocator.norm(layout.d_model);
  block.up = allocator.linear(layout.d_model, layout.d_mlp);
  block.down = allocator.linear(layout.d_mlp, layout.d_model);
  return block;
}

// The structure of the network, without numbers.
network::Attention attention_of(const ParameterLayout& layout) {
  network::Attention attention;
  attention.n_heads = attention.n_kv_heads = layout.heads;
  attention.head_dim = layout.d_k;
  attention.score_factor = 1 / std::sqrt(static_cast<float>(layout.d_k));
  attention.causal = true;
  attention.projections.resize(1);
  attention.query = {0, 0, layout.d_k};
  attention.key = {0, layout.width(), layout.d_k};
  attention.value = {0, 2 * layout.width(), layout.d_k};
  if (layout.position_type == TrainedPositions::kRotary)
    attention.rotary = network::Rotary{RotaryPairs::kHalves, rotary_frequencies(layout.d_k), 1};
  return attention;
}

Network structure_of(const ParameterLayout& layout) {
  network::Block block;
  block.attention = attention_of(layout);
  block.attention_norms.before.emplace();
  if (layout.d_mlp > 0) block.mlp_norms.before.emplace();
  block.mlp.activation = network::Activation::kGeluTanh;
  Network network;
  network.stack.blocks.assign(layout.blocks.size(), block);
  network.stack.final_norm.emplace();
  network.read_out.emplace();
  return network;
}

// Calls visit(range, matrix, name) for each matrix of the network that holds parameters.
template <typename NetworkLike, typename Visit>
class ParameterVisitor {
 public:
  ParameterVisitor(const ParameterLayout& layout, NetworkLike& network, Visit visit)
      : layout_(layout), network_(network), visit_(visit) {}

  void run() {
    auto& embedding = network_.stack.embedding;
    visit_(layout_.tokens, embedding.tokens, "the embedding of tokens");
    if (layout_.positions.size() > 0)
      visit_(layout_.positions, embedding.positions, "the embedding of positions");
    for (std::size_t layer = 0; layer < layout_.blocks.size(); ++layer)
      block(layout_.blocks[layer], network_.stack.blocks[layer], "layer " + std::to_string(layer));
    norm(layout_.final_norm, network_.stack.final_norm, "the final norm");
    visit_(layout_.read_out, network_.read_out->tokens.W, "the read-out");
  }

 private:
  template <typename BlockLike>
  void block(const BlockRanges& ranges, BlockLike& block, const std::string& name) {
    norm(ranges.attention_norm, block.attention_norms.before, name + ", norm before attention");
    linear(ranges.projections, block.attention.projections.front(), name + ", W_Q, W_K and W_V");
    linear(ranges.output, block.attention.output, name + ", W_O");
    if (layout_.d_mlp == 0) return;
    norm(ranges.mlp_norm, block.mlp_norms.before, name + ", norm before the MLP");
    linear(ranges.up, block.mlp.up, name + ", MLP, up");
    linear(ranges.down, block.mlp.down, name + ", MLP, down");
  }
  template <typename LinearLike>
  void linear(const LinearRanges& range, LinearLike& linear, const std::string& name) {
    visit_(range.W, linear.W, name);
    visit_(range.b, linear.b, name + ", bias");
  }
  template <typename NormLike>
  void norm(const NormRanges& range, NormLike& norm, const std::string& name) {
    visit_(range.weight, norm->weight, name + ", weight");
    visit_(range.bias, norm->bias, name + ", bias");
  }

  const ParameterLayout& layout_;
  NetworkLike& network_;
  Visit visit_;
};

template <typename NetworkLike, typename Visit>
void visit_parameters(const ParameterLayout& layout, NetworkLike& network, Visit visit) {
  ParameterVisitor<NetworkLike, Visit>(layout, network, visit).run();
}

void require_structure(const ParameterLayout& layout, const Network& network) {
  bool same = network.stack.blocks.size() == layout.blocks.size() && network.read_out &&
              network.stack.final_norm && !network.encoder;
  for (const network::Block& block : network.stack.blocks)
    same = same && block.attention.projections.size() == 1 && block.attention_norms.before &&
           block.attention.n_heads == layout.heads && block.attention.head_dim == layout.d_k &&
           block.mlp_norms.before.has_value() == (layout.d_mlp > 0);
  if (!same)
    throw std::invalid_argument("the network is built in another way than the trained one");
}

void fill_normal(const ParameterRange& range, PortableRandom& random, RowVector& numbers) {
  float* const first = numbers.data() + range.first;
  for (Index i = 0; i < range.size(); ++i) first[i] = random.normal();
}

void fill_uniform(const ParameterRange& range, PortableRandom& random, RowVector& numbers) {
  const float bound = 1 / std::sqrt(static_cast<float>(range.shape.rows));
  float* const first = numbers.data() + range.first;
  for (Index i = 0; i < range.size(); ++i) first[i] = bound * (2 * random.uniform() - 1);
}

void fill(const ParameterRange& range, float value, RowVector& numbers) {
  numbers.segment(range.first, range.size()).setConstant(value);
}

}  // namespace

std::vector<float> rotary_frequencies(Index d_k) {
  std::vector<float> frequencies;
  for (Index pair = 0; pair < d_k / 2; ++pair)
    frequencies.push_back(static_cast<float>(
        std::pow(10000.0, -2.0 * static_cast<double>(pair) / static_cast<double>(d_k))));
  return frequencies;
}

ParameterLayout::ParameterLayout(const TrainingOptions& options, Index tokens_known)
    : vocabulary(tokens_known),
      length(options.task.length),
      d_model(options.d_model),
      heads(options.heads),
      d_k(options.d_k),
      d_mlp(options.mlp ? 4 * options.d_model : 0),
      position_type(options.positions) {
  RangeAllocator allocator;
  tokens = allocator.matrix(vocabulary, d_model);
  if (position_type == TrainedPositions::kLearned) positions = allocator.matrix(length, d_model);
  for (Index layer = 0; layer < options.layers; ++layer)
    blocks.push_back(block_ranges(*this, allocator));
  final_norm = allocator.norm(d_model);
  read_out = allocator.matrix(d_model, vocabulary);
  count = allocator.count();
}

RowVector first_parameters(const ParameterLayout& layout, std::uint64_t seed) {
  RowVector numbers = RowVector::Zero(layout.count);
  PortableRandom random(seed);
  fill_normal(layout.tokens, random, numbers);
  fill_normal(layout.positions, random, numbers);
  for (const BlockRanges& block : layout.blocks) {
    fill(block.attention_norm.weight, 1, numbers);
    fill_uniform(block.projections.W, random, numbers);
    fill_uniform(block.output.W, random, numbers);
    fill(block.mlp_norm.weight, 1, numbers);
    fill_uniform(block.up.W, random, numbers);
    fill_uniform(block.down.W, random, numbers);
  }
  fill(layout.final_norm.weight, 1, numbers);
  fill_uniform(layout.read_out, random, numbers);
  return numbers;
}

Network network_of(const ParameterLayout& layout, SharedState state) {
  Network network = structure_of(layout);
  visit_parameters(layout, network,
                   [&](const ParameterRange& range, StoredMatrix& matrix, const std::string&) {
                     const float* const first = state->parameters.data() + range.first;
                     matrix = StoredMatrix(state, reinterpret_cast<const std::byte*>(first),
                                           StoredFormat::kFloat32, range.shape);
                   });
  return network;
}

RowVector parameters_of(const ParameterLayout& layout, const Network& network) {
  require_structure(layout, network);
  RowVector numbers = RowVector::Zero(layout.count);
  visit_parameters(
      layout, network,
      [&](const ParameterRange& range, const StoredMatrix& matrix, const std::string& name) {
        if (matrix.shape() != range.shape)
          throw std::invalid_argument(name + " is " + shape_text(matrix.rows(), matrix.cols()) +
                                      ", should be " +
                                      shape_text(range.shape.rows, range.shape.cols));
        matrix.read(
            Eigen::Map<Matrix>(numbers.data() + range.first, range.shape.rows, range.shape.cols));
      });
  return numbers;
}

}  // namespace attention::training
