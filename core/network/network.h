#pragma once

#include <optional>
#include <vector>

#include "core/config.h"
#include "core/network/stored_matrix.h"

namespace attention::network {

/// x W + b.
struct Linear {
  StoredMatrix W;  ///< [in × out]
  StoredMatrix b;  ///< [1 × out], or empty: none is added

  bool operator==(const Linear&) const = default;
};

/// How a row is normalised.
enum class NormType {
  kLayer,  ///< (x − mean) / √(variance + ε) (Ba, Kiros, Hinton 2016)
  kRms,    ///< x / √(mean of x² + ε) (Zhang, Sennrich 2019)
};

/// Normalises a row, multiplies it by weight, and adds bias.
struct Norm {
  NormType type = NormType::kLayer;
  StoredMatrix weight;  ///< [1 × d], or empty: all 1
  StoredMatrix bias;    ///< [1 × d], or empty: all 0
  float epsilon = 1e-5f;
  bool weight_plus_one = false;  ///< multiplies by 1 + weight instead (Gemma)

  bool operator==(const Norm&) const = default;
};

/// Function between the two products of an MLP.
enum class Activation {
  kGelu,         ///< x Φ(x) (Hendrycks, Gimpel 2016)
  kGeluTanh,     ///< its approximation with tanh
  kGeluSigmoid,  ///< its approximation x σ(1.702 x)
  kGeluClipped,  ///< x Φ(x), at most 10
  kRelu,         ///< max(x, 0)
  kRelu6,        ///< min(max(x, 0), 6)
  kReluSquared,  ///< max(x, 0)²
  kReluLeaky,    ///< max(x, x / 100)
  kSilu,         ///< x σ(x) = x / (1 + e^−x)
  kSiluHard,     ///< x min(max(x + 3, 0), 6) / 6
  kMish,         ///< x tanh(ln(1 + e^x)) (Misra 2019)
  kSigmoid,      ///< σ(x) = 1 / (1 + e^−x)
  kTanh,         ///< tanh x
  kIdentity,     ///< x
};
/// The number of activations.
inline constexpr int kActivations = 14;

/// How texts of more tokens than `after` are rotated: by other frequencies (longrope; Ding et al.
/// 2024), or, where there are none, by base^(−2i / dims) with a base that grows with the text:
/// base · (factor · tokens / after − (factor − 1))^(dims / (dims − 2)) (dynamic NTK).
struct LongTexts {
  Index after = 0;
  std::vector<float> frequencies;
  double base = 10000, factor = 1;
  Index dims = 0;  ///< features that are rotated

  bool operator==(const LongTexts&) const = default;
};

/// Rotation of pairs of features by the position (RoPE; Su et al. 2021).
struct Rotary {
  RotaryPairs pairs = RotaryPairs::kHalves;
  /// Radians per position, one for each pair; only 2 · size() features of a head are rotated.
  std::vector<float> frequencies;
  float scale = 1;  ///< multiplies sines and cosines (YaRN; Peng et al. 2023)
  /// [positions × 2 pairs]: sines, then cosines, that stand for those of the frequencies; empty:
  /// none (RoFormer).
  StoredMatrix table = {};
  std::optional<LongTexts> long_texts = {};
  Index first = 0;  ///< the first feature of a head that is rotated

  bool operator==(const Rotary&) const = default;
};

/// A number for each head that depends only on the distance of query and key, which is added to
/// the scores (T5; Raffel et al. 2020).
struct DistanceBias {
  StoredMatrix table;            ///< [buckets × n_heads]
  bool both_ways = true;         ///< half of the buckets are for keys after the query
  Index largest_distance = 128;  ///< farther keys share the last bucket

  bool operator==(const DistanceBias&) const = default;
};

/// Scores by the distance of query and key beside those by content (disentangled attention; He et
/// al. 2021, DeBERTa), see RelativePositions. Of a text only the distances that occur are computed.
struct DistanceScores {
  StoredMatrix embedding;    ///< [2 · span × d_model]: row span is that of the distance 0
  std::optional<Norm> norm;  ///< of its rows
  Index buckets = 0;  ///< > 0: those of distances, of which half are for either direction, and
                      ///< half of these for distances one by one
  Index largest_distance = 1;        ///< read with buckets: farther tokens are in the last one
  bool content_to_position = false;  ///< the query of a token and the key of a distance
  bool position_to_content = false;  ///< the query of a distance and the key of a token
  bool shared = true;                ///< K and Q of distances are made by the maps of K and Q
  Linear key, query;  ///< else by these, head by head [d_model × n_heads·head_dim]; empty where
                      ///< they are not compared

