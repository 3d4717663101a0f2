#pragma once

#include <string>
#include <vector>

#include "app/document/snapshot.h"
#include "app/files/model/model_folder.h"
#include "core/network/network_evaluator.h"

namespace lab::files {

/// The tokens of `ids`, labelled as a person reads them; numbers without a tokenizer.
std::vector<Token> model_tokens(const Model& model, const std::vector<std::uint32_t>& ids);

/// "L9H3", "cross.L0H1" or "encoder.L2H0": layers and heads from 0, as the literature names them.
std::string head_name(const attention::network::LayerPlace& at, attention::Index head);

/// One layer of a model on these tokens as a document, whose problem is that of layer_problem() and
/// whose heads are named by head_name(). It is for computing, explaining and drawing; sessions do
/// not hold layers of models. Throws std::invalid_argument as layer_problem() does.
Document layer_document(const Model& model, const attention::network::Tokens& tokens,
                        const attention::Problem& layer, const attention::network::LayerPlace& at);

/// The attention weights of all layers and heads of a sublayer on these tokens, as those of one
/// layer that has all these heads: only its weights can be shown. Heads follow each other layer by
/// layer.
Snapshot all_layers(const Model& model, const attention::network::Tokens& tokens,
                    const attention::network::NetworkTrace& trace,
                    attention::network::Sublayer sublayer);

}  // namespace lab::files
