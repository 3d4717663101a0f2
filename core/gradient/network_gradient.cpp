#include "core/gradient/network_gradient.h"

#include <array>
#include <map>
#include <stdexcept>

#include "core/gradient/adjoints.h"
#include "core/layer/evaluator.h"
#include "core/layer/stages.h"
#include "core/matrix.h"
#include "core/network/block_pass.h"
#include "core/network/encoders/added_convolution.h"
#include "core/network/encoders/distance_scores.h"
#include "core/network/experts.h"
#include "core/network/layer_problem.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

void add(const Matrix& part, Matrix& sum) {
  if (part.size() == 0) return;
  if (sum.size() == 0)
    sum = part;
  else
    sum += part;
}

// What a layer reads of the keys and values of another one.
constexpr std::array kSharedStages{Stage::kK, Stage::kV, Stage::kNormedK, Stage::kNormedV,
                                   Stage::kRotatedK};

// Takes what reaches keys and values out of the gradient of a layer whose keys and values are
// another's, and adds it to `sum`: the gradient of that other one.
void take_keys(LayerGradient& layer, LayerGradient& sum) {
  sum.stages.heads.resize(layer.stages.heads.size());
  for (std::size_t head = 0; head < layer.stages.heads.size(); ++head)
    for (const Stage stage : kSharedStages)
      add(stage_matrix(layer.stages.heads[head], stage),
          stage_matrix(sum.stages.heads[head], stage));
  add(layer.stages.X_kv, sum.stages.X);
  add(layer.embedding_kv, sum.embedding);
  ParameterGradients &from = layer.parameters, &to = sum.parameters;
  to.kv_heads.resize(from.kv_heads.size());
  for (std::size_t head = 0; head < from.kv_heads.size(); ++head) {
    add(from.kv_heads[head].W_K, to.kv_heads[head].W_K);
    add(from.kv_heads[head].W_V, to.kv_heads[head].W_V);
    add(from.kv_heads[head].b_K, to.kv_heads[head].b_K);
    add(from.kv_heads[head].b_V, to.kv_heads[head].b_V);
    from.kv_heads[head] = {};
  }
  add(from.norm_K, to.norm_K);
  from.norm_K.resize(0, 0);
}

// Adds what take_keys() gave to the gradient of the layer whose keys and values they are.
void give_keys(const LayerGradient& sum, LayerGradient& layer) {
  for (std::size_t head = 0; head < sum.stages.heads.size(); ++head)
    for (const Stage stage : kSharedStages)
      add(stage_matrix(sum.stages.heads[head], stage),
          stage_matrix(layer.stages.heads[head], stage));
  add(sum.stages.X, layer.stages.X);
  add(sum.embedding, layer.embedding);
  const ParameterGradients& from = sum.parameters;
  for (std::size_t head = 0; head < from.kv_heads.size(); ++head) {
    KeyValueGradients& to = layer.parameters.kv_heads[head];
    add(from.kv_heads[head].W_K, to.W_K);
    add(from.kv_heads[head].W_V, to.W_V);
    add(from.kv_heads[head].b_K, to.b_K);
    add(from.kv_heads[head].b_V, to.b_V);
  }
  add(from.norm_K, layer.parameters.norm_K);
}

// An attention sublayer of the pass with all its stages.
struct EvaluatedLayer {
  Problem problem;
  Evaluator evaluator;

  EvaluatedLayer(const DifferentiatedPass& pass, const LayerId& at)
      : problem(layer_problem(pass.network, pass.trace, pass.interventions, at, pass.pool)) {
    evaluator.evaluate(problem);
  }
  const Matrix& output() const { return *evaluator.trace().output; }
  LayerGradient gradient(const Seed& seed) const {
    return gradient_of(problem, evaluator.trace(), seed);
  }
  LayerGradient gradient(const Matrix& d_output) const {
    return gradient({Stage::kOutput, 0, d_output});
  }
};