  bool operator==(const DistanceScores&) const = default;
};

/// A bias of scores that falls with the distance of a key, by a slope of each head: slope ·
/// position of the key, which softmax makes the same as −slope · distance (ALiBi; Press et al.
/// 2022). The slopes are those of alibi_slope().
struct AlibiBias {
  float factor = 1;          ///< multiplies it (Falcon)
  bool in_bfloat16 = false;  ///< slopes and products are rounded to bfloat16, as Falcon does

  bool operator==(const AlibiBias&) const = default;
};

/// Where Q, K or V stands in what the projections give: head h takes its features, see Attention,
/// from column of_head(h) on. Heads may stand in groups.
struct HeadColumns {
  std::size_t projection = 0;  ///< index into Attention::projections
  Index first = 0;
  Index step = 0;        ///< from a head to the next
  Index group = 0;       ///< heads in a group; 0: all
  Index group_step = 0;  ///< from a group to the next

  /// The first column of a head.
  Index of_head(Index head) const {
    if (group == 0) return first + head * step;
    return first + head / group * group_step + head % group * step;
  }

  bool operator==(const HeadColumns&) const = default;
};

/// A row that queries, or keys and values, are computed from in place of the sublayer's input x:
/// norm(x W + b), of which only the first `rank` features are normalised.
struct CompressedRow {
  Linear down;  ///< [d_model × rank, or more]
  Norm norm;    ///< of `rank` features
  Index rank = 1;

  bool operator==(const CompressedRow&) const = default;
};

/// Multi-head latent attention (DeepSeek-AI 2024, 2.1): keys and values are projections of one
/// compressed row. What it gives beyond its rank is the last part of the keys of all heads, as it
/// is: their rotary part.
struct LatentAttention {
  std::optional<CompressedRow> query;  ///< none: queries are projections of x
  CompressedRow key_value;

  bool operator==(const LatentAttention&) const = default;
};

/// One multi-head attention sublayer.
struct Attention {
  Index n_heads = 1;       ///< query heads
  Index n_kv_heads = 1;    ///< key and value heads, a divisor of n_heads: consecutive query heads
                           ///< share one
  Index head_dim = 1;      ///< features of a query or key
  Index value_dim = 0;     ///< features of a value; 0: head_dim
  float score_factor = 1;  ///< multiplies Q Kᵀ
  float score_cap = 0;     ///< c > 0: a scaled score s becomes c · tanh(s / c) (Gemma 2)
  bool causal = false;     ///< query i attends to keys 0 … i only
  Index window = 0;        ///< > 0: only to keys at a distance below it
  std::vector<Linear> projections;        ///< one fused or separate ones
  std::optional<LatentAttention> latent;  ///< what they read, where it is not x
  HeadColumns query, key, value;
  std::optional<Norm> query_norm, key_norm;  ///< of each head, before the rotation
  std::optional<Norm> value_norm;  ///< of the values of each head, by their root mean square and
                                   ///< without weights (Gemma 4)
  bool norms_of_all_heads =
      false;  ///< those are of the queries, and of the keys, of all heads of a
              ///< row together, by their root mean square, with weights [1 ×
              ///< n_heads · head_dim] and [1 × n_kv_heads · head_dim] (OLMo 2)
  std::optional<Rotary> rotary;
  std::optional<DistanceBias> distance_bias;
  std::optional<AlibiBias> alibi;
  std::optional<DistanceScores> distance_scores = {};
  StoredMatrix sinks = {};  ///< [1 × n_heads], see Config::sink; empty: none
  Linear output;            ///< [n_heads · d_v() × d_model]
  /// The earlier layer of the stack whose keys and values are used: there is a projection of
  /// queries only, and no norm of keys and values (Gemma 4). Unset: this layer has its own.
  std::optional<Index> key_layer;

  /// Features of a value.
  Index d_v() const { return value_dim == 0 ? head_dim : value_dim; }
  /// Features at the end of a key that all heads share: the rotary part in latent attention.
  Index shared_key_features() const {
    return latent ? latent->key_value.down.W.cols() - latent->key_value.rank : 0;
  }
  /// Features of a key that the projections give; its head's columns.
  Index projected_key_features() const { return head_dim - shared_key_features(); }

  bool operator==(const Attention&) const = default;
};

/// A gated short convolution, which a block has in place of attention (LFM2; Liquid AI 2025). With
/// [b | c | v] = in(x), three rows of `width()` features, row i of what it gives is
/// out(c_i · Σ_k kernel(:, k) · (b · v)_{i − taps() + 1 + k} + bias), where rows before the first
/// count as zeros.
struct ShortConvolution {
  Linear in;            ///< [d_model × 3 width()]
  StoredMatrix kernel;  ///< [width() × taps()], the last column is for the row itself
  StoredMatrix bias;    ///< [1 × width()], or empty: none
  Linear out;           ///< [width() × d_model]

