#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "app/base/bad_input.h"
#include "app/base/error.h"
#include "app/cli/batch/sentences.h"
#include "app/cli/help.h"
#include "app/cli/model/model_arguments.h"
#include "app/cli/model/model_run.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/model/layer_name.h"
#include "app/explain/number_text.h"
#include "app/files/io/bytes.h"
#include "core/analysis/invariants.h"
#include "core/analysis/non_finite.h"
#include "core/layer/evaluator.h"
#include "core/network/layer_problem.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Invariant;
using attention::Matrix;
using attention::network::LayerId;

// How far weights that were computed as stages may be from those of the forward pass.
constexpr double kWeightsTolerance = 1e-6;

// The checks of one layer.
struct LayerCheck {
  LayerId at;
  std::vector<Invariant> checks;  // the last one: that its weights are those of the forward pass
  std::string refused;            // why it cannot be shown stage by stage; empty: it can
};

double weights_error(const ModelRun& run, const LayerId& at, const attention::Trace& stages) {
  const Matrix& all = weights_at(run.trace(), at);
  double error = 0;
  for (std::size_t head = 0; head < stages.heads.size(); ++head) {
    const Matrix& weights = *stages.heads[head].weights;
    const auto first = static_cast<Index>(head) * weights.rows();
    const Matrix difference = all.middleRows(first, weights.rows()) - weights;
    error = std::max<double>(error, difference.cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
  }
  return error;
}

LayerCheck check_layer(ModelRun& run, const LayerId& at) {
  LayerCheck result{at, {}, {}};
  try {
    const attention::Problem problem = layer_problem(
        run.network(), run.trace(), run.document.interventions, at, run.evaluator.pool());
    attention::Evaluator evaluator(model_threads());
    const attention::Trace& trace = evaluator.evaluate(problem);
    result.checks = check_invariants(problem, trace);
    result.checks.push_back(
        {"weights are those of the model", weights_error(run, at, trace), kWeightsTolerance});
  } catch (const std::invalid_argument& error) {
    result.refused = error.what();
  }
  return result;
}

Expected<std::vector<LayerId>> layers_to_check(const ModelRun& run, const std::string& layer) {
  std::vector<LayerId> layer_ids = all_layer_ids(run.network());
  if (layer.empty()) return layer_ids;
  if (const auto sublayer = parse_all_layers(layer)) {
    std::erase_if(layer_ids, [&](const LayerId& at) { return at.sublayer != *sublayer; });
  } else {
    const auto at = parse_layer(layer, run.network());
    if (!at) return tl::make_unexpected(at.error());
    return std::vector<LayerId>{*at};
  }
  if (!layer_ids.empty()) return layer_ids;
  return fail(ErrorType::kUsage, "--layer " + in_quotes(layer) + ": the model has no such layer");
}

// The check that is nearest to its limit, or farthest beyond it.
const Invariant& worst_of(const std::vector<Invariant>& checks) {
  const auto share = [](const Invariant& check) {
    if (!check.holds()) return 2 + (check.tolerance > 0 ? check.error / check.tolerance : 0);
    return check.tolerance > 0 ? check.error / check.tolerance : 0;
  };
  return *std::ranges::max_element(checks, {}, share);
}

std::string two_digits(double value) {
  return explain::format_significant(static_cast<float>(value), 2);
}

std::string table_of(const std::vector<LayerCheck>& layers) {
  TextTable table({Side::kLeft, Side::kLeft, Side::kRight, Side::kRight, Side::kRight, Side::kRight,
                   Side::kLeft});
  table.add({"", "layer", "weights differ by", "checks", "largest error", "tolerance", "in"});
  for (const LayerCheck& layer : layers) {
    if (!layer.refused.empty()) {
      table.add({"-", layer_name(layer.at)}, "  " + layer.refused);
      continue;
    }
    const Invariant& worst = worst_of(layer.checks);
    const bool good = std::ranges::all_of(layer.checks, &Invariant::holds);
    table.add({good ? "ok" : "FAILED", layer_name(layer.at), two_digits(layer.checks.back().error),
               std::to_string(layer.checks.size()), two_digits(worst.error),
               two_digits(worst.tolerance), worst.name});
  }
  return table.text();
}

// Checks the layers of the model, or the session of one, that `input` means, or the one that
// --layer gives: the invariants of each as a problem, and that its weights are those of the
// forward pass. Writes a table to standard output. Fails with kFailed when a check fails, else as
// run_model() does.
Expected<void> check_model(const std::string& input, const ModelArguments& arguments) {
  const auto run = run_model(input, arguments, {.stages = true});
  if (!run) return tl::make_unexpected(run.error());
  const auto layer_ids = layers_to_check(**run, arguments.layer);
  if (!layer_ids) return tl::make_unexpected(layer_ids.error());
  std::vector<LayerCheck> layers;
  for (const LayerId& at : *layer_ids) layers.push_back(check_layer(**run, at));
  if (auto readable = files::check_readable(*(*run)->model); !readable) return readable;
  if (auto written = files::write_bytes("-", table_of(layers)); !written) return written;
  const auto failed = std::ranges::count_if(layers, [](const LayerCheck& layer) {
    return !std::ranges::all_of(layer.checks, &Invariant::holds);
  });
  if (failed == 0) return {};
  return fail(ErrorType::kFailed, std::to_string(failed) + " of " + std::to_string(layers.size()) +
                                      " layers failed a check; see above");
}

std::string kv_heads_text(const attention::Config& config) {
  return config.n_kv_heads == 0 ? "" : ", n_kv_heads " + std::to_string(config.n_kv_heads);
}

std::string shape_text(const attention::Problem& problem) {
  const attention::Config& config = problem.config;
  std::string text = "seq_len " + std::to_string(problem.seq_len());
  if (problem.cross()) text += ", kv_len " + std::to_string(problem.kv_len());
  return text + ", d_model " + std::to_string(config.d_model) + ", n_heads " +
         std::to_string(config.n_heads) + kv_heads_text(config) + ", d_k " +
         std::to_string(config.d_k) + ", d_v " + std::to_string(config.d_v) + ", d_out " +
         std::to_string(config.d_out) + "\n";
}

std::string report_text(const std::vector<Invariant>& invariants) {
  TextTable table({Side::kLeft, Side::kLeft, Side::kRight, Side::kRight});
  table.add({"", "", "largest error", "tolerance"});
  for (const Invariant& invariant : invariants) {
    table.add({invariant.holds() ? "ok" : "FAILED", invariant.name, two_digits(invariant.error),
               two_digits(invariant.tolerance)});
  }
  return table.text();
}

void add_count(std::string& text, attention::Index count, const char* name) {
  if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
}

// Counts of NaN and infinite cells, for each stage that has any.
std::string non_finite_text(const attention::Problem& problem, const attention::Trace& trace) {
  TextTable table({Side::kLeft});
  for (const attention::NonFiniteCount& count : count_non_finite(problem, trace)) {
    std::string found;
    add_count(found, count.nan, "NaN");
    add_count(found, count.positive_infinity, "∞");
    add_count(found, count.negative_infinity, "−∞");
    if (!found.empty()) table.add({std::string(stage_name(count.stage)), found});
  }
  const std::string counts = table.text();
  return counts.empty() ? "" : "non-finite cells, over all heads:\n" + counts;
}

Expected<void> check(const std::string& input, const std::string& sentence) {
  const auto document = open_input(input).and_then(
      [&](const Document& opened) { return at_sentence(opened, sentence); });
  if (!document) return tl::make_unexpected(document.error());
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document->problem);
  const std::vector<Invariant> invariants = check_invariants(document->problem, trace);

  const std::string text = shape_text(document->problem) + report_text(invariants) +
                           non_finite_text(document->problem, trace);
  if (auto written = files::write_bytes("-", text); !written) return written;
  const auto failed = std::ranges::count_if(invariants, [](const auto& i) { return !i.holds(); });
  if (failed == 0) return {};
  return fail(ErrorType::kFailed, std::to_string(failed) + " of " +
                                      std::to_string(invariants.size()) +
                                      " checks failed; see above");
}

}  // namespace

