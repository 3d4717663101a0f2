#include "core/numerics/kernels/blocks.h"

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>

#include <string>
#include <string_view>

namespace attention {
namespace {

// Multiply-adds from which on oneDNN is faster (attention-bench, products/…).
constexpr std::ptrdiff_t kWorthIt = 1 << 17;

const Kernels* own_kernels = nullptr;

// With fewer rows it is slower on a transposed operand, which it copies.
std::ptrdiff_t least_rows_of_transposed() {
  static const bool wide = std::string_view(own_kernels->instruction_set) == "AVX-512";
  return wide ? 32 : 4;
}

// oneDNN would start threads of its own in each of ours.
void use_one_thread() {
  static const auto set_threads =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  thread_local bool done = false;
  if (done || set_threads == nullptr) return;
  set_threads(1);
  done = true;
}

bool is_large(const ConstBlock& a, std::ptrdiff_t cols) {
  return a.rows * a.cols * cols >= kWorthIt;
}

// oneDNN reads the other operand twice, which few rows do not make up for.
bool is_worth_it(const ConstBlock& a, std::ptrdiff_t cols) {
  return a.rows > kFewRows && is_large(a, cols);
}

// Which operand of a product is transposed.
enum class Transposed { kNone, kLeft, kRight };

// out = a · b, aᵀ · b or a · bᵀ, plus `beta` times what it was. Returns false when oneDNN refuses
// it.
bool product(const ConstBlock& a, const ConstBlock& b, Transposed transposed, float beta,
             const Block& out) {
  use_one_thread();
  const bool left = transposed == Transposed::kLeft, right = transposed == Transposed::kRight;
  return dnnl_sgemm(left ? 'T' : 'N', right ? 'T' : 'N', out.rows, out.cols, left ? a.rows : a.cols,
                    1.0f, a.data, a.stride, b.data, b.stride, beta, out.data,
                    out.stride) == dnnl_success;
}

void add_bias(const float* bias, const Block& out) {
  for (std::ptrdiff_t i = 0; i < out.rows; ++i) {
    float* const row = out.data + i * out.stride;
    for (std::ptrdiff_t j = 0; j < out.cols; ++j) row[j] += bias[j];
  }
}

void multiply(ConstBlock a, ConstBlock b, const float* bias, Block out) {
  if (!is_worth_it(a, b.cols) || !product(a, b, Transposed::kNone, 0, out))
    return own_kernels->multiply(a, b, bias, out);
  if (bias != nullptr) add_bias(bias, out);
}

void multiply_add(ConstBlock a, ConstBlock b, Block out) {
  if (!is_large(a, b.cols) || !product(a, b, Transposed::kNone, 1, out))
    own_kernels->multiply_add(a, b, out);
}

void multiply_transposed(ConstBlock a, ConstBlock b, Block out) {
  const bool worth_it = a.rows >= least_rows_of_transposed() && is_large(a, b.rows);
  if (!worth_it || !product(a, b, Transposed::kRight, 0, out))
    own_kernels->multiply_transposed(a, b, out);
}

void multiply_left_transposed(ConstBlock a, ConstBlock b, Block out) {
  if (!is_large(a, b.cols) || !product(a, b, Transposed::kLeft, 0, out))
    own_kernels->multiply_left_transposed(a, b, out);
}

}  // namespace

Kernels with_onednn(const Kernels& own) {
  own_kernels = &own;
  Kernels kernels = own;
  kernels.multiply = multiply;
  kernels.multiply_add = multiply_add;
  kernels.multiply_transposed = multiply_transposed;
  kernels.multiply_left_transposed = multiply_left_transposed;
  return kernels;
}

const char* onednn_version() {
  static const std::string text = [] {
    const dnnl_version_t* const v = dnnl_version();
    return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch);
  }();
  return text.c_str();
}

}  // namespace attention