// Through after(x + factor · branch(output)): adds to d_x, and returns d(number) / d(output).
Matrix through_norms(const SublayerNorms& norms, const Matrix& x, const Matrix& output,
                     const Matrix& d, Matrix& d_x, SublayerNormGradients& gradient) {
  Matrix sum = output;
  if (norms.branch) normalise(*norms.branch, sum);
  if (norms.factor != 1) sum *= norms.factor;
  sum += x;
  Matrix d_sum;
  if (norms.after)
    norm_adjoint(*norms.after, sum, d, d_sum, gradient.after);
  else
    d_sum = d;
  add(d_sum, d_x);
  if (norms.factor != 1) d_sum *= norms.factor;
  if (!norms.branch) return d_sum;
  Matrix d_output;
  norm_adjoint(*norms.branch, output, d_sum, d_output, gradient.branch);
  return d_output;
}

// Through before(x): adds to d_x what reaches it by the rows that the sublayer reads.
void through_first_norm(const SublayerNorms& norms, const Matrix& x, const Matrix& d_rows,
                        Matrix& d_x, SublayerNormGradients& gradient) {
  if (d_rows.size() == 0) return;
  if (norms.before)
    norm_adjoint(*norms.before, x, d_rows, d_x, gradient.before);
  else
    add(d_rows, d_x);
}

// Goes through one stack backwards.
class StackPass {
 public:
  StackPass(const DifferentiatedPass& pass, Sublayer sublayer, StackGradient& gradient,
            Matrix* d_encoder)
      : pass_(pass),
        sublayer_(sublayer),
        stack_(sublayer == Sublayer::kEncoder ? *pass.network.encoder : pass.network.stack),
        trace_(stack_trace(pass.trace, sublayer)),
        gradient_(gradient),
        d_encoder_(d_encoder) {
    gradient_.blocks.resize(stack_.blocks.size());
  }

  // From what the final norm gives.
  void run(const Matrix& d_final) {
    gradient_.final = d_final;
    if (stack_.final_norm)
      norm_adjoint(*stack_.final_norm, *trace_.last, d_final, gradient_.last, gradient_.final_norm);
    else
      gradient_.last = d_final;
    run_blocks(std::ssize(stack_.blocks), gradient_.last);
  }

  // From a stage of the sublayer at `at`.
  void run(const LayerId& at, const Seed& seed) {
    const std::size_t number = static_cast<std::size_t>(at.layer);
    const Block& block = stack_.blocks[number];
    BlockGradient& gradient = gradient_.blocks[number];
    const Matrix& x = *trace_.blocks[number].input;
    Matrix d_x;
    if (at.sublayer == Sublayer::kCross) {
      const EvaluatedLayer layer(pass_, layer_id(number));
      Matrix d_y;
      gradient.cross_attention = EvaluatedLayer(pass_, at).gradient(seed);
      pass_cross(block, after_sublayer(block.attention_norms, x, layer.output(), pass_.pool),
                 gradient, d_y);
      if (d_y.size() > 0) pass_attention(number, layer, d_y, d_x);
    } else {
      gradient.attention = EvaluatedLayer(pass_, at).gradient(seed);
      pass_keys(number, x, d_x);
      pass_input(number, d_x);
    }
    finish_block(number, std::move(d_x));
    run_blocks(at.layer, gradient.input);
  }

 private:
  // Through the blocks before `end`, from the stream after the last of them.
  void run_blocks(Index end, Matrix d) {
    d = without_replaced(end, std::move(d));
    for (Index layer = end; layer-- > 0 && d.size() > 0;) {
      pass_block(static_cast<std::size_t>(layer), d);
      d = without_replaced(layer, gradient_.blocks[static_cast<std::size_t>(layer)].input);
    }
    gradient_.embedded = d;
    if (gradient_.layer_inputs.size() > 0) pass_layer_inputs();
  }

  // From what the embedding gives to the layers to the rows that it makes of the tokens. Where
  // numbers of the first stream are replaced, these rows are not: they are embedded again.
  void pass_layer_inputs() {
    layer_inputs_adjoint(*stack_.embedding.layer_inputs, *trace_.embedded, gradient_.layer_inputs,
                         pass_.pool, gradient_.embedded, gradient_.of_layer_inputs);
  }

