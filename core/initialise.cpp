#include "core/initialise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/embedding.h"

namespace attention {
namespace {

// In the order of FillType.
constexpr std::array<std::string_view, 4> kFillNames = {"zero", "identity", "normal", "xavier"};

Matrix normal(Shape shape, std::uint64_t seed) {
  PortableRandom random(seed);
  Matrix result(shape.rows, shape.cols);
  for (float& value : result.reshaped<Eigen::RowMajor>()) value = random.normal();
  return result;
}

Matrix xavier(Shape shape, std::uint64_t seed) {
  PortableRandom random(seed);
  const float bound = std::sqrt(6.0f / static_cast<float>(shape.rows + shape.cols));
  Matrix result(shape.rows, shape.cols);
  for (float& value : result.reshaped<Eigen::RowMajor>()) {
    value = bound * (2.0f * random.uniform() - 1.0f);
  }
  return result;
}

}  // namespace

std::string_view fill_name(FillType type) { return kFillNames.at(static_cast<size_t>(type)); }

std::optional<FillType> fill_from_name(std::string_view name) {
  const auto found = std::find(kFillNames.begin(), kFillNames.end(), name);
  if (found == kFillNames.end()) return std::nullopt;
  return static_cast<FillType>(found - kFillNames.begin());
}

Matrix filled(FillType type, Shape shape, std::uint64_t seed) {
  switch (type) {
    case FillType::kIdentity:
      return Matrix::Identity(shape.rows, shape.cols);
    case FillType::kNormal:
      return normal(shape, seed);
    case FillType::kXavier:
      return xavier(shape, seed);
    default:
      return Matrix::Zero(shape.rows, shape.cols);
  }
}

}  // namespace attention
