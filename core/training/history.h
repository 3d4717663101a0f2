#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/training/trainer.h"

namespace attention::training {

/// The numbers of one step.
struct CurvePoint {
  std::uint64_t step = 0;
  float loss = 0, known_loss = 0, gradient_norm = 0;

  bool operator==(const CurvePoint&) const = default;
};

/// What is measured only at some steps.
struct MeasuredPoint {
  std::uint64_t step = 0;
  std::vector<HeadMeasures> heads;    ///< layer by layer
  std::vector<float> head_gradients;  ///< see StepReport; empty at step 0
  std::vector<float> position_loss;   ///< see StepReport; empty at step 0

  bool operator==(const MeasuredPoint&) const = default;
};

/// What is remembered of a run: the curves, and some of its states in bounded memory. All states of
/// the first kDenseSteps steps are kept, then those at multiples of a stride that doubles whenever
/// memory runs out, and always the last.
class History {
 public:
  /// Steps of which every state is kept.
  static constexpr std::uint64_t kDenseSteps = 50;
  /// Memory for states, 160 MB.
  static constexpr std::size_t kDefaultBytes = std::size_t{160} << 20;

  /// Keeps states of at most `bytes` in all, but at least 16.
  explicit History(std::size_t bytes) : most_bytes_(bytes) {}
  /// The same with kDefaultBytes.
  History() = default;

  /// True when record() would keep the state after `step` for good, so that others need not be
  /// handed over.
  bool keeps(std::uint64_t step) const;
  /// Adds a state. It replaces the last one when that was kept only as the last, or is of the same
  /// step: its numbers were edited. Precondition: it is not earlier than the last.
  void keep(SharedState state);
  /// Adds the numbers of a step. Precondition: later than the last.
  void add(const CurvePoint& point) { curve_.push_back(point); }
  /// Adds measures, which replace those of the same step. Precondition: not earlier than the last.
  void add(MeasuredPoint point);

  /// The kept states, by step.
  const std::vector<SharedState>& states() const { return states_; }
  /// The kept state nearest to `step`, the earlier one in a tie; null without any.
  SharedState nearest(std::uint64_t step) const;
  /// The last kept state at or before `step`; null without any.
  SharedState at_or_before(std::uint64_t step) const;
  /// The curve of every step.
  const std::vector<CurvePoint>& curve() const { return curve_; }
  /// What was measured, thinned as states are when there is too much of it.
  const std::vector<MeasuredPoint>& measured() const { return measured_; }

  /// Keeps `state`, of a step that was taken, whatever becomes of those around it.
  void pin(SharedState state);
  /// Forgets everything after the step of `state`, which takes the place of the state of that step:
  /// a branch begins there.
  void begin_at(SharedState state);
  /// A copy with all curves, but only the states that are pinned, the first and the last.
  History essential() const;
  /// Forgets everything after `step`.
  void truncate(std::uint64_t step);

  /// Memory of the kept states.
  std::size_t state_bytes() const;
  /// Memory of everything.
  std::size_t bytes() const;

 private:
  bool stays(const SharedState& state) const;
  void thin();

  std::size_t most_bytes_ = kDefaultBytes;
  std::uint64_t stride_ = 1, measured_stride_ = 1;
  std::vector<SharedState> states_;
  std::set<std::uint64_t> pinned_;  // steps
  std::vector<CurvePoint> curve_;
  std::vector<MeasuredPoint> measured_;
};

}  // namespace attention::training
