#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/figure/number_text.h"
#include "app/files/bytes.h"
#include "core/evaluator.h"
#include "core/invariants.h"

namespace lab {

namespace {

using attention::Invariant;

std::string error_text(double value) { return format_significant(static_cast<float>(value), 2); }

std::string shape_text(const attention::Problem& problem) {
  const attention::Config& config = problem.config;
  std::string text = "seq_len " + std::to_string(problem.seq_len());
  if (problem.cross()) text += ", kv_len " + std::to_string(problem.kv_len());
  return text + ", d_model " + std::to_string(config.d_model) + ", n_heads " +
         std::to_string(config.n_heads) + ", d_k " + std::to_string(config.d_k) + ", d_v " +
         std::to_string(config.d_v) + ", d_out " + std::to_string(config.d_out) + "\n";
}

std::string report_text(const std::vector<Invariant>& invariants) {
  TextTable table({Side::kLeft, Side::kLeft, Side::kRight, Side::kRight});
  table.add({"", "", "largest error", "tolerance"});
  for (const Invariant& invariant : invariants) {
    table.add({invariant.holds() ? "ok" : "FAILED", invariant.name, error_text(invariant.error),
               error_text(invariant.tolerance)});
  }
  return table.text();
}

Expected<void> check(const std::string& input) {
  const auto document = open_input(input);
  if (!document) return tl::make_unexpected(document.error());
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document->problem);
  const std::vector<Invariant> invariants = check_invariants(document->problem, trace);

  const std::string text = shape_text(document->problem) + report_text(invariants);
  if (auto written = write_bytes("-", text); !written) return written;
  const auto failed = std::ranges::count_if(invariants, [](const auto& i) { return !i.holds(); });
  if (failed == 0) return {};
  return fail(ErrorKind::kFailed, std::to_string(failed) + " of " +
                                      std::to_string(invariants.size()) +
                                      " checks failed, see above");
}

}  // namespace

Action declare_check(CLI::App& app) {
  const auto input = std::make_shared<std::string>();
  set_help(app,
           "Reads IN, computes it and checks what must hold of every result: rows of weights sum\n"
           "to 1, masked weights are 0, the parts of the heads add up to the output, and every\n"
           "stage agrees with a second computation in double precision.",
           "check IN", "Exit code 1 when a check fails, 5 when IN is no valid problem.");
  add_input(app, *input);
  return [input](VerbRun&) { return check(*input); };
}

}  // namespace lab