  /// Features that are convolved, each by itself.
  Index width() const { return kernel.rows(); }
  /// Rows that one depends on: itself and those before it.
  Index taps() const { return kernel.cols(); }

  bool operator==(const ShortConvolution&) const = default;
};

/// The gate of gpt-oss: (u + 1) · g σ(alpha g), where g is gate(x) but at most `limit`, and u up(x)
/// within ±limit.
struct ClampedGate {
  float limit = 7;
  float alpha = 1.702f;

  bool operator==(const ClampedGate&) const = default;
};

/// down(activation(up(x))), or down(activation(gate(x)) · up(x)) if there is a gate (Shazeer 2020).
struct Mlp {
  std::optional<Linear> gate;
  Linear up;    ///< [d_model × d_mlp]
  Linear down;  ///< [d_mlp × d_model]
  Activation activation = Activation::kGelu;
  std::optional<ClampedGate> clamped = {};  ///< in place of the activation; there is a gate

  /// True when there is none: the block is attention only.
  bool absent() const { return up.W.empty() && down.W.empty(); }

  bool operator==(const Mlp&) const = default;
};

/// How groups of experts are compared.
enum class GroupRank {
  kTwoLargest,  ///< by the sum of their two largest shares (DeepSeek-V3)
  kLargest,     ///< by their largest share (DeepSeek-V2)
};

/// How a router's numbers of a row become shares of the experts.
enum class ExpertShares {
  kSoftmax,  ///< of all experts, and of the chosen ones what they have of it
  kSigmoid,  ///< of each, σ(x) (DeepSeek-V3)
};

/// Norms around experts that read the stream itself, not what the MLP beside them reads (Gemma 4):
/// after(Σ share · expert(before(x))) is added to beside(mlp), and the router reads router(x).
struct ExpertNorms {
  Norm router, before, after, beside;

  bool operator==(const ExpertNorms&) const = default;
};

/// A mixture of experts, which are MLPs: a router chooses some of them for each row, and their
/// outputs are added by their shares (Shazeer et al. 2017).
struct Experts {
  Linear router;            ///< [d_model × experts]
  StoredMatrix correction;  ///< [1 × experts], added to shares where experts are chosen, and not
                            ///< where they are added; empty: none
  std::vector<Mlp> experts;
  Index chosen = 1;         ///< of them, for each row
  Index groups = 1;         ///< of experts, equally many in each
  Index chosen_groups = 1;  ///< by their rank; others are left out
  GroupRank group_rank = GroupRank::kTwoLargest;
  ExpertShares shares = ExpertShares::kSoftmax;
  bool normalised = false;            ///< the shares of the chosen are divided by their sum
  float added_to_sum = 0;             ///< which has this added to it before
  float factor = 1;                   ///< multiplies them
  StoredMatrix scales = {};           ///< [1 × experts], multiplies the share of each; empty: none
  std::optional<ExpertNorms> norms;   ///< unset: they read what the MLP beside them reads
  std::optional<Linear> shared_gate;  ///< [d_model × 1]: σ of it multiplies the block's own MLP

  bool operator==(const Experts&) const = default;
};

/// What stands around one sublayer f: x becomes after(x + factor · branch(f(before(x)))).
struct SublayerNorms {
  std::optional<Norm> before, branch, after;
  float factor = 1;  ///< multiplies what the sublayer adds (Granite)

  bool operator==(const SublayerNorms&) const = default;
};

/// A third sublayer, which lets what the embedding gives to this layer into the stream (see
/// LayerInputs): x becomes x + norm(projection(activation(gate(x)) · input)).
struct InputGate {
  Linear gate;        ///< [d_model × LayerInputs::width()]
  Linear projection;  ///< [LayerInputs::width() × d_model]
  Norm norm;
  Activation activation = Activation::kGeluTanh;

  bool operator==(const InputGate&) const = default;
};

/// What a block adds to its output of its input's neighbours (DeBERTa-v2): where x is the block's
/// input and y its output, y becomes norm(y + activation(convolution of x)).
struct AddedConvolution {
  /// [d_model / groups × d_model] each: what a row gives to those before it, from that at a
  /// distance of half the taps on, to itself, and to those after it.
  std::vector<StoredMatrix> taps;
  StoredMatrix bias;  ///< [1 × d_model]
  Index groups = 1;   ///< of features; a group of the result reads only its own
  Activation activation = Activation::kTanh;
  Norm norm;

