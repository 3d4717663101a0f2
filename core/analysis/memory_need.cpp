#include "core/analysis/memory_need.h"

#include <algorithm>

#include "core/network/attention_pass.h"
#include "core/network/generation/row_buffer.h"
#include "core/network/latent_input.h"
#include "core/network/positions.h"

namespace attention::network {
namespace {

constexpr std::int64_t kFloat = sizeof(float), kDouble = sizeof(double);

// Products pack parts of their operands, as large as the second-level caches (up to 2 MiB) or a
// small share of what they multiply.
constexpr std::int64_t kShareOfPacks = 50, kLeastPacks = std::int64_t{2} << 20;

// The rows that an attention sublayer's queries and keys have.
struct Rows {
  Index queries, keys;
};

std::int64_t weights_bytes(const Attention& attention, const Rows& rows) {
  return kFloat * attention.n_heads * rows.queries * rows.keys;
}

// The most distances that a text has.
Index distances_of(const Attention& attention, const Rows& rows) {
  return std::min(2 * rows.queries - 1, attention.distance_scores->embedding.rows());
}

// Numbers of the keys and queries of a distance, for all heads.
Index distance_width(const Attention& attention) {
  const network::DistanceScores& scores = *attention.distance_scores;
  const auto width = [&](bool used, const network::Linear& own, std::size_t shared) {
    return !used ? 0 : scores.shared ? attention.projections[shared].W.cols() : own.W.cols();
  };
  return width(scores.content_to_position, scores.key, attention.key.projection) +
         width(scores.position_to_content, scores.query, attention.query.projection);
}

// Queries, keys and values of all heads.
std::int64_t projections_bytes(const Attention& attention, const Rows& rows) {
  std::int64_t numbers = 0;
  for (std::size_t p = 0; p < attention.projections.size(); ++p)
    numbers += attention.projections[p].W.cols() *
               (p == attention.query.projection ? rows.queries : rows.keys);
  if (attention.latent || attention.key_layer)
    numbers += attention.n_kv_heads * attention.head_dim * rows.keys;
  if (attention.key_layer) numbers += attention.n_kv_heads * attention.d_v() * rows.keys;
  if (attention.distance_scores)
    numbers += distances_of(attention, rows) * distance_width(attention);
  return kFloat * numbers;
}

// A product of rows with a matrix in double precision copies both.
std::int64_t precise_bytes(const Attention& attention, Index rows, Index inner) {
  return precision_of(attention) == Precision::kDouble ? kDouble * rows * inner : 0;
}

// Besides what is kept: the sublayer's input and the copy that is normalised, then all heads side
// by side and their product, and what each thread needs for the head that it computes.
std::int64_t sublayer_bytes(const Attention& attention, const Rows& rows, Index d_model,
                            int threads) {
  const Index concat = attention.n_heads * attention.d_v();
  const std::int64_t matrix = rows.queries * rows.keys;
  std::int64_t of_head = network::has_position_bias(attention) ? kFloat * matrix : 0;
  if (attention.distance_scores)  // the scores of one kind, before and after they are placed
    of_head += kFloat * (matrix + rows.queries * distances_of(attention, rows));
  if (precision_of(attention) == Precision::kDouble) of_head = std::max(of_head, kDouble * matrix);
  const std::int64_t heads = of_head * std::min<std::int64_t>(threads, attention.n_heads);
  const std::int64_t output =
      kFloat * rows.queries * d_model + precise_bytes(attention, rows.queries, concat);
  const Index compressed = attention.latent ? network::input_width(attention) : 0;
  return kFloat * rows.queries * (2 * d_model + concat + compressed) + std::max(heads, output);
}

// What a convolution keeps: its gated rows.
std::int64_t convolution_bytes(const network::ShortConvolution& convolution, Index rows) {
  return kFloat * rows * convolution.width();
}

// Besides that: its input and the copy that is normalised, its three parts, of which one more is
// copied, the sums and the output.
std::int64_t convolved_bytes(const network::ShortConvolution& convolution, Index rows,
                             Index d_model) {
  return kFloat * rows * (3 * d_model + 6 * convolution.width());
}

// The block's input, that of the MLP and its normalised copy, the rows between the two products,
// twice with a gate, and the output.
std::int64_t mlp_bytes(const Block& block, Index rows, Index d_model) {
  if (block.attention_only()) return 0;
  const network::Mlp& mlp = block.experts ? block.experts->experts.front() : block.mlp;
  const Index inner = std::max(mlp.up.W.cols(), block.mlp.up.W.cols());
  const std::int64_t precise = block.convolution ? 0 : precise_bytes(block.attention, rows, inner);
  const std::int64_t gate = mlp.gate ? kFloat * rows * inner : 0;
  const std::int64_t around = block.experts && block.experts->norms ? 2 * d_model : 0;
  return kFloat * rows * (3 * d_model + inner + around) +
         std::max(gate, kFloat * rows * d_model + precise);
}

std::int64_t stack_trace_bytes(const Stack& stack, const Rows& rows, Index d_model) {
  const auto streams = static_cast<Index>(stack.blocks.size()) + 2;
  std::int64_t bytes = kFloat * streams * rows.queries * d_model;
  if (stack.embedding.layer_inputs)
    bytes += kFloat * rows.queries * stack.embedding.layer_inputs->tokens.cols();
  for (const Block& block : stack.blocks) {
    if (!block.convolution) bytes += weights_bytes(block.attention, {rows.queries, rows.queries});
    if (block.cross_attention) bytes += weights_bytes(*block.cross_attention, rows);
  }
  return bytes;
}

std::int64_t stack_bytes(const Stack& stack, const Rows& rows, Index d_model, int threads) {
  const Rows self_rows{rows.queries, rows.queries};
  std::int64_t kept = stack_trace_bytes(stack, rows, d_model), most = 0;
  for (const Block& block : stack.blocks) {
    most = std::max(most, mlp_bytes(block, rows.queries, d_model));
    if (block.convolution) {
      kept += convolution_bytes(*block.convolution, rows.queries);
      most = std::max(most, convolved_bytes(*block.convolution, rows.queries, d_model));
      continue;
    }
    kept += projections_bytes(block.attention, self_rows);
    if (block.added_convolution) most = std::max(most, 4 * kFloat * rows.queries * d_model);
    most = std::max(most, sublayer_bytes(block.attention, self_rows, d_model, threads));
    if (!block.cross_attention) continue;
    kept += projections_bytes(*block.cross_attention, rows);
    most = std::max(most, sublayer_bytes(*block.cross_attention, rows, d_model, threads));
  }
  return kept + most;
}

}  // namespace

std::int64_t trace_bytes(const Network& network, const PassSize& size) {
  const Index d_model = network.d_model(), n_encoder = size.encoder_tokens;
  const std::int64_t encoder =
      network.encoder ? stack_trace_bytes(*network.encoder, {n_encoder, n_encoder}, d_model) : 0;
  return encoder + stack_trace_bytes(network.stack, {size.tokens, n_encoder}, d_model);
}

std::int64_t evaluation_bytes(const Network& network, const PassSize& size) {
  const Index d_model = network.d_model(), n_encoder = size.encoder_tokens;
  const std::int64_t encoder =
      network.encoder ? stack_bytes(*network.encoder, {n_encoder, n_encoder}, d_model, size.threads)
                      : 0;
  const std::int64_t counted =
      encoder + stack_bytes(network.stack, {size.tokens, n_encoder}, d_model, size.threads);
  return counted + counted / kShareOfPacks + kLeastPacks;
}

namespace {

// Rows that have room where some are appended, and the weights that each thread computes.
std::int64_t continued_bytes(const Stack& stack, const Rows& rows, Index d_model, int threads) {
  const Index room = network::RowBuffer::room_for(rows.queries);
  const Rows kept_rows{room, room}, self_rows{rows.queries, rows.queries};
  std::int64_t kept = kFloat * 3 * rows.queries * d_model, most = 0;
  if (stack.embedding.layer_inputs)
    kept += kFloat * rows.queries * stack.embedding.layer_inputs->tokens.cols();
  const auto of_sublayer = [&](const Attention& attention, const Rows& of) {
    const std::int64_t weights =
        kFloat * of.queries * of.keys * std::min<std::int64_t>(threads, attention.n_heads);
    most = std::max(most, sublayer_bytes(attention, of, d_model, threads) + weights);
  };
  for (const Block& block : stack.blocks) {
    most = std::max(most, mlp_bytes(block, rows.queries, d_model));
    if (block.convolution) {
      kept += convolution_bytes(*block.convolution, room);
      most = std::max(most, convolved_bytes(*block.convolution, rows.queries, d_model));
      continue;
    }
    kept += projections_bytes(block.attention, kept_rows);
    if (block.added_convolution) most = std::max(most, 4 * kFloat * rows.queries * d_model);
    of_sublayer(block.attention, self_rows);
    if (!block.cross_attention) continue;
    kept += projections_bytes(*block.cross_attention, {room, rows.keys});
    of_sublayer(*block.cross_attention, rows);
  }
  return kept + most;
}

}  // namespace

std::int64_t continuation_bytes(const Network& network, const PassSize& size) {
  const Index d_model = network.d_model(), n_encoder = size.encoder_tokens;
  std::int64_t counted =
      continued_bytes(network.stack, {size.tokens, n_encoder}, d_model, size.threads);
  if (network.encoder)
    counted += continued_bytes(*network.encoder, {n_encoder, n_encoder}, d_model, size.threads);
  if (network.read_out) counted += kFloat * network.read_out->tokens.W.cols();
  return counted + counted / kShareOfPacks + kLeastPacks;
}

}  // namespace attention::network
