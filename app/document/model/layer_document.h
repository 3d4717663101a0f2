#pragma once

#include <string>
#include <vector>

#include "app/document/model/model_source.h"
#include "app/document/snapshot.h"
#include "core/network/interventions.h"
#include "core/network/network_evaluator.h"

namespace lab {

/// The tokens of `ids`, labelled as a person reads them; numbers without a tokenizer.
std::vector<Token> model_tokens(const ModelSource& model, const std::vector<std::uint32_t>& ids);

/// Names of the columns of X where it consists of parts (latent attention), by the symbols of
/// DeepSeek-AI 2024: "c_Q 0", or "x 0" where queries read the stream; "c_KV 0"; "k_R 0". Else none.
std::vector<std::string> input_features(const attention::Problem& layer);

/// One layer of a model on these tokens as a document, whose problem is that of layer_problem() and
/// whose heads are named by model_head_name() of layer_name.h. Throws std::invalid_argument as
/// layer_problem() does.
Document layer_document(const ModelSource& model, const attention::network::Tokens& tokens,
                        const attention::Problem& layer, const attention::network::LayerId& at);

/// The attention weights of all layers and heads of a sublayer on these tokens, as those of one
/// layer that has all these heads: only its weights can be shown. Heads follow each other layer by
/// layer, each with what `interventions` do to it: muted, or times a gain.
Snapshot all_layers(const ModelSource& model, const attention::network::Tokens& tokens,
                    const attention::network::NetworkTrace& trace,
                    const attention::network::Interventions& interventions,
                    attention::network::Sublayer sublayer);

}  // namespace lab
