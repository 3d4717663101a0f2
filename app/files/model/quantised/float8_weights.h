#pragma once

#include "app/files/model/quantised/quantised_module.h"
#include "app/files/model/quantised/scaled_rows.h"

namespace lab::files {

/// The value of a number of 8 bits with 4 of exponent and 3 of mantissa (E4M3 without infinities).
float float8_value(unsigned bits);

/// True for a tensor of such numbers.
bool is_float8(const CheckpointTensor& tensor);

/// Reads the numbers of such a tensor [out × in], which must have that size in bytes.
ScaledRows::ReadNumbers float8_numbers(const CheckpointTensor& tensor);

/// The grid of scales that `tensor` holds for a weight of `shape`, of blocks [height × width]; 0 ×
/// 0: of blocks that its shape gives. A single scale is that of all, and one dimension is one
/// column. Throws BadInput naming the tensor "MODULE`ending`" when it does not fit.
ScaleGrid scale_grid(const QuantisedModule& module, const char* ending,
                     const CheckpointTensor& tensor, attention::Shape shape,
                     attention::Shape block);

}  // namespace lab::files
