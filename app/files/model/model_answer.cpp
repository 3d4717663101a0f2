#include "app/files/model/model_answer.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::StackTrace;
using attention::network::Tokens;

Tensor matrix_tensor(const std::string& name, const Matrix& matrix) {
  return {name, {matrix.rows(), matrix.cols()}, {matrix.data(), matrix.data() + matrix.size()}};
}

Tensor heads_tensor(const std::string& name, const Matrix& heads, Index n_heads) {
  Tensor tensor = matrix_tensor(name, heads);
  tensor.shape = {n_heads, heads.rows() / n_heads, heads.cols()};
  return tensor;
}

Tensor ids_tensor(const std::string& name, const std::vector<std::uint32_t>& ids) {
  return {name, {static_cast<std::int64_t>(ids.size())}, {ids.begin(), ids.end()}};
}

std::string numbered(const std::string& name, std::size_t layer) {
  return name + "." + std::to_string(layer);
}

// The last hidden state; OPT projects it to the width of the embeddings.
Matrix last_hidden(const Model& model, const StackTrace& stack) {
  const auto& read_out = model.network.read_out;
  if (!read_out || !read_out->projection) return stack.final;
  return stack.final * read_out->projection->W.values();
}

void add_stack(const StackTrace& stack, const Matrix& last, Index n_heads,
               const std::string& prefix, TensorFile& file) {
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const Matrix& weights = *stack.blocks[layer].weights;
    if (weights.size() > 0)  // a convolution has none
      file.tensors.push_back(heads_tensor(numbered(prefix + "attention", layer), weights, n_heads));
  }
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const Matrix& cross = *stack.blocks[layer].cross_weights;
    if (cross.size() > 0)
      file.tensors.push_back(heads_tensor(numbered("cross_attention", layer), cross, n_heads));
  }
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer)
    file.tensors.push_back(
        matrix_tensor(numbered(prefix + "hidden", layer), *stack.blocks[layer].input));
  file.tensors.push_back(matrix_tensor(numbered(prefix + "hidden", stack.blocks.size()), last));
}

}  // namespace

TensorFile model_answer(const Model& model, const Tokens& tokens,
                        const attention::network::NetworkTrace& trace, const Matrix& logits) {
  TensorFile file;
  const bool two = trace.encoder.has_value();
  file.tensors.push_back(ids_tensor("input_ids", two ? tokens.encoder_ids : tokens.ids));
  if (two) {
    file.tensors.push_back(ids_tensor("decoder_input_ids", tokens.ids));
    add_stack(*trace.encoder, trace.encoder->final, model.description.n_encoder_heads, "encoder_",
              file);
  }
  add_stack(trace.stack, last_hidden(model, trace.stack), model.description.n_heads,
            two ? "decoder_" : "", file);
  if (logits.size() > 0) file.tensors.push_back(matrix_tensor("logits", logits));
  return file;
}

}  // namespace lab::files
