#pragma once

#include <optional>
#include <vector>

#include "app/document/analysis/model_pass.h"
#include "core/gradient/layer_gradient.h"
#include "core/network/attribution.h"

namespace lab {

/// A number of a layer of a model that is asked about in place of the answer.
struct ModelCell {
  attention::network::LayerId at;
  attention::Stage stage = attention::Stage::kWeights;
  attention::Index head = 0, row = 0, col = 0;
  bool operator==(const ModelCell&) const = default;
};

/// the number whose gradient is computed: an answer, or a cell.
struct GradientRequest {
  attention::network::LayerId at;  ///< the current layer
  std::optional<ModelCell> cell = {};
  bool operator==(const GradientRequest&) const = default;
};

/// How a token of a text moves the number by the row that the embedding gives for it.
struct TokenGradient {
  bool of_encoder = false;   ///< of the text of an encoder before a decoder
  attention::Index row = 0;  ///< its position in its text
  float size = 0;            ///< ‖d(number) / d(row)‖
  float times_input = 0;     ///< Σ d(number) / d(row) · row: "gradient × input"
};

/// A weight or bias of a layer, and its sensitivity.
struct WeightSensitivity {
  attention::network::LayerId at;
  attention::Sensitivity number;
};

/// The gradient of a number of a model.
struct ModelGradient {
  GradientRequest request;
  /// By everything of the current layer, by the stages of its document.
  attention::LayerGradient layer;
  std::vector<HeadMap> heads;         ///< by each head's gain
  std::vector<TokenGradient> tokens;  ///< of all texts, in order
  /// The weights and biases of all attention sublayers with the largest gradients, the largest
  /// first.
  std::vector<WeightSensitivity> numbers;
};

/// The most numbers that ModelGradient::numbers has.
inline constexpr std::size_t kListedNumbers = 10;

/// The gradient of `answer`, or of the cell of the request. Throws as
/// attention::network::gradient_of_answer() and gradient_of_stage() do.
ModelGradient model_gradient(const ModelPass& pass, const GradientRequest& request,
                             const attention::network::Answer& answer);

}  // namespace lab