Action declare_check(CLI::App& app) {
  struct CheckOptions {
    std::string input;
    ModelArguments model;
  };
  const auto options = std::make_shared<CheckOptions>();
  set_help(
      app,
      "Computes IN and checks what must be true of every result: rows of weights sum to 1,\n"
      "masked weights are 0, the contributions of the heads add up to the output, and every\n"
      "stage agrees with a second computation in double precision. Stages that contain NaN or\n"
      "infinities are listed with their counts.",
      "check IN",
      "If IN is a model, or a session of one, each of its layers is checked, or the one of\n"
      "--layer, and also that its weights are those of the whole model's forward pass, within\n"
      "1e-6. The table shows how far they differ, and the check that is nearest to its limit.\n"
      "\n"
      "The exit code is 1 if a check fails and 5 if IN is not a valid problem.");
  add_model_options(app, options->model);
  add_layer_option(app, options->model,
                   "one layer, from 0; in models with two stacks also cross.0 and\nencoder.0; or "
                   "cross.all, encoder.all (every layer)");
  add_sentence_option(app, options->model.sentence);
  add_input(app, options->input);
  return [options](VerbRun&) -> Expected<void> {
    if (is_model(options->input)) return check_model(options->input, options->model);
    if (auto none = check_no_model_arguments(options->input, options->model); !none) return none;
    return check(options->input, options->model.sentence);
  };
}

}  // namespace lab::cli
