#include "app/document/analysis/analysis_board.h"

#include "app/document/analysis/predictions.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::Answer;

std::size_t index_of(EntryType type) { return static_cast<std::size_t>(type); }

std::optional<Index> row_of(const AnalysedModel& model, const AnalysisRequest& request) {
  if (request.row || !model.document) return request.row;
  const auto rows = predicting_rows(*model.document);
  return rows ? std::optional(rows->front()) : std::nullopt;
}

}  // namespace

AnalysisBoard::AnalysisBoard(std::function<void()> on_ready) : on_ready_(std::move(on_ready)) {}

void AnalysisBoard::request(const AnalysedModel& model, const AnalysisRequest& requested) {
  const std::scoped_lock lock(mutex_);
  if (model == requested_.model && requested == requested_.request) return;
  requested_ = {model, requested, row_of(model, requested), requested.answer};
  complete_answer();
  auto next = std::make_shared<AnalysisResult>(*result_);
  update_current(*next);
  next->busy = true;
  result_ = std::move(next);
  newer_ = true;
  watch_.stop();
  newer_asked_.notify_one();
}

std::shared_ptr<const AnalysisResult> AnalysisBoard::result() const {
  const std::scoped_lock lock(mutex_);
  return result_;
}

std::optional<RequestedAnalysis> AnalysisBoard::wait_for_newer() {
  std::unique_lock lock(mutex_);
  newer_asked_.wait(lock, [this] { return newer_ || closed_; });
  if (closed_) return std::nullopt;
  newer_ = false;
  watch_.reset();
  return requested_;
}

RequestedAnalysis AnalysisBoard::take_newest() {
  const std::scoped_lock lock(mutex_);
  newer_ = false;
  watch_.reset();
  return requested_;
}

void AnalysisBoard::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  watch_.stop();
  newer_asked_.notify_one();
}

bool AnalysisBoard::has(EntryType type, const EntryInputs& inputs) const {
  const std::scoped_lock lock(mutex_);
  const auto& there = inputs_[index_of(type)];
  return there && whole_[index_of(type)] && same_inputs(*there, inputs);
}

void AnalysisBoard::change(EntryType type, const EntryInputs& inputs, const Change& change) {
  {
    const std::scoped_lock lock(mutex_);
    auto next = std::make_shared<AnalysisResult>(*result_);
    inputs_[index_of(type)] = inputs;
    change(*next, is_current(type));
    for_each_entry([&](const auto& id) {
      const auto& entry = (*next).*id.member;
      if (id.type == type) whole_[index_of(type)] = entry.progress >= 1 || !entry.error.empty();
    });
    result_ = std::move(next);
  }
  if (on_ready_) on_ready_();
}

void AnalysisBoard::set_likeliest(const AnalysedModel& model, Index row, const Answer& answer) {
  const std::scoped_lock lock(mutex_);
  likeliest_ = {model, row, answer};
  complete_answer();
  auto next = std::make_shared<AnalysisResult>(*result_);
  update_current(*next);
  result_ = std::move(next);
}

void AnalysisBoard::finish() {
  {
    const std::scoped_lock lock(mutex_);
    if (newer_) return;
    auto next = std::make_shared<AnalysisResult>(*result_);
    next->busy = false;
    result_ = std::move(next);
  }
  if (on_ready_) on_ready_();
}

void AnalysisBoard::complete_answer() {
  if (requested_.answer || !likeliest_ || requested_.row != likeliest_->row ||
      !same_model(requested_.model, likeliest_->model))
    return;
  requested_.answer = likeliest_->answer;
}

bool AnalysisBoard::is_current(EntryType type) const {
  const auto& there = inputs_[index_of(type)];
  return there && requested_.any() && same_inputs(*there, inputs_of(type, requested_));
}

void AnalysisBoard::update_current(AnalysisResult& result) const {
  for_each_entry([&](const auto& id) { (result.*id.member).current = is_current(id.type); });
}

}  // namespace lab
