#pragma once

#include <vector>

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"

namespace attention::network {

/// The convolution of x [n × d_model] with its bias, before the activation. x may hold several
/// texts of `text_rows` rows each below each other, whose ends are zeros; 0: it is one text.
Matrix convolved(const AddedConvolution& convolution, const Matrix& x, Index text_rows,
                 ThreadPool& pool);

/// norm(output + activation(convolved(x))), in place of `output` [n × d_model].
void add_convolved(const AddedConvolution& convolution, const Matrix& x, Index text_rows,
                   ThreadPool& pool, Matrix& output);

/// The adjoint of convolved() for one text: adds d(number) / d(operand), where `d` [n × d_model] is
/// that by the result; operands that are empty become zeros first.
void convolved_adjoint(const AddedConvolution& convolution, const Matrix& x, const Matrix& d,
                       Matrix& d_x, std::vector<Matrix>& d_taps, Matrix& d_bias);

}  // namespace attention::network
