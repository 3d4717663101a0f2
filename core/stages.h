#pragma once

#include <span>

#include "core/trace.h"

// One pure function a stage, in the order of the formula
//   MultiHead(Q, K, V) = Concat(head_1 … head_h) W_O,  head_i = softmax(Q_i K_iᵀ / √d_k) V_i
// of Vaswani et al., "Attention Is All You Need" (2017), section 3.2.
// Each throws std::invalid_argument naming both shapes when they do not fit.

namespace attention {

/// input W + b: [n × d_model] · [d_model × d] + [1 × d] → [n × d]; an empty `b` adds nothing.
Matrix project(const MatrixView& input, const MatrixView& W, const MatrixView& b);

/// Q Kᵀ: [seq_len × d_k], [kv_len × d_k] → [seq_len × kv_len].
Matrix attention_scores(const MatrixView& Q, const MatrixView& K);

/// scores · factor, same shape; `factor` is score_factor(config).
Matrix scale_scores(const MatrixView& scores, float factor);

/// scaled + bias, and −∞ wherever the problem's masks forbid, [seq_len × kv_len].
Matrix mask_scores(const MatrixView& scaled, const Problem& problem);

/// Softmax of each row: exp(x − max) / Σ exp(x − max), same shape. The maximum is subtracted so
/// that no exponential overflows; it cancels. A row that is −∞ throughout gives weights 0; a row
/// with a NaN or +∞ gives NaN.
Matrix softmax_rows(const MatrixView& scores);

/// weights V: [seq_len × kv_len] · [kv_len × d_v] → [seq_len × d_v].
Matrix mix_values(const MatrixView& weights, const MatrixView& V);

/// The heads' outputs side by side: n_heads × [seq_len × d_v] → [seq_len × n_heads·d_v].
Matrix concat_heads(std::span<const HeadTrace> heads);

}  // namespace attention