  void finish_block(std::size_t number, Matrix d_x) {
    gradient_.blocks[number].input = std::move(d_x);
  }

  // Nothing flows on from numbers of the stream that were replaced.
  Matrix without_replaced(Index layer, Matrix d) const {
    for (const StreamOverride& one : pass_.interventions.stream) {
      const bool of_encoder = one.at.sublayer == Sublayer::kEncoder;
      if (of_encoder == (sublayer_ == Sublayer::kEncoder) && one.at.layer == layer && d.size() > 0)
        d(one.row, one.col) = 0;
    }
    return d;
  }

  LayerId layer_id(std::size_t number) const { return {sublayer_, static_cast<Index>(number)}; }

  void pass_convolution(std::size_t number, const Matrix& d) {
    const Block& block = stack_.blocks[number];
    const SublayerNorms& norms = block.attention_norms;
    const Matrix& x = *trace_.blocks[number].input;
    BlockGradient& gradient = gradient_.blocks[number];
    const Matrix output = convolution_output(block, x, pass_.pool);
    Matrix d_x, d_y, d_rows;
    pass_mlp(block, after_sublayer(norms, x, output, pass_.pool), d, gradient, d_y);
    const Matrix d_output = through_norms(norms, x, output, d_y, d_x, gradient.attention_norms);
    convolution_adjoint(*block.convolution, before_sublayer(norms, x, pass_.pool), d_output,
                        pass_.pool, d_rows, gradient.convolution);
    through_first_norm(norms, x, d_rows, d_x, gradient.attention_norms);
    finish_block(number, std::move(d_x));
  }

  // From the output of a block to what its MLP gives, and to its input x.
  Matrix pass_added_convolution(const Block& block, const Matrix& x, const Matrix& y,
                                const Matrix& d, BlockGradient& gradient, Matrix& d_x) {
    const AddedConvolution& convolution = *block.added_convolution;
    const Matrix before = convolved(convolution, x, 0, pass_.pool);
    Matrix sum = before, d_sum;
    activate(convolution.activation, sum);
    sum += after_mlp(block, x, y, pass_.pool);
    norm_adjoint(convolution.norm, sum, d, d_sum, gradient.added_convolution.norm);
    convolved_adjoint(convolution, x, activation_adjoint(convolution.activation, before, d_sum),
                      d_x, gradient.added_convolution.taps, gradient.added_convolution.bias);
    return d_sum;
  }

  void pass_block(std::size_t number, const Matrix& d_block) {
    const Block& block = stack_.blocks[number];
    if (block.convolution) return pass_convolution(number, d_block);
    const Matrix& x = *trace_.blocks[number].input;
    BlockGradient& gradient = gradient_.blocks[number];
    const EvaluatedLayer layer(pass_, layer_id(number));
    if (block.factor != 1 || block.input_gate) return pass_finished_block(number, layer, d_block);
    Matrix d_x, d = d_block;
    if (block.added_convolution)
      d = pass_added_convolution(
          block, x, after_sublayer(block.attention_norms, x, layer.output(), pass_.pool), d,
          gradient, d_x);
    if (block.parallel) {
      Matrix twice;  // both branches carry the stream, which is there once
      pass_mlp(block, x, d, gradient, twice);
      pass_attention(number, layer, d, d_x);
      d_x += twice - d;
      return finish_block(number, std::move(d_x));
    }
    const Matrix y = after_sublayer(block.attention_norms, x, layer.output(), pass_.pool);
    Matrix d_y;
    if (block.cross_attention) {
      const LayerId at{Sublayer::kCross, static_cast<Index>(number)};
      const EvaluatedLayer cross(pass_, at);
      Matrix d_z;
      pass_mlp(block, after_sublayer(block.cross_norms, y, cross.output(), pass_.pool), d, gradient,
               d_z);
      const Matrix d_output =
          through_norms(block.cross_norms, y, cross.output(), d_z, d_y, gradient.cross_norms);
      gradient.cross_attention = cross.gradient(d_output);
      pass_cross(block, y, gradient, d_y);
    } else {
      pass_mlp(block, y, d, gradient, d_y);
    }
    pass_attention(number, layer, d_y, d_x);
    finish_block(number, std::move(d_x));
  }

