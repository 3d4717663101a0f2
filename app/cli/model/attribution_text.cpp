#include <algorithm>

#include "app/base/bad_input.h"
#include "app/cli/model/attribution_report.h"
#include "app/cli/text.h"
#include "app/document/model/layer_document.h"
#include "app/document/model/layer_name.h"
#include "app/explain/number_text.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::Sublayer;

constexpr int kDecimals = 4;

std::string decimal(double value) {
  return explain::format_fixed(static_cast<float>(value), kDecimals);
}

std::string token_at(const ModelRun& run, Index row) {
  const auto tokens = model_tokens(*run.model, run.tokens.ids);
  return in_quotes(token_label(tokens[static_cast<std::size_t>(row)]));
}

// The cells "H0", "H1", … after `first`.
std::vector<std::string> with_heads(std::vector<std::string> first, Index heads) {
  for (Index head = 0; head < heads; ++head) first.push_back("H" + std::to_string(head));
  return first;
}

std::string token_and_id(const ModelRun& run, const RankedPrediction& token) {
  const std::uint32_t id = token.prediction.id;
  return in_quotes(run.token_label(id)) + " (id " + std::to_string(id) + ")";
}

std::string numbers_of(const RankedPrediction& token) {
  return "logit " + decimal(token.prediction.logit) + ", probability " +
         decimal(token.prediction.probability) + ", rank " + std::to_string(token.rank);
}

std::string answer_text(const ModelRun& run, const AskedAnswer& answer) {
  const std::string row =
      ", predicted by row " + std::to_string(answer.row) + ", " + token_at(run, answer.row);
  const std::string token = "answer: " + token_and_id(run, answer.token);
  if (!answer.minus) return token + row + ": " + numbers_of(answer.token) + "\n";
  return token + " minus " + token_and_id(run, *answer.minus) + row + ": difference of logits " +
         decimal(answer.logit()) + "\n  " + numbers_of(answer.token) + "\n  minus " +
         numbers_of(*answer.minus) + "\n";
}

std::string lens_text(const ModelRun& run, const std::vector<LensLine>& lens) {
  const bool compared = lens.front().answer.minus.has_value();
  TextTable table({Side::kLeft, Side::kLeft, Side::kRight});
  std::vector<std::string> header = {"",      "top token", "probability", "answer's probability",
                                     "logit", "rank"};
  if (compared) header.insert(header.end(), {"minus's probability", "difference of logits"});
  table.add(std::move(header));
  for (std::size_t i = 0; i < lens.size(); ++i) {
    const LensLine& line = lens[i];
    const bool last = i + 1 == lens.size();
    const std::string position = last ? "at the end" : "before layer " + std::to_string(i);
    const auto& [answer, rank] = line.answer.token;
    std::vector<std::string> cells = {position,
                                      in_quotes(run.token_label(line.top.id)),
                                      decimal(line.top.probability),
                                      decimal(answer.probability),
                                      decimal(answer.logit),
                                      std::to_string(rank)};
    if (compared)
      cells.insert(cells.end(), {decimal(line.answer.minus->prediction.probability),
                                 decimal(line.answer.logit())});
    table.add(std::move(cells));
  }
  return "\nlogit lens: what the final norm and the read-out make of the row\n" + table.text();
}

// What numbers about an answer are about.
std::string name_of_logit(const AskedAnswer& answer) {
  return answer.minus ? "difference of logits" : "logit";
}

