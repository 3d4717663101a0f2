#pragma once

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {

/// What a row is multiplied by once it is normalised: [1 × d], or empty: all 1.
Matrix norm_weight(const Norm& norm);

/// Normalises each row of `rows` [n × d] in place, see normalise_rows() and normalise_by_rms().
void normalise(const Norm& norm, MatrixSlot rows);
/// The same, shared by the threads.
void normalise(const Norm& norm, MatrixSlot rows, ThreadPool& pool);

/// Applies `activation` to each number in place.
void activate(Activation activation, MatrixSlot values);

/// What a clamped gate gives for rows of gate(x) and up(x), in place of `gate`.
void apply_clamped_gate(const ClampedGate& clamped, const MatrixView& up, MatrixSlot gate);

/// How products are summed.
enum class Precision {
  kSingle,  ///< in float32
  kDouble,  ///< in float64, for results whose rounding would show; several times slower
};

/// rows W + b: [n × in] → `result` [n × out]. The threads share the columns of W; the result does
/// not depend on how many there are. Numbers that cannot be read in place are widened a part at a
/// time.
void project(const MatrixView& rows, const Linear& linear, Precision precision, ThreadPool& pool,
             const MatrixSlot& result);

/// The same, as a new matrix.
Matrix project(const MatrixView& rows, const Linear& linear, Precision precision, ThreadPool& pool);

/// norm(x W · projection_scale) of each layer, see LayerInputs: [n × d_model] → [n × all layers'
/// width].
Matrix projected_layer_inputs(const LayerInputs& inputs, const MatrixView& rows, ThreadPool& pool);

}  // namespace attention::network
