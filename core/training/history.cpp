#include "core/training/history.h"

#include <algorithm>

namespace attention::training {
namespace {

constexpr std::size_t kFewestStates = 16;
constexpr std::size_t kMostMeasured = 4096;

bool is_regular(std::uint64_t step, std::uint64_t stride) {
  return step <= History::kDenseSteps || step % stride == 0;
}

std::size_t size_of(const MeasuredPoint& point) {
  return sizeof point + point.heads.capacity() * sizeof(HeadMeasures) +
         (point.head_gradients.capacity() + point.position_loss.capacity()) * sizeof(float);
}

// The end of those at or before `step`.
template <typename Points>
auto end_at(Points& points, std::uint64_t step) {
  return std::ranges::upper_bound(points, step, {}, [](const auto& point) {
    if constexpr (requires { point->step; })
      return point->step;
    else
      return point.step;
  });
}

}  // namespace

bool History::keeps(std::uint64_t step) const { return is_regular(step, stride_); }

void History::keep(SharedState state) {
  const bool replaces =
      !states_.empty() && (!stays(states_.back()) || states_.back()->step == state->step);
  if (replaces) states_.pop_back();
  states_.push_back(std::move(state));
  std::size_t before = 0;  // pinned states alone may be more
  while (state_bytes() > most_bytes_ && states_.size() > kFewestStates && before != states_.size())
    before = states_.size(), thin();
}

void History::pin(SharedState state) {
  pinned_.insert(state->step);
  const auto place = std::ranges::lower_bound(states_, state->step, {},
                                              [](const SharedState& other) { return other->step; });
  if (place != states_.end() && (*place)->step == state->step)
    *place = std::move(state);
  else
    states_.insert(place, std::move(state));
}

void History::begin_at(SharedState state) {
  truncate(state->step);
  pin(std::move(state));
}

History History::essential() const {
  History result = *this;
  std::erase_if(result.states_, [&](const SharedState& state) {
    return !pinned_.contains(state->step) && state != states_.front() && state != states_.back();
  });
  return result;
}

bool History::stays(const SharedState& state) const {
  return keeps(state->step) || pinned_.contains(state->step);
}

// Doubles the stride; when only the dense steps are left, it drops every second of them.
void History::thin() {
  stride_ *= 2;
  const std::uint64_t last = states_.back()->step;
  const std::size_t before = states_.size();
  std::erase_if(states_,
                [&](const SharedState& state) { return !stays(state) && state->step != last; });
  if (states_.size() < before || stride_ < 2 * last) return;
  std::vector<SharedState> fewer;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (i % 2 == 0 || i + 1 == states_.size() || pinned_.contains(states_[i]->step))
      fewer.push_back(states_[i]);
  states_ = std::move(fewer);
}

void History::add(MeasuredPoint point) {
  const bool replaces =
      !measured_.empty() &&
      (!is_regular(measured_.back().step, measured_stride_) || measured_.back().step == point.step);
  if (replaces) measured_.pop_back();
  measured_.push_back(std::move(point));
  if (measured_.size() <= kMostMeasured) return;
  measured_stride_ *= 2;
  const std::uint64_t last = measured_.back().step;
  std::erase_if(measured_, [&](const MeasuredPoint& other) {
    return !is_regular(other.step, measured_stride_) && other.step != last;
  });
}

SharedState History::at_or_before(std::uint64_t step) const {
  const auto end = end_at(states_, step);
  return end == states_.begin() ? nullptr : *(end - 1);
}

SharedState History::nearest(std::uint64_t step) const {
  if (states_.empty()) return nullptr;
  const auto after = end_at(states_, step);
  if (after == states_.begin()) return states_.front();
  const SharedState& before = *(after - 1);
  if (after == states_.end() || step - before->step <= (*after)->step - step) return before;
  return *after;
}

void History::truncate(std::uint64_t step) {
  states_.erase(end_at(states_, step), states_.end());
  curve_.erase(end_at(curve_, step), curve_.end());
  measured_.erase(end_at(measured_, step), measured_.end());
  pinned_.erase(pinned_.upper_bound(step), pinned_.end());
}

std::size_t History::state_bytes() const {
  std::size_t sum = 0;
  for (const SharedState& state : states_) sum += state->bytes();
  return sum;
}

std::size_t History::bytes() const {
  std::size_t sum = state_bytes() + curve_.capacity() * sizeof(CurvePoint);
  for (const MeasuredPoint& point : measured_) sum += size_of(point);
  return sum;
}

}  // namespace attention::training
