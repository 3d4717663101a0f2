#pragma once

#include <string>
#include <vector>

#include "app/document/model/layer_name.h"
#include "app/lessons/answers/expression_tree.h"
#include "app/lessons/model/model_facts.h"

// What the indices of a reference mean in a trained model: probability[L2, last, mat].

namespace lab::lessons {

/// The layer that an index names, "L2"; nothing if it is no layer's name. Throws BadInput, naming
/// those that there are, if the model has no such layer. `name`: of the reference.
std::optional<attention::Index> layer_index(const std::string& name, const IndexText& index,
                                            const ModelFacts& facts);

/// The heads that an index names: "L1H3", or all of them for ":", layer by layer. Throws BadInput
/// if the model has no such head.
std::vector<HeadRef> heads_index(const std::string& name, const IndexText& index,
                                 const ModelFacts& facts);

/// The row of a token of the text. Throws BadInput if there is none.
attention::Index row_index(const std::string& name, const IndexText& index,
                           const Document& document);

/// The answer that an index names for a row: a token, "mat", or the difference of two,
/// "mat - floor". Of several tokens of that name the likeliest is meant. Throws BadInput if the
/// vocabulary has none.
attention::network::Answer answer_index(const IndexText& index, attention::Index row,
                                        ModelFacts& facts);

}  // namespace lab::lessons
