#include "app/cli/model/model_check.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/cli/model/model_run.h"
#include "app/cli/text.h"
#include "app/document/model/layer_name.h"
#include "app/explain/number_text.h"
#include "app/files/io/bytes.h"
#include "core/analysis/invariants.h"
#include "core/layer/evaluator.h"
#include "core/network/layer_problem.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Invariant;
using attention::Matrix;
using attention::network::LayerId;
using attention::network::Sublayer;

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

}  // namespace

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

}  // namespace lab::cli
