#pragma once

#include "app/files/model/model_folder.h"
#include "app/files/tensors/tensors.h"
#include "core/network/network_evaluator.h"

namespace lab::files {

/// The numbers of a forward pass, named as transformers names its outputs: input_ids, for each
/// layer l attention.{l} [n_heads × n × n], unless it is a convolution, and hidden.{l} [n ×
/// d_model] (the input of the layer, and hidden.{n_layers} after the final norm and, in OPT, the
/// projection to the width of the embeddings), and logits [n × vocabulary] if `logits` is not
/// empty. With two stacks decoder_input_ids, encoder_attention.{l}, decoder_attention.{l},
/// cross_attention.{l}, encoder_hidden.{l} and decoder_hidden.{l}.
TensorFile model_answer(const Model& model, const attention::network::Tokens& tokens,
                        const attention::network::NetworkTrace& trace,
                        const attention::Matrix& logits);

}  // namespace lab::files
