// The kernels of every instruction set that this machine can run, against plain loops in double
// precision, on blocks of larger matrices.

#include "core/numerics/kernels.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <list>
#include <vector>

#include "core/network/stored_format.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention {

namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}
namespace plain {
extern const Kernels kKernels;
}

namespace test {
namespace {

using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Choice {
  const char* name;
  const Kernels* kernels;
  bool runs;
};

std::vector<Choice> choices() {
  return {{"chosen", &kernels(), true},
          {"plain", &plain::kKernels, true},
          {"avx2", &avx2::kKernels,
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("f16c")},
          {"avx512", &avx512::kKernels,
           __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")}};
}

class KernelsTest : public testing::TestWithParam<Choice> {
 protected:
  void SetUp() override {
    if (!GetParam().runs) GTEST_SKIP() << "this machine cannot run " << GetParam().name;
  }
  const Kernels& use() const { return *GetParam().kernels; }

  // A block inside a larger matrix, so that rows do not follow each other.
  Matrix& outer(Index rows, Index cols) {
    outers_.push_back(random_matrix(rows + 2, cols + 3, random_));
    return outers_.back();
  }

  PortableRandom random_{11};
  std::list<Matrix> outers_;
};

struct ProductShape {
  Index rows, depth, cols;
};

// Small shapes, shapes with remainders of every width, and large ones.
constexpr ProductShape kShapes[] = {{1, 1, 1},      {1, 5, 3},     {2, 3, 4},     {3, 7, 11},
                                    {11, 32, 8},    {7, 4, 19},    {13, 9, 33},   {31, 64, 31},
                                    {64, 48, 1},    {1, 300, 130}, {40, 40, 40},  {65, 129, 67},
                                    {16, 101, 500}, {32, 70, 209}, {1, 3000, 16}, {33, 300, 200}};

TEST_P(KernelsTest, MultiplyAsLoopsDo) {
  for (const auto& [n, k, m] : kShapes) {
    const auto a = outer(n, k).block(1, 2, n, k), b = outer(k, m).block(2, 1, k, m);
    auto out = outer(n, m).block(1, 1, n, m);
    const Matrix bias = random_matrix(1, m, random_);
    const MatrixD expected = a.cast<double>() * b.cast<double>();
    use().multiply(block_of(a), block_of(b), nullptr, slot_of(out));
    EXPECT_TRUE(all_near_relative(out, expected, 2e-6)) << n << " × " << k << " × " << m;
    use().multiply_add(block_of(a), block_of(b), slot_of(out));
    EXPECT_TRUE(all_near_relative(out, MatrixD(2 * expected), 2e-6))
        << n << " × " << k << " × " << m;
    use().multiply(block_of(a), block_of(b), bias.data(), slot_of(out));
    const MatrixD with_bias = expected.rowwise() + bias.row(0).cast<double>();
    EXPECT_TRUE(all_near_relative(out, with_bias, 2e-6)) << n << " × " << k << " × " << m;
  }
}

TEST_P(KernelsTest, MultiplyByTheTransposed) {
  for (const auto& [n, k, m] : kShapes) {
    const auto a = outer(n, k).block(1, 2, n, k), b = outer(m, k).block(2, 1, m, k);
    auto out = outer(n, m).block(1, 1, n, m);
    use().multiply_transposed(block_of(a), block_of(b), slot_of(out));
    const MatrixD expected = a.cast<double>() * b.cast<double>().transpose();
    EXPECT_TRUE(all_near_relative(out, expected, 2e-6)) << n << " × " << k << " × " << m;
  }
}

TEST_P(KernelsTest, MultiplyTheTransposed) {
  for (const auto& [n, k, m] : kShapes) {
    const auto a = outer(k, n).block(1, 2, k, n), b = outer(k, m).block(2, 1, k, m);
    auto out = outer(n, m).block(1, 1, n, m);
    use().multiply_left_transposed(block_of(a), block_of(b), slot_of(out));
    const MatrixD expected = a.cast<double>().transpose() * b.cast<double>();
    EXPECT_TRUE(all_near_relative(out, expected, 2e-6)) << n << " × " << k << " × " << m;
  }
}

TEST_P(KernelsTest, WriteNothingOutsideTheirBlock) {
  for (const auto& [n, k, m] : kShapes) {
    const Matrix a = random_matrix(n, k, random_), b = random_matrix(k, m, random_);
    Matrix around = Matrix::Constant(n + 2, m + 2, 7.0f);
    use().multiply(block_of(a), block_of(b), nullptr, slot_of(around.block(1, 1, n, m)));
    use().softmax(block_of(Matrix(around.block(1, 1, n, m))), kNoSink,
                  slot_of(around.block(1, 1, n, m)));
    around.block(1, 1, n, m).setConstant(7.0f);
    EXPECT_EQ(around, Matrix::Constant(n + 2, m + 2, 7.0f)) << n << " × " << k << " × " << m;
  }
}

TEST_P(KernelsTest, ScaleBlocksAndWholeMatrices) {
  const Matrix values = random_matrix(5, 19, random_);
  Matrix whole(5, 19);
  use().scale(block_of(values), 0.25f, slot_of(whole));
  EXPECT_EQ(whole, Matrix(values * 0.25f));
  auto out = outer(5, 7).block(1, 1, 5, 7);
  use().scale(block_of(values.middleCols(4, 7)), 0.25f, slot_of(out));
  EXPECT_EQ(Matrix(out), Matrix(values.middleCols(4, 7) * 0.25f));
}

TEST_P(KernelsTest, SoftmaxAsTheDefinition) {
  for (const Index cols : {1, 2, 15, 16, 17, 100, 5000}) {
    const auto scores = outer(9, cols).block(1, 1, 9, cols);
    auto out = outer(9, cols).block(1, 1, 9, cols);
    use().softmax(block_of(scores), kNoSink, slot_of(out));
    const Eigen::ArrayXXd e = scores.cast<double>().array().exp();
    const MatrixD expected = (e.colwise() / e.rowwise().sum()).matrix();
    EXPECT_TRUE(all_near_relative(out, expected, 1e-6)) << cols << " keys";
  }
}

TEST_P(KernelsTest, SoftmaxLeavesOutTheSink) {
  for (const Index cols : {1, 2, 16, 17, 100}) {
    const Matrix scores = random_matrix(9, cols, random_);
    Matrix out(9, cols);
    for (const float sink : {-3.0f, 0.5f, 20.0f}) {
      use().softmax(block_of(scores), sink, slot_of(out));
      const Eigen::ArrayXXd e = scores.cast<double>().array().exp();
      const MatrixD expected =
          (e.colwise() / (e.rowwise().sum() + std::exp(static_cast<double>(sink)))).matrix();
      EXPECT_TRUE(all_near_relative(out, expected, 1e-6)) << cols << " keys, sink " << sink;
    }
  }
}

// A single row gives the same result as among others.
TEST_P(KernelsTest, SoftmaxOfARowDoesNotDependOnItsNeighbours) {
  const Matrix scores = random_matrix(300, 21, random_);
  Matrix all(300, 21), one(1, 21);
  use().softmax(block_of(scores), kNoSink, slot_of(all));
  for (const Index i : {0, 1, 127, 128, 299}) {
    use().softmax(block_of(scores.middleRows(i, 1)), kNoSink, slot_of(one));
    EXPECT_TRUE(all_identical(one, all.row(i))) << i;
  }
}

TEST_P(KernelsTest, SoftmaxNeverOverflows) {
  const float inf = std::numeric_limits<float>::infinity();
  const Matrix scores{{1e30f, -1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}, {-inf, 1e30f, -inf}};
  Matrix weights(3, 3);
  use().softmax(block_of(scores), kNoSink, slot_of(weights));
  const float third = 1.0f / 3.0f;
  EXPECT_EQ(weights, (Matrix{{0.5f, 0, 0.5f}, {third, third, third}, {0, 1, 0}}));
}

struct PackedFormat {
  Packing packing;
  network::StoredFormat format;
  std::vector<Index> halves;  // places of a block where numbers of half precision stand
};

std::vector<PackedFormat> packed_formats() {
  using network::StoredFormat;
  return {{Packing::kFloat32, StoredFormat::kFloat32, {}},
          {Packing::kFloat16, StoredFormat::kFloat16, {0}},
          {Packing::kBFloat16, StoredFormat::kBFloat16, {}},
          {Packing::kQ4_0, StoredFormat::kQ4_0, {0}},
          {Packing::kQ4_1, StoredFormat::kQ4_1, {0, 2}},
          {Packing::kQ8_0, StoredFormat::kQ8_0, {0}},
          {Packing::kQ4_K, StoredFormat::kQ4_K, {0, 2}},
          {Packing::kQ6_K, StoredFormat::kQ6_K, {208}}};
}

// Blocks of any numbers of a format, where none is infinite.
std::vector<std::byte> random_blocks(const PackedFormat& format, Index count,
                                     PortableRandom& random) {
  const network::StoredFormatInfo& info = stored_format_info(format.format);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * info.bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
  const auto put = [&](std::size_t at, auto number) {
    std::memcpy(bytes.data() + at, &number, sizeof number);
  };
  for (std::size_t first = 0; first < bytes.size(); first += info.bytes) {
    for (const Index half : format.halves)
      put(first + static_cast<std::size_t>(half), Eigen::half(random.normal()));
    if (format.packing == Packing::kFloat32) put(first, random.normal());
    if (format.packing == Packing::kBFloat16) put(first, Eigen::bfloat16(random.normal()));
  }
  return bytes;
}

// Packed rows need not be aligned, nor be as wide as a register.
TEST_P(KernelsTest, MultiplyPackedRowsByWhatTheyAreWidenedTo) {
  constexpr Index kRows = 5;
  for (const PackedFormat& format : packed_formats()) {
    const network::StoredFormatInfo& info = stored_format_info(format.format);
    for (const Index width : {1, 45, 96, 512}) {
      const Index blocks = (width + info.block - 1) / info.block, cols = blocks * info.block;
      std::vector<std::byte> bytes = random_blocks(format, kRows * blocks, random_);
      bytes.insert(bytes.begin(), std::byte{});
      const std::byte* const data = bytes.data() + 1;
      Matrix numbers(kRows, cols), found(1, kRows);
      const Matrix x = random_matrix(1, cols, random_);
      info.widen(data, kRows * blocks, numbers.data());
      use().multiply_packed(x.data(),
                            {format.packing, reinterpret_cast<const unsigned char*>(data), kRows,
                             cols, blocks * static_cast<Index>(info.bytes)},
                            found.data());
      const MatrixD terms = numbers.cast<double>() * x.row(0).cast<double>().asDiagonal();
      const MatrixD expected = terms.rowwise().sum().transpose();
      const double largest = terms.cwiseAbs().rowwise().sum().maxCoeff();
      EXPECT_TRUE(all_near(found, expected, 5e-7 * largest)) << info.name << ", " << cols;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelsTest, testing::ValuesIn(choices()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(KernelNames, SayWhatIsUsed) {
  EXPECT_STREQ(avx2::kKernels.instruction_set, "AVX2");
  EXPECT_STREQ(avx512::kKernels.instruction_set, "AVX-512");
  EXPECT_FALSE(std::string(kernels().instruction_set).empty());
}

}  // namespace
}  // namespace test
}  // namespace attention
