#include <cctype>

#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/explain/explain_text.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"

namespace lab::explain {
namespace {

using attention::Index;
using attention::Stage;

std::string quoted(const std::string& text) { return tr("“{}”", {isolated(text)}); }

std::string flow(const Document& document, Stage stage, Index head, Index row, Index col) {
  const std::string query = quoted(row_label(document, row));
  const std::string key = quoted(key_label(document, col)), number = std::to_string(head + 1);
  if (stage == Stage::kWeights || stage == Stage::kDroppedWeights)
    return tr("How much of {} flows into {} in head {}.", {key, query, number});
  return tr("How well the query of {} matches the key of {} in head {}.", {query, key, number});
}

std::string input_meaning(const Document& document, Stage stage, const std::string& token,
                          Index col) {
  const std::string feature = dimension_label(document, col);
  switch (stage) {
    case Stage::kPosition:
    case Stage::kPositionKv:
      return tr("What is added to the embedding of {} for its position, feature {}.",
                {token, feature});
    case Stage::kX:
    case Stage::kXKv:
      if (is_active(document.problem, stage))
        return tr("What the layer reads of {}, feature {}.", {token, feature});
      [[fallthrough]];
    default:
      return tr("The embedding of {}, feature {}.", {token, feature});
  }
}

std::string output_meaning(Stage stage, const std::string& token) {
  switch (stage) {
    case Stage::kHeadOutput:
      return tr("What {} gathered: the values, mixed by its weights.", {token});
    case Stage::kConcat:
      return tr("The heads' outputs for {}, side by side.", {token});
    case Stage::kResidual:
      return tr("What the layer read of {} and what it found, added.", {token});
    case Stage::kLayerNorm:
      return tr("The row of {}, brought to mean 0 and variance 1.", {token});
    default:
      return tr("What leaves the layer for {}: all heads, projected.", {token});
  }
}

std::string feature_meaning(const Document& document, Stage stage, Index head, Index row,
                            Index col) {
  const std::string token = quoted(row_label(document, stage, row));
  const std::string feature = std::to_string(col), number = std::to_string(head + 1);
  switch (stage) {
    case Stage::kQ:
      return tr("What {} looks for: query feature {} of head {}.", {token, feature, number});
    case Stage::kK:
      return tr("What {} offers: key feature {} of head {}.", {token, feature, number});
    case Stage::kV:
      return tr("What {} passes on: value feature {} of head {}.", {token, feature, number});
    case Stage::kRotatedQ:
      return tr("What {} looks for, turned by its position: feature {} of head {}.",
                {token, feature, number});
    case Stage::kRotatedK:
      return tr("What {} offers, turned by its position: feature {} of head {}.",
                {token, feature, number});
    default:
      return stage < Stage::kQ ? input_meaning(document, stage, token, col)
                               : output_meaning(stage, token);
  }
}

}  // namespace

std::string cell_title(const Document& document, Stage stage, Index row, Index col) {
  return name_in_words(stage_name(stage)) + "[" + isolated(row_label(document, stage, row)) + ", " +
         isolated(column_label(document, stage, col)) + "]";
}

std::string cell_meaning(const Document& document, Stage stage, Index head, Index row, Index col) {
  if (std::string off = off_text(document.problem, stage); !off.empty()) {
    off.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(off.front())));
    const Stage repeated = *attention::repeated_stage(document.problem, stage);
    return off + ". " + cell_meaning(document, repeated, head, row, col);
  }
  return has_key_columns(stage) ? flow(document, stage, head, row, col)
                                : feature_meaning(document, stage, head, row, col);
}

}  // namespace lab::explain
