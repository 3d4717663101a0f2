#include "app/view/solving/answer_search.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "app/document/solving/solve_words.h"

namespace lab::view {
namespace {

using attention::Solution;
using attention::SolveFault;
using attention::Solver;
using attention::SolveRequest;
using attention::TargetCell;
using attention::network::AnswerRequest;
using attention::network::AnswerSolver;
using attention::network::TargetAnswer;

using BegunSearch = tl::expected<std::unique_ptr<AnswerSearch>, SolveFault>;

/// Both solvers take the same steps.
template <typename AnySolver>
class SearchWith : public AnswerSearch {
 public:
  template <typename... Arguments>
  explicit SearchWith(Arguments&&... arguments) : solver_(std::forward<Arguments>(arguments)...) {}

  const std::optional<SolveFault>& fault() const { return solver_.fault(); }
  std::optional<SolveFault> want(float value) override { return solver_.want(0, value); }
  bool step() override { return solver_.step(); }
  Solution solution() override { return solver_.solution(); }

 private:
  AnySolver solver_;
};

template <typename AnySolver>
BegunSearch begun(std::unique_ptr<SearchWith<AnySolver>> search) {
  if (const auto fault = search->fault()) return tl::make_unexpected(*fault);
  return search;
}

/// What both tasks know.
class TaskOfDocument : public AnswerTask {
 public:
  TaskOfDocument(const Document& document, FreeNumbers numbers)
      : document_(document), numbers_(std::move(numbers)) {}
  const Document& document() const override { return document_; }
  const FreeNumbers& numbers() const override { return numbers_; }

 private:
  Document document_;
  FreeNumbers numbers_;
};

class CellTask : public TaskOfDocument {
 public:
  CellTask(const Document& document, FreeNumbers numbers, std::vector<TargetCell> targets)
      : TaskOfDocument(document, std::move(numbers)), targets_(std::move(targets)) {}

  BegunSearch begin() const override {
    return begun(std::make_unique<SearchWith<Solver>>(numbers().problem, request()));
  }
  std::string words(const SolveFault& fault, float value) const override {
    SolveRequest asked = request();
    asked.targets.front().value = value;
    return fault_text(document(), asked, fault);
  }

 private:
  SolveRequest request() const { return {targets_, numbers().rows}; }

  std::vector<TargetCell> targets_;
};

class LogitTask : public TaskOfDocument {
 public:
  LogitTask(const Document& document, FreeNumbers numbers, std::vector<TargetAnswer> targets)
      : TaskOfDocument(document, std::move(numbers)), targets_(std::move(targets)) {}

  BegunSearch begin() const override {
    const ModelDocument& model = *document().layer.model;
    const attention::network::Tokens tokens = tokens_of(model);
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return begun(std::make_unique<SearchWith<AnswerSolver>>(
        AnswerRequest{model.network, tokens, model.interventions, document().layer.at,
                      numbers().problem, targets_, numbers().rows, threads}));
  }
  std::string words(const SolveFault& fault, float) const override {
    std::vector<std::string> names;
    for (const TargetAnswer& one : targets_)
      names.push_back(logit_text(*document().layer.model->source, one.answer));
    return logit_fault_text(names, fault);
  }

 private:
  std::vector<TargetAnswer> targets_;
};

}  // namespace

std::unique_ptr<AnswerTask> task_for_cells(const Document& document, FreeNumbers numbers,
                                           std::vector<TargetCell> targets) {
  return std::make_unique<CellTask>(document, std::move(numbers), std::move(targets));
}

std::unique_ptr<AnswerTask> task_for_logits(const Document& document, FreeNumbers numbers,
                                            std::vector<TargetAnswer> targets) {
  return std::make_unique<LogitTask>(document, std::move(numbers), std::move(targets));
}

}  // namespace lab::view
