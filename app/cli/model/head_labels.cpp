#include "app/cli/model/head_labels.h"

#include <nlohmann/json.hpp>

#include "app/cli/text.h"
#include "app/document/model/layer_name.h"
#include "app/explain/number_text.h"

namespace lab::cli {
namespace {

using nlohmann::ordered_json;

std::string name_of(const HeadRef& head) { return model_head_name(head.at, head.head); }

std::string score_text(float score) { return explain::format_fixed(score, 4); }

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
    list.push_back({{"head", name_of(head)},
                    {"previous", scores.previous},
                    {"first", scores.first},
                    {"duplicate", scores.duplicate},
                    {"induction", scores.induction},
                    {"label", label_of(scores)}});
  }
  return ordered_json({{"labels", list}}).dump() + "\n";
}

}  // namespace lab::cli
