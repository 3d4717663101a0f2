#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/connection/request_json.h"
#include "app/document/document.h"
#include "app/files/tensors/tensors.h"

// What a program says about the arrays that it shows.

namespace lab::connection {

/// What the arrays are.
enum class ArrayType {
  kWeights,      ///< weights [n_heads × n × m], or [layers × n_heads × n × m]
  kQueriesKeys,  ///< q [n_heads × n × d_k], k [n_kv_heads × m × d_k], v [n_kv_heads × m × d_v]
  kLayer,        ///< x, w_q, w_k, w_v, w_o and biases of one layer; x may be of several sentences
};

/// Arrays as they are announced, without their numbers.
struct ArraySpec {
  std::string name;
  std::string title;  ///< of the document
  ArrayType type = ArrayType::kWeights;
  std::optional<TextLists> tokens, key_tokens;  ///< std::nullopt: numbers
  int layers = 1;
  bool lazy = false;  ///< the other layers are asked for when they are shown
};

/// Reads the members name, title, what, tokens, key_tokens, layers and lazy of a request. Throws
/// BadInput with a sentence.
ArraySpec read_array_spec(const nlohmann::json& request);

/// The arrays in a safetensors file that belong to `spec`, with its tokens as their metadata. A
/// mask of true and false, or of integers, says what is allowed and is called "mask"; one of other
/// numbers is added to the scores and is called "bias", unless all it does is to forbid. Fails as
/// files::read_safetensors does.
Expected<files::TensorFile> read_arrays(const ArraySpec& spec, std::string_view safetensors);

/// The document that shows `arrays`, as read_arrays gives them, which hold layer `layer` (from 0),
/// or all of them where weights have four dimensions. Adds to `notes` what a person should know.
/// Fails with kBadInput and a sentence that names the array.
Expected<Document> document_of_arrays(const ArraySpec& spec, const files::TensorFile& arrays,
                                      int layer, std::vector<std::string>& notes);

/// The number of layers that `arrays` hold: the first of four dimensions of weights, else 1.
int layers_in(const ArraySpec& spec, const files::TensorFile& arrays);

}  // namespace lab::connection
