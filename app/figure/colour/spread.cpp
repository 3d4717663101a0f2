#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/colour/palette.h"

namespace lab::figure {
namespace {

constexpr std::array kAllSpreads = {Spread::kLinear, Spread::kSquareRoot, Spread::kLogarithmic};

constexpr double kLogReach = 999;

// `distance`, -1 … 1, is signed.
double stretched(Spread spread, double distance) {
  const double far = std::abs(distance);
  switch (spread) {
    case Spread::kLinear:
      return distance;
    case Spread::kSquareRoot:
      return std::copysign(std::sqrt(far), distance);
    case Spread::kLogarithmic:
      return std::copysign(std::log1p(kLogReach * far) / std::log1p(kLogReach), distance);
  }
  return distance;
}

// The inverse of stretched.
double unstretched(Spread spread, double distance) {
  const double far = std::abs(distance);
  switch (spread) {
    case Spread::kLinear:
      return distance;
    case Spread::kSquareRoot:
      return std::copysign(far * far, distance);
    case Spread::kLogarithmic:
      return std::copysign(std::expm1(far * std::log1p(kLogReach)) / kLogReach, distance);
  }
  return distance;
}

// A range with its distances from zero relative to the largest.
struct Stretched {
  explicit Stretched(const Range& range)
      : spread(range.spread),
        zero(range.spread == Spread::kLinear ? range.lo : range.zero),
        reach(std::max(std::abs(range.lo - zero), std::abs(range.hi - zero))),
        low(position(range.lo)),
        high(position(range.hi)) {}

  double position(double value) const { return stretched(spread, (value - zero) / reach); }
  double value(double position) const { return zero + unstretched(spread, position) * reach; }

  Spread spread;
  double zero, reach;
  double low, high;  // the positions of the ends
};

}  // namespace

std::span<const Spread> all_spreads() { return kAllSpreads; }

std::string_view spread_name(Spread spread) {
  switch (spread) {
    case Spread::kLinear:
      return "linear";
    case Spread::kSquareRoot:
      return "sqrt";
    case Spread::kLogarithmic:
      return "log";
  }
  return "";
}

std::optional<Spread> spread_from_name(std::string_view name) {
  for (const Spread spread : kAllSpreads)
    if (spread_name(spread) == name) return spread;
  return std::nullopt;
}

double share_of(const Range& range, float value) {
  const double lo = range.lo, width = static_cast<double>(range.hi) - lo;
  if (!(width > 0) || std::isinf(width) || std::isnan(value)) return 0;
  if (range.spread == Spread::kLinear)
    return std::clamp((static_cast<double>(value) - lo) / width, 0.0, 1.0);
  const Stretched ends(range);
  const double inside = std::clamp(value, range.lo, range.hi);
  return std::clamp((ends.position(inside) - ends.low) / (ends.high - ends.low), 0.0, 1.0);
}

float value_at(const Range& range, double share) {
  if (range.spread == Spread::kLinear || !(range.lo < range.hi))
    return static_cast<float>(std::lerp(double{range.lo}, double{range.hi}, share));
  const Stretched ends(range);
  return static_cast<float>(ends.value(std::lerp(ends.low, ends.high, share)));
}

}  // namespace lab::figure