  // A block that does something after its MLP.
  void pass_finished_block(std::size_t number, const EvaluatedLayer& layer, const Matrix& d) {
    const Block& block = stack_.blocks[number];
    const Matrix& x = *trace_.blocks[number].input;
    BlockGradient& gradient = gradient_.blocks[number];
    Matrix y = after_sublayer(block.attention_norms, x, layer.output(), pass_.pool);
    const Matrix z = after_mlp(block, x, y, pass_.pool);
    const Index width = block.input_gate ? block.input_gate->gate.W.cols() : 0;
    const Matrix input = input_of_layer(block, &*trace_.layer_inputs, static_cast<Index>(number));
    Matrix d_z, d_input, d_y, d_x;
    finish_adjoint(block, z, input, d, pass_.pool, d_z, d_input, gradient.input_gate);
    if (width > 0) {
      if (gradient_.layer_inputs.size() == 0)
        gradient_.layer_inputs = Matrix::Zero(x.rows(), trace_.layer_inputs->cols());
      gradient_.layer_inputs.middleCols(static_cast<Index>(number) * width, width) += d_input;
    }
    pass_mlp(block, y, d_z, gradient, d_y);
    pass_attention(number, layer, d_y, d_x);
    finish_block(number, std::move(d_x));
  }

  void pass_mlp(const Block& block, const Matrix& x, const Matrix& d, BlockGradient& gradient,
                Matrix& d_x) {
    if (block.attention_only()) return add(d, d_x);
    const Matrix rows = before_sublayer(block.mlp_norms, x, pass_.pool);
    const Matrix output = compute_feed_forward(block, rows, x, Precision::kSingle, pass_.pool);
    const Matrix d_output = through_norms(block.mlp_norms, x, output, d, d_x, gradient.mlp_norms);
    Matrix d_rows;
    feed_forward_adjoint(block, {rows, x, d_rows, d_x}, d_output, pass_.pool, gradient.mlp,
                         gradient.experts);
    through_first_norm(block.mlp_norms, x, d_rows, d_x, gradient.mlp_norms);
  }

  void pass_attention(std::size_t number, const EvaluatedLayer& layer, const Matrix& d,
                      Matrix& d_x) {
    const SublayerNorms& norms = stack_.blocks[number].attention_norms;
    const Matrix& x = *trace_.blocks[number].input;
    BlockGradient& gradient = gradient_.blocks[number];
    const Matrix d_output =
        through_norms(norms, x, layer.output(), d, d_x, gradient.attention_norms);
    gradient.attention = layer.gradient(d_output);
    pass_keys(number, x, d_x);
    pass_input(number, d_x);
  }

  // Hands what reaches the keys and values of another layer to that one, or takes what later layers
  // handed to this one.
  void pass_keys(std::size_t number, const Matrix& x, Matrix& d_x) {
    LayerGradient& gradient = gradient_.blocks[number].attention;
    if (const auto& key_layer = stack_.blocks[number].attention.key_layer) {
      take_keys(gradient, handed_[*key_layer]);
      if (d_x.size() == 0) d_x = Matrix::Zero(x.rows(), x.cols());  // the way to that layer
    } else if (const auto at = handed_.find(static_cast<Index>(number)); at != handed_.end()) {
      give_keys(at->second, gradient);
    }
  }

