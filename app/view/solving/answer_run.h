#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/document/solving/free_choice.h"
#include "core/solve/solver.h"

namespace lab::view {

/// One search for the smallest change: begun with a document, asked for one value after the other.
class AnswerRun {
 public:
  /// A search in `document` for another value of the first cell of `wanted`, which has one; the
  /// others are kept. Fails as free_numbers() does, and with the fault that the request has.
  static Expected<std::shared_ptr<AnswerRun>> begin(const Document& document,
                                                    std::vector<attention::WantedCell> wanted,
                                                    const std::vector<FreeChoice>& choices);

  /// Asks for another value. Returns why it cannot be tried; empty when it can.
  std::string want(float value);
  /// Searches for at most that long, at least one step. True when it is done.
  bool search(std::chrono::milliseconds most);

  /// What was found.
  const attention::Solution& solution() const { return solution_; }
  /// The largest changes, the largest first, and how many there are.
  const std::vector<attention::ChangedCell>& changes() const { return changes_; }
  /// The edit that makes them, from the document that the search began with; without blocks when
  /// nothing changes.
  const SetBlocks& command() const { return command_; }
  /// The document that the search began with.
  const Document& document() const { return document_; }

 private:
  AnswerRun(const Document& document, FreeNumbers numbers, attention::SolveRequest request)
      : document_(document),
        numbers_(std::move(numbers)),
        request_(std::move(request)),
        solver_(numbers_.problem, request_) {}

  Document document_;
  FreeNumbers numbers_;
  attention::SolveRequest request_;
  attention::Solver solver_;
  attention::Solution solution_;
  std::vector<attention::ChangedCell> changes_;
  SetBlocks command_;
};

}  // namespace lab::view
