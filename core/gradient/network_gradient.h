#pragma once

#include <vector>

#include "core/gradient/layer_gradient.h"
#include "core/gradient/network_adjoints.h"
#include "core/network/attribution.h"

namespace attention::network {

/// d(number) / d(each factor and offset of the norms around a sublayer).
struct SublayerNormGradients {
  NormGradient before, branch, after;
};

/// d(number) / d(each number of DistanceScores) in one block, whose embedding the others may share.
struct DistanceScoresGradient {
  Matrix embedding;
  NormGradient norm;
  LinearGradient key, query;
};

/// d(number) / d(each number of an AddedConvolution).
struct AddedConvolutionGradient {
  std::vector<Matrix> taps;
  Matrix bias;
  NormGradient norm;
};

/// What moves the number in one block. What nothing reaches is empty.
struct BlockGradient {
  Matrix input;  ///< [n × d_model] by the residual stream before the block
  /// By everything that attention is computed from, as in the layer's layer_problem(), and by each
  /// of its stages. Its `embedding` is what the sublayer reads: the normalised stream, or in latent
  /// attention what is compressed of it. What reaches keys and values that are another
  /// layer's (Attention::key_layer) goes on to their matrices, X and stages there; here their
  /// stages and `embedding_kv` hold what passes through this layer, and the matrices nothing.
  LayerGradient attention, cross_attention;
  LatentGradient latent;
  ConvolutionGradient convolution;  ///< in place of attention
  DistanceScoresGradient distance_scores;
  AddedConvolutionGradient added_convolution;
  SublayerNormGradients attention_norms, cross_norms, mlp_norms;
  MlpGradient mlp;
  ExpertsGradient experts;
  InputGateGradient input_gate;
};

/// What moves the number in a stack.
struct StackGradient {
  Matrix embedded;  ///< [n × d_model] by what the embedding gives: the first stream, and by way of
                    ///< it all LayerInputs
  Matrix layer_inputs;  ///< [n × all layers' width] by LayerInputs, which are empty without them
  LayerInputsGradient of_layer_inputs;
  std::vector<BlockGradient> blocks;
  Matrix last;   ///< [n × d_model] by the stream after the last block
  Matrix final;  ///< [n × d_model] by that after the final norm
  NormGradient final_norm;
};

/// What moves the number in the read-out.
struct ReadOutGradient {
  LinearGradient transform;
  NormGradient norm;
  LinearGradient projection, tokens;
};

/// d(number) / d(everything that a forward pass is computed from).
struct NetworkGradient {
  StackGradient stack;
  StackGradient encoder;  ///< empty with a single stack
  ReadOutGradient read_out;
};

/// A forward pass that is differentiated. What is referred to must outlive the call.
struct DifferentiatedPass {
  const Network& network;
  const Interventions& interventions;
  const NetworkTrace& trace;  ///< of these
  ThreadPool& pool;
};

/// The gradient of an answer: a logit, or the difference of two; in ReadOutGradient::tokens there
/// are only the columns of its tokens. Replaced numbers move what follows them and are moved by
/// nothing. Throws std::invalid_argument as validate(Answer) and
/// layer_problem() do.
NetworkGradient gradient_of_answer(const DifferentiatedPass& pass, const Answer& answer);

/// The gradient of Σ weights · logits, `weights` [n × vocabulary], such as d(loss) / d(logits).
/// Throws std::invalid_argument when the network has no read-out or the shape is another one.
NetworkGradient gradient_of_logits(const DifferentiatedPass& pass, const Matrix& weights);

/// The gradient of a number of a stage of the sublayer at `at`, see Seed. Throws
/// std::invalid_argument as layer_problem() and attention::gradient_of() do.
NetworkGradient gradient_of_stage(const DifferentiatedPass& pass, const LayerId& at,
                                  const Seed& seed);

}  // namespace attention::network
