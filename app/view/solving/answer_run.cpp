#include "app/view/solving/answer_run.h"

#include <utility>

#include "app/document/solving/solve_words.h"

namespace lab::view {

using attention::SolveRequest;
using attention::WantedCell;

Expected<std::shared_ptr<AnswerRun>> AnswerRun::begin(const Document& document,
                                                      std::vector<WantedCell> wanted,
                                                      const std::vector<FreeChoice>& choices) {
  auto numbers = free_numbers(document, choices);
  if (!numbers) return tl::make_unexpected(numbers.error());
  SolveRequest request{std::move(wanted), numbers->rows};
  std::shared_ptr<AnswerRun> run(new AnswerRun(document, std::move(*numbers), std::move(request)));
  if (const auto& fault = run->solver_.fault())
    return fail(ErrorKind::kBadInput, fault_text(document, run->request_, *fault));
  return run;
}

std::string AnswerRun::want(float value) {
  SolveRequest asked = request_;
  asked.wanted.front().value = value;
  const auto fault = solver_.want(0, value);
  return fault ? fault_text(document_, asked, *fault) : std::string();
}

bool AnswerRun::search(std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  bool more = solver_.step();
  while (more && std::chrono::steady_clock::now() < end) more = solver_.step();
  solution_ = solver_.solution();
  changes_ = largest_changes(document_, solution_);
  command_ = solved_blocks(document_, solution_.problem, numbers_.rows);
  return !more;
}

}  // namespace lab::view
