#include "app/files/model/build_network.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/base/bad_input.h"

namespace lab::files {

using attention::network::ReadOut;
using attention::network::StoredMatrix;

namespace {

// The bias of the read-out, if it has one.
StoredMatrix read_out_bias(TensorFinder& finder) {
  const Description& d = finder.description();
  const ReadOutNames& names = finder.names().read_out;
  if (!d.biases.read_out) return {};
  std::string name = names.bias;
  if (!finder.has(name)) {
    if (names.bias_may_miss) return {};
    // What older checkpoints stored it as, even where nothing else was tied.
    const auto tie = std::ranges::find_if(finder.names().ties, [&](const TiedTensor& t) {
      return t.tensor != nullptr && name == t.tensor;
    });
    const std::string other = tie == finder.names().ties.end() ? "" : tie->source;
    const bool replaced = !other.empty() && finder.has(other);
    finder.add_note("tensor " + in_quotes(name) + " is missing: " +
                    (replaced ? in_quotes(other) + " is taken for it" : "it counts as zeros"));
    if (!replaced) return {};
    name = other;
  }
  return finder.row(name, d.vocabulary);
}

// True for an architecture that predicts tokens.
bool predicts_tokens(const std::string& architecture) {
  constexpr std::array kEndings = {
      "ForCausalLM",     "LMHeadModel", "ForMaskedLM", "ForPreTraining", "ForConditionalGeneration",
      "WithLMHeadModel", "MTModel"};
  return std::ranges::any_of(kEndings,
                             [&](const char* end) { return architecture.ends_with(end); });
}

// The head of DeBERTa that older versions of transformers did not know.
constexpr const char* kNewerHead = "lm_predictions.lm_head.dense";

}  // namespace

std::optional<ReadOut> build_read_out(TensorFinder& finder) {
  const Description& d = finder.description();
  const ReadOutNames& names = finder.names().read_out;
  const std::string tokens = names.tokens + std::string(".weight");
  const std::string transform = names.transform == nullptr ? "" : names.transform;
  const std::string& needed = transform.empty() ? tokens : transform + ".weight";
  if (!finder.has(needed)) {
    const std::string newer = std::string(kNewerHead) + ".weight";
    if (finder.has(newer))
      finder.add_note("tensor " + in_quotes(newer) +
                      " is of a head that fills gaps, which is read where config.json says "
                      "\"legacy\": false: this network ends with its hidden states");
    else if (predicts_tokens(d.architecture))
      finder.add_note("tensor " + in_quotes(needed) +
                      " is missing: this network ends with its hidden states and predicts nothing");
    return std::nullopt;
  }
  ReadOut result;
  result.activation = d.read_out_activation;
  if (!transform.empty()) {
    result.transform =
        finder.linear(transform, d.d_model, d.d_embedding, d.biases.read_out_transform);
    result.norm = finder.norm(names.norm, d.d_embedding);
  } else if (d.d_embedding != d.d_model)
    result.projection =
        finder.linear(finder.with_prefix(names.projection), d.d_model, d.d_embedding, false);
  result.scale = d.read_out_scale;
  result.tokens.W = finder.matrix(tokens, d.vocabulary, d.d_embedding).transposed();
  result.tokens.b = read_out_bias(finder);
  result.cap = d.logit_cap;
  return result;
}

}  // namespace lab::files