  // From the rows of distances of a text to the embedding of all, and from the maps of heads to
  // those of all heads.
  void pass_distances(const Attention& attention, BlockGradient& gradient) {
    const DistanceScores& scores = *attention.distance_scores;
    const RelativeGradient& of_layer = gradient.attention.relative;
    if (of_layer.embedding.size() == 0) return;
    DistanceScoresGradient& to = gradient.distance_scores;
    const RowRange range = stored_distances(scores, trace_.n());
    const Matrix stored = scores.embedding.row_range(range.first, range.count).values();
    Matrix d_rows;
    if (scores.norm)
      norm_adjoint(*scores.norm, stored, of_layer.embedding, d_rows, to.norm);
    else
      d_rows = of_layer.embedding;
    to.embedding.setZero(scores.embedding.rows(), scores.embedding.cols());
    to.embedding.middleRows(range.first, range.count) = d_rows;
    const Index d_k = attention.head_dim, width = attention.n_heads * d_k;
    const auto place = [&](const Matrix& of_head, std::size_t head, Matrix& all) {
      if (of_head.size() == 0) return;
      if (all.size() == 0) all.setZero(of_head.rows(), width);
      all.middleCols(static_cast<Index>(head) * d_k, d_k) = of_head;
    };
    for (std::size_t head = 0; head < of_layer.maps.size(); ++head) {
      place(of_layer.maps[head].W_K, head, to.key.W);
      place(of_layer.maps[head].b_K, head, to.key.b);
      place(of_layer.maps[head].W_Q, head, to.query.W);
      place(of_layer.maps[head].b_Q, head, to.query.b);
    }
  }

  // From what attention reads to the stream.
  void pass_input(std::size_t number, Matrix& d_x) {
    const Block& block = stack_.blocks[number];
    const SublayerNorms& norms = block.attention_norms;
    const Matrix& x = *trace_.blocks[number].input;
    BlockGradient& gradient = gradient_.blocks[number];
    if (block.attention.distance_scores) pass_distances(block.attention, gradient);
    const Matrix& d = gradient.attention.embedding;
    if (!block.attention.latent || d.size() == 0)
      return through_first_norm(norms, x, d, d_x, gradient.attention_norms);
    Matrix d_rows;
    latent_adjoint(block.attention, before_sublayer(norms, x, pass_.pool), d, pass_.pool, d_rows,
                   gradient.latent);
    through_first_norm(norms, x, d_rows, d_x, gradient.attention_norms);
  }

  // From the gradient of cross-attention to the stream and to the encoder's output.
  void pass_cross(const Block& block, const Matrix& y, BlockGradient& gradient, Matrix& d_y) {
    through_first_norm(block.cross_norms, y, gradient.cross_attention.embedding, d_y,
                       gradient.cross_norms);
    add(gradient.cross_attention.embedding_kv, *d_encoder_);
  }

  const DifferentiatedPass& pass_;
  Sublayer sublayer_;
  const Stack& stack_;
  const StackTrace& trace_;
  StackGradient& gradient_;
  Matrix* d_encoder_;                      // of the encoder's output
  std::map<Index, LayerGradient> handed_;  // see pass_keys()
};

NetworkGradient of_final(const DifferentiatedPass& pass, const Matrix& d_final,
                         ReadOutGradient read_out) {
  NetworkGradient gradient;
  gradient.read_out = std::move(read_out);
  Matrix d_encoder;
  StackPass(pass, Sublayer::kSelf, gradient.stack, &d_encoder).run(d_final);
  if (d_encoder.size() > 0)
    StackPass(pass, Sublayer::kEncoder, gradient.encoder, nullptr).run(d_encoder);
  return gradient;
}

// The rows that the columns of the vocabulary read, with what they were before.
struct ReadOutRows {
  Matrix transformed, active, normed, projected;
};

ReadOutRows read_out_rows(const ReadOut& read_out, const Matrix& final, ThreadPool& pool) {
  ReadOutRows rows;
  rows.transformed =
      read_out.transform ? project(final, *read_out.transform, Precision::kSingle, pool) : final;
  rows.active = rows.transformed;
  if (read_out.transform) activate(read_out.activation, rows.active);
  rows.normed = rows.active;
  if (read_out.norm) normalise(*read_out.norm, rows.normed);
  rows.projected = read_out.projection
                       ? project(rows.normed, *read_out.projection, Precision::kSingle, pool)
                       : rows.normed;
  return rows;
}

