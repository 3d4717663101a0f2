#include "app/files/open.h"

#include "app/files/import/csv.h"
#include "app/files/problem/stage_numbers.h"
#include "app/files/session/session.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

// Whatever kind of file it is: it opens, or is refused with a reason; a small document can be
// computed, exported and saved, as the verbs do.

namespace lab::fuzz {
namespace {

// Larger ones take their time, which is not the reader's.
bool is_small(const attention::Problem& problem) {
  constexpr attention::Index kMost = 32;
  const attention::Config& config = problem.config;
  return problem.seq_len() <= kMost && problem.kv_len() <= kMost && config.d_model <= kMost &&
         config.n_heads <= kMost && config.d_k <= kMost && config.d_v <= kMost &&
         config.d_out <= kMost;
}

}  // namespace

void try_input(std::string_view input) {
  const auto opened = open_bytes(std::string(input), "fuzz");
  if (!opened) return must(!opened.error().message.empty());
  const Document& document = opened->document;
  if (!is_small(document.problem)) return;
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document.problem);
  must(!stage_csv(document, trace, attention::Stage::kWeights, attention::Index{0}).empty());
  must(read_whole_session(write_session(document, opened->view)).has_value());
}

}  // namespace lab::fuzz
