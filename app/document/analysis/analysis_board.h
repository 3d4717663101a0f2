#pragma once

#include <array>
#include <condition_variable>
#include <mutex>

#include "app/document/analysis/analysis_inputs.h"
#include "core/numerics/work_watch.h"

namespace lab {

/// What the threads of a ModelAnalysis share: the newest request and the newest result. Any thread
/// may call any member.
class AnalysisBoard {
 public:
  /// `on_ready` is called, by the thread that publishes, when there is something new.
  explicit AnalysisBoard(std::function<void()> on_ready);

  /// See ModelAnalysis::request(). Stops the work that is under way when anything changed.
  void request(const AnalysedModel& model, const AnalysisRequest& requested);
  /// See ModelAnalysis::result().
  std::shared_ptr<const AnalysisResult> result() const;

  /// Waits for a request that is newer than the last one that was taken; nothing after close().
  std::optional<RequestedAnalysis> wait_for_newer();
  /// Takes the newest request, also again: for a thread that works in slices of its time.
  RequestedAnalysis take_newest();
  /// Stops the work for good.
  void close();
  /// Stops work when there is something newer.
  attention::WorkWatch& watch() { return watch_; }

  /// True when the result has all of these numbers, or the reason why there are none.
  bool has(EntryType type, const EntryInputs& inputs) const;
  /// Puts numbers with these inputs into the result.
  template <typename Value>
  void publish(const EntryId<Value>& id, const EntryInputs& inputs, AnalysisEntry<Value> entry) {
    entry.document = inputs.model.document;
    change(id.type, inputs, [&](AnalysisResult& result, bool current) {
      entry.current = current;
      result.*id.member = std::move(entry);
    });
  }
  /// Notes that the likeliest token of `row` is this answer.
  void set_likeliest(const AnalysedModel& model, attention::Index row,
                     const attention::network::Answer& answer);
  /// Notes that everything was computed, unless something newer was asked for.
  void finish();

 private:
  using Change = std::function<void(AnalysisResult& result, bool current)>;
  struct Likeliest {
    AnalysedModel model;
    attention::Index row = 0;
    attention::network::Answer answer;
  };

  void change(EntryType type, const EntryInputs& inputs, const Change& change);
  void complete_answer();
  bool is_current(EntryType type) const;
  void update_current(AnalysisResult& result) const;

  std::function<void()> on_ready_;
  attention::WorkWatch watch_;

  mutable std::mutex mutex_;  // of all below
  std::condition_variable newer_asked_;
  bool newer_ = false, closed_ = false;
  RequestedAnalysis requested_;
  std::optional<Likeliest> likeliest_;
  std::shared_ptr<const AnalysisResult> result_ = std::make_shared<const AnalysisResult>();
  std::array<std::optional<EntryInputs>, kEntryTypes> inputs_;  // of what is in the result
  std::array<bool, kEntryTypes> whole_{};                       // it needs no more work
};

}  // namespace lab