  bool operator==(const AddedConvolution&) const = default;
};

/// Attention, in decoders with an encoder attention to its output, and an MLP, which may be absent
/// with its norms. Where there are experts, the MLP is one that every row passes, or absent.
struct Block {
  Attention attention;  ///< without meaning where there is a convolution
  std::optional<ShortConvolution> convolution = {};  ///< in place of attention, with its norms
  SublayerNorms attention_norms;
  std::optional<Attention> cross_attention;
  SublayerNorms cross_norms;
  Mlp mlp;
  std::optional<Experts> experts;
  SublayerNorms mlp_norms;
  std::optional<InputGate> input_gate;  ///< after the MLP (Gemma 4)
  float factor = 1;                     ///< multiplies the stream after the block
  bool parallel = false;  ///< attention and MLP both read the block's input (GPT-NeoX)
  std::optional<AddedConvolution> added_convolution = {};

  /// True when it has neither an MLP nor experts.
  bool attention_only() const { return mlp.absent() && !experts; }

  bool operator==(const Block&) const = default;
};

/// What the embedding gives to each layer besides the stream (Gemma 4): factor · (norm(x W ·
/// projection_scale) + scale · row of the token), where x are the first rows of the stream and all
/// layers stand side by side.
struct LayerInputs {
  StoredMatrix tokens;         ///< [vocabulary × layers · width()]
  float scale = 1;             ///< multiplies them
  Linear projection;           ///< [d_model × layers · width()]
  float projection_scale = 1;  ///< multiplies what it gives
  Norm norm;                   ///< of each layer's part
  float factor = 1;            ///< multiplies the sum
  Index layers = 1;

  /// Features of a layer's part.
  Index width() const { return tokens.cols() / layers; }

  bool operator==(const LayerInputs&) const = default;
};

/// What turns token ids into the first rows of the residual stream.
struct Embedding {
  StoredMatrix tokens;                   ///< [vocabulary × d_embedding]
  float scale = 1;                       ///< multiplies them
  StoredMatrix positions;                ///< [≥ offset + n × width()], added; empty: none
  Index position_offset = 0;             ///< row of position 0
  std::optional<std::uint32_t> padding;  ///< the id of tokens that have no position of their own
                                         ///< but the row before that (RoBERTa); unset: none
  StoredMatrix types;  ///< [types × width()], row 0 is added, or that of the token's type; empty:
                       ///< none
  std::optional<Linear> projection;  ///< d_embedding → d_model, before positions are added
  bool projected_last = false;  ///< it comes after positions and norm instead (ALBERT, ELECTRA)
  std::optional<Norm> norm;     ///< of the sum
  bool normed_last = false;     ///< where it is projected last, the norm comes after that (DeBERTa)
  std::optional<LayerInputs> layer_inputs;
  Index longest_text = 0;  ///< > 0: tokens beyond which positions would be known in another way

  /// Features of what positions and types are added to: d_model, or d_embedding.
  Index width() const {
    return projection && !projected_last ? projection->W.cols() : tokens.cols();
  }
  /// The most tokens of a text; 0: any number.
  Index most_tokens() const {
    return positions.empty() ? longest_text : positions.rows() - position_offset;
  }

  bool operator==(const Embedding&) const = default;
};

/// Blocks one after the other.
struct Stack {
  Embedding embedding;
  std::vector<Block> blocks;
  std::optional<Norm> final_norm;

  bool operator==(const Stack&) const = default;
};

/// What turns a row of the last hidden state into a logit for each token of the vocabulary.
struct ReadOut {
  std::optional<Linear> transform;  ///< first, with activation and norm (BERT); may narrow the row
  Activation activation = Activation::kGelu;
  std::optional<Norm> norm;
  std::optional<Linear> projection;  ///< d_model → d_embedding (OPT)
  float scale = 1;                   ///< multiplies the row
  Linear tokens;                     ///< [d_embedding × vocabulary]
  float cap = 0;                     ///< c > 0: a logit z becomes c · tanh(z / c)

  bool operator==(const ReadOut&) const = default;
};

/// A transformer: one stack, or a decoder that attends to an encoder. Plain data: copies share the
/// matrices, and two networks are equal when they view the same numbers.
struct Network {
  Stack stack;                      ///< the only one, or the decoder
  std::optional<Stack> encoder;     ///< reads the first text
  std::optional<ReadOut> read_out;  ///< none: the network gives hidden states only

  /// Features of the residual stream.
  Index d_model() const;

  bool operator==(const Network&) const = default;
};

/// `network` with what an adapter adds to weights multiplied by `gain`, see ComputedRows: 0 is
/// without it, 1 as it was trained. Matrices that were views of the same numbers still are.
Network with_adapter_gain(const Network& network, float gain);

/// Throws std::invalid_argument naming the part, the shape it has and the shape that it should have
/// when matrices do not fit each other.
void validate(const Network& network);

}  // namespace attention::network
