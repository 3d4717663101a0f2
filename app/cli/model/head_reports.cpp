#include "app/cli/model/attribution_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/cli/text.h"
#include "app/document/analysis/head_labels.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/token_name.h"
#include "app/explain/number_text.h"

namespace lab::cli {
namespace {

using nlohmann::ordered_json;

std::string name_of(const HeadRef& head) { return model_head_name(head.at, head.head); }

ordered_json head_json(const std::string& name, const attention::network::HeadScores& scores) {
  return {{"head", name},
          {"previous", scores.previous},
          {"first", scores.first},
          {"duplicate", scores.duplicate},
          {"induction", scores.induction},
          {"label", label_of(scores)}};
}

std::string score_text(float score) { return explain::format_fixed(score, 4); }

using attention::Index;

// Tokens that are shown around a query or key.
constexpr Index kBefore = 4, kAfter = 2;
// Pairs that are shown of each of several heads.
constexpr std::size_t kPairsOfSeveral = 3;

std::string four_decimals(float value) { return explain::format_fixed(value, 4); }

std::string head_name_of(const ExploredHead& head) {
  return model_head_name(head.at.at, head.at.head);
}

// The tokens of an exploration, with the names that the model gives them.
struct NamedTokens {
  const ModelSource& model;
  const std::vector<std::uint32_t>& ids;

  std::string label(Index position) const {
    return token_label(model, ids[static_cast<std::size_t>(position)]);
  }
  std::string context(Index position) const {
    return context_of(model, ids, position, kBefore, kAfter);
  }
  ordered_json json(Index position) const {
    const std::uint32_t id = ids[static_cast<std::size_t>(position)];
    return {{"position", position},
            {"token", token_text(model, id)},
            {"id", id},
            {"context", context(position)}};
  }
};

std::vector<std::string> score_cells(const ExploredHead& head) {
  const auto& scores = head.scores;
  return {head_name_of(head),
          four_decimals(scores.previous),
          four_decimals(scores.first),
          four_decimals(scores.duplicate),
          four_decimals(scores.induction),
          label_of(scores)};
}

std::string pairs_in_short(const NamedTokens& tokens, const ExploredHead& head) {
  std::string text;
  for (std::size_t i = 0; i < std::min(head.pairs.size(), kPairsOfSeveral); ++i) {
    const AttendedPair& pair = head.pairs[i];
    text += (i == 0 ? "" : ", ") + in_quotes(tokens.label(pair.query)) + " → " +
            in_quotes(tokens.label(pair.key)) + " " + explain::format_fixed(pair.weight, 2);
  }
  return text;
}

std::string pairs_text(const NamedTokens& tokens, const ExploredHead& head) {
  TextTable table({Side::kRight, Side::kRight, Side::kLeft, Side::kRight, Side::kLeft});
  table.add({"weight", "query", "in", "key", "in"});
  for (const AttendedPair& pair : head.pairs)
    table.add({four_decimals(pair.weight), std::to_string(pair.query), tokens.context(pair.query),
               std::to_string(pair.key), tokens.context(pair.key)});
  return table.text();
}

}  // namespace

std::string labels_text(const LabelledHeads& heads) {
  TextTable table(
      {Side::kLeft, Side::kRight, Side::kRight, Side::kRight, Side::kRight, Side::kLeft});
  table.add({"head", "previous", "first", "duplicate", "induction", "label"});
  for (const auto& [head, scores] : heads.heads)
    table.add({name_of(head), score_text(scores.previous), score_text(scores.first),
               score_text(scores.duplicate), score_text(scores.induction), label_of(scores)});
  if (!heads.without_cross) return table.text();
  return table.text() +
         "\nThe heads of cross-attention have no labels: they attend to another text.\n";
}

std::string labels_json(const LabelledHeads& heads) {
  ordered_json list = ordered_json::array();
  for (const auto& [head, scores] : heads.heads) {
    list.push_back(head_json(name_of(head), scores));
  }
  return ordered_json({{"labels", list}}).dump() + "\n";
}

std::string exploration_text(const ModelSource& model, const Exploration& exploration) {
  const NamedTokens tokens{model, *exploration.ids};
  const bool one = exploration.heads.size() == 1;
  TextTable table({Side::kLeft, Side::kRight, Side::kRight, Side::kRight, Side::kRight, Side::kLeft,
                   Side::kLeft});
  std::vector<std::string> header = {"head",      "previous",  "first",
                                     "duplicate", "induction", "label"};
  if (!one) header.emplace_back("strongest pairs, query → key");
  table.add(std::move(header));
  for (const ExploredHead& head : exploration.heads) {
    std::vector<std::string> cells = score_cells(head);
    if (!one) cells.push_back(pairs_in_short(tokens, head));
    table.add(std::move(cells));
  }
  const std::string read = std::to_string(exploration.read) + " tokens\n\n" + table.text();
  return one ? read + "\n" + pairs_text(tokens, exploration.heads.front()) : read;
}

std::string exploration_json(const ModelSource& model, const Exploration& exploration) {
  const NamedTokens tokens{model, *exploration.ids};
  ordered_json heads = ordered_json::array();
  for (const ExploredHead& head : exploration.heads) {
    ordered_json pairs = ordered_json::array();
    for (const AttendedPair& pair : head.pairs)
      pairs.push_back({{"weight", pair.weight},
                       {"query", tokens.json(pair.query)},
                       {"key", tokens.json(pair.key)}});
    heads.push_back(head_json(head_name_of(head), head.scores));
    heads.back()["pairs"] = std::move(pairs);
  }
  return ordered_json({{"tokens", exploration.read}, {"heads", heads}}).dump() + "\n";
}

}  // namespace lab::cli