// From the rows that the columns of the vocabulary read to the final hidden state.
Matrix through_read_out(const ReadOut& read_out, const Matrix& final, const ReadOutRows& rows,
                        Matrix d, ReadOutGradient& gradient) {
  if (read_out.scale != 1) d *= read_out.scale;
  const auto through = [&](auto&& adjoint) {
    Matrix before;
    adjoint(before);
    d = std::move(before);
  };
  if (read_out.projection)
    through([&](Matrix& before) {
      linear_adjoint(*read_out.projection, rows.normed, d, before, gradient.projection);
    });
  if (read_out.norm)
    through([&](Matrix& before) {
      norm_adjoint(*read_out.norm, rows.active, d, before, gradient.norm);
    });
  if (!read_out.transform) return d;
  d = activation_adjoint(read_out.activation, rows.transformed, d);
  through([&](Matrix& before) {
    linear_adjoint(*read_out.transform, final, d, before, gradient.transform);
  });
  return d;
}

// Of Σ weights · logits, for the logits that `tokens` gives.
NetworkGradient of_logits(const DifferentiatedPass& pass, const Linear& tokens,
                          const Matrix& weights) {
  const ReadOut& read_out = *pass.network.read_out;
  const Matrix& final = pass.trace.stack.final;
  if (weights.rows() != final.rows() || weights.cols() != tokens.W.cols())
    throw std::invalid_argument("the weights are " + shape_text(weights.rows(), weights.cols()) +
                                ", should be " + shape_text(final.rows(), tokens.W.cols()));
  const ReadOutRows rows = read_out_rows(read_out, final, pass.pool);
  Matrix read = rows.projected, d = weights, d_rows;
  if (read_out.scale != 1) read *= read_out.scale;
  if (read_out.cap > 0) {
    d.setZero();
    cap_scores_adjoint(project(read, tokens, Precision::kSingle, pass.pool), read_out.cap, weights,
                       d);
  }
  ReadOutGradient gradient;
  linear_adjoint(tokens, read, d, d_rows, gradient.tokens);
  const Matrix d_final = through_read_out(read_out, final, rows, std::move(d_rows), gradient);
  return of_final(pass, d_final, std::move(gradient));
}

}  // namespace

NetworkGradient gradient_of_logits(const DifferentiatedPass& pass, const Matrix& weights) {
  if (!pass.network.read_out) throw std::invalid_argument("the network has no read-out");
  return of_logits(pass, pass.network.read_out->tokens, weights);
}

NetworkGradient gradient_of_answer(const DifferentiatedPass& pass, const Answer& answer) {
  validate(answer, pass.network, pass.trace.stack.n());
  const Linear columns = answer_columns(pass.network.read_out->tokens, answer);
  Matrix weights = Matrix::Zero(pass.trace.stack.n(), columns.W.cols());
  weights(answer.row, 0) = 1;
  if (answer.minus) weights(answer.row, 1) = -1;
  return of_logits(pass, columns, weights);
}

NetworkGradient gradient_of_stage(const DifferentiatedPass& pass, const LayerId& at,
                                  const Seed& seed) {
  if (find_attention(pass.network, at) == nullptr)
    throw std::invalid_argument(missing_attention(pass.network, at));
  NetworkGradient gradient;
  Matrix d_encoder;
  const bool encoder = at.sublayer == Sublayer::kEncoder;
  StackGradient& of_stack = encoder ? gradient.encoder : gradient.stack;
  StackPass(pass, encoder ? Sublayer::kEncoder : Sublayer::kSelf, of_stack, &d_encoder)
      .run(at, seed);
  if (d_encoder.size() > 0)
    StackPass(pass, Sublayer::kEncoder, gradient.encoder, nullptr).run(d_encoder);
  return gradient;
}

}  // namespace attention::network
