#include "core/layer/staleness/plan.h"

#include <algorithm>

namespace attention {
namespace {

bool belongs(const Override& o, Stage stage, Index head) {
  return o.stage == stage && o.head == head;
}

std::vector<Override> overrides_of(const Problem& problem, Stage stage, Index head) {
  std::vector<Override> found;
  for (const Override& o : problem.overrides) {
    if (belongs(o, stage, head)) found.push_back(o);
  }
  return found;
}

}  // namespace

bool same_head_bias(const Problem& before, const Problem& now) {
  return std::ranges::equal(before.head_bias, now.head_bias, &SharedMatrix::same_as);
}

Change changed_product(const Change& left, const Change& right) {
  if (left.is_columns() || right.is_rows()) return Change::whole();
  return either(left, right);
}

Plan::Plan(const Problem& before, const Problem& now)
    : before_(before),
      now_(now),
      overrides_differ_(before.overrides != now.overrides),
      same_switches_(
          !overrides_differ_ && before.config == now.config && before.head_mix == now.head_mix &&
          before.allowed.same_as(now.allowed) && before.bias.same_as(now.bias) &&
          same_head_bias(before, now) && before.rotary_first == now.rotary_first &&
          before.rotary_frequencies.same_as(now.rotary_frequencies) &&
          same_relative(before.relative, now.relative) && before.cross() == now.cross()) {
  for (const Stage stage : kAllStages) {
    active_[static_cast<size_t>(stage)] = is_active(now, stage);
  }
}

bool Plan::overrides_changed(Stage stage, Index head) const {
  return overrides_differ_ && overrides_of(before_, stage, head) != overrides_of(now_, stage, head);
}

Change Plan::share(SharedMatrix& matrix, const SharedMatrix& base, const Change& change) {
  const bool was_own = !matrix.empty();
  matrix = base;
  return was_own ? Change::whole() : change;
}

void Plan::set_overrides(Stage stage, Index head, Matrix& values) const {
  for (const Override& o : now_.overrides) {
    if (belongs(o, stage, head)) values(o.row, o.col) = o.value;
  }
}

Change Plan::stale_part(Stage stage, Index head, const Change& stale, const SharedMatrix& matrix,
                        Shape shape) const {
  if (matrix.shape() != shape || overrides_changed(stage, head)) return Change::whole();
  return simplified(stale, shape);
}

}  // namespace attention