std::string direct_text(const ModelRun& run, const attention::network::LogitAttribution& direct,
                        const std::string& logit) {
  const Matrix& heads = direct.heads;
  const bool convolutions = !direct.convolutions.empty();
  TextTable table({Side::kLeft, Side::kRight});
  std::vector<std::string> header = {"", "sum", "MLP"};
  if (convolutions) header.emplace_back("convolution");
  table.add(with_heads(std::move(header), heads.cols()));
  table.add({"embedding", decimal(direct.embedding)});
  for (Index layer = 0; layer < heads.rows(); ++layer) {
    const double mlp = direct.mlps[static_cast<std::size_t>(layer)];
    const bool attends = !is_convolution(run.network(), {Sublayer::kSelf, layer});
    const double mixed = attends ? heads.row(layer).cast<double>().sum()
                                 : direct.convolutions[static_cast<std::size_t>(layer)];
    std::vector<std::string> cells = {"layer " + std::to_string(layer), decimal(mixed + mlp),
                                      decimal(mlp)};
    if (convolutions) cells.push_back(attends ? "" : decimal(mixed));
    for (Index head = 0; head < heads.cols() && attends; ++head)
      cells.push_back(decimal(heads(layer, head)));
    table.add(std::move(cells));
  }
  table.add({"biases", decimal(direct.biases)});
  table.add({logit, decimal(direct.logit)});
  return "\ndirect logit attribution: the parts that sum to the " + logit +
         " (MLP with its biases; biases: those of\nattention's outputs, of the final norm and of "
         "the read-out)\n" +
         table.text();
}

void add_map(const ModelRun& run, const HeadMap& map, TextTable& table) {
  for (Index layer = 0; layer < map.values.rows(); ++layer) {
    std::vector<std::string> cells = {"layer " + layer_name({map.sublayer, layer})};
    if (is_convolution(run.network(), {map.sublayer, layer})) {
      cells.emplace_back("convolution");
    } else {
      for (Index head = 0; head < map.values.cols(); ++head)
        cells.push_back(decimal(map.values(layer, head)));
    }
    table.add(std::move(cells));
  }
}

std::string maps_text(const ModelRun& run, const std::vector<HeadMap>& maps) {
  Index heads = 0;
  for (const HeadMap& map : maps) heads = std::max(heads, map.values.cols());
  TextTable table({Side::kLeft, Side::kRight});
  table.add(with_heads({""}, heads));
  for (const HeadMap& map : maps) add_map(run, map, table);
  return table.text();
}

std::string knock_out_text(const ModelRun& run, const std::vector<HeadMap>& maps,
                           const std::string& logit) {
  return "\nknock-out: how the " + logit + " changes without each head\n" + maps_text(run, maps);
}

std::string patching_text(const ModelRun& run, const PatchingReport& patching) {
  return "\npatching: how the " + name_of_logit(patching.there) +
         " changes with each head's output on the other text, where it is " +
         decimal(patching.there.logit()) + "\n" + maps_text(run, patching.maps);
}

std::string rollout_text(const ModelRun& run, const StackRollout& rollout) {
  std::vector<std::string> labels;
  for (const Token& token : model_tokens(*run.model, rollout.ids))
    labels.push_back(token_label(token));
  TextTable table({Side::kLeft, Side::kRight});
  std::vector<std::string> header = {rollout.name};
  header.insert(header.end(), labels.begin(), labels.end());
  table.add(std::move(header));
  for (Index row = 0; row < rollout.reach.rows(); ++row) {
    std::vector<std::string> cells = {labels[static_cast<std::size_t>(row)]};
    for (Index col = 0; col < rollout.reach.cols(); ++col)
      cells.push_back(decimal(rollout.reach(row, col)));
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace

std::string attribution_text(const ModelRun& run, const AttributionReport& report) {
  std::string text;
  const std::string logit = report.answer ? name_of_logit(*report.answer) : "";
  if (report.answer) text += answer_text(run, *report.answer);
  if (!report.lens.empty()) text += lens_text(run, report.lens);
  if (report.direct) text += direct_text(run, *report.direct, logit);
  if (!report.direct_refused.empty())
    text += "\nno direct logit attribution: " + report.direct_refused + "\n";
  if (!report.knock_outs.empty()) text += knock_out_text(run, report.knock_outs, logit);
  if (report.patching) text += patching_text(run, *report.patching);
  for (const StackRollout& rollout : report.rollouts)
    text += (text.empty() ? "" : "\n") + rollout_text(run, rollout);
  return text;
}

}  // namespace lab::cli
