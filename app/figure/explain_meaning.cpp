#include <cctype>

#include "app/figure/direction.h"
#include "app/figure/explain_text.h"
#include "app/figure/stage_text.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;

std::string quoted(const std::string& text) { return "“" + isolated(text) + "”"; }

std::string flow(const Document& document, Stage stage, Index head, Index row, Index col) {
  const std::string query = quoted(row_label(document, row));
  const std::string in_head = " in head " + std::to_string(head + 1) + ".";
  if (stage == Stage::kWeights || stage == Stage::kDroppedWeights) {
    return "How much of " + quoted(key_label(document, col)) + " flows into " + query + in_head;
  }
  return "How well the query of " + query + " matches the key of " +
         quoted(key_label(document, col)) + in_head;
}

std::string input_meaning(const Document& document, Stage stage, const std::string& token,
                          Index col) {
  const std::string feature = ", feature " + dimension_label(document, col) + ".";
  switch (stage) {
    case Stage::kPosition:
    case Stage::kPositionKv:
      return "What is added to the embedding of " + token + " for its position" + feature;
    case Stage::kX:
    case Stage::kXKv:
      if (is_active(document.problem, stage)) return "What the layer reads of " + token + feature;
      [[fallthrough]];
    default:
      return "The embedding of " + token + feature;
  }
}

std::string output_meaning(Stage stage, const std::string& token) {
  switch (stage) {
    case Stage::kHeadOutput:
      return "What " + token + " gathered: the values, mixed by its weights.";
    case Stage::kConcat:
      return "The heads' outputs for " + token + ", side by side.";
    case Stage::kResidual:
      return "What the layer read of " + token + " and what it found, added.";
    case Stage::kLayerNorm:
      return "The row of " + token + ", brought to mean 0 and variance 1.";
    default:
      return "What leaves the layer for " + token + ": all heads, projected.";
  }
}

std::string feature_meaning(const Document& document, Stage stage, Index head, Index row,
                            Index col) {
  const std::string token = quoted(row_label(document, stage, row));
  const std::string of_head = std::to_string(col) + " of head " + std::to_string(head + 1);
  switch (stage) {
    case Stage::kQ:
      return "What " + token + " looks for: query feature " + of_head + ".";
    case Stage::kK:
      return "What " + token + " offers: key feature " + of_head + ".";
    case Stage::kV:
      return "What " + token + " passes on: value feature " + of_head + ".";
    case Stage::kRotatedQ:
      return "What " + token + " looks for, turned by its position: feature " + of_head + ".";
    case Stage::kRotatedK:
      return "What " + token + " offers, turned by its position: feature " + of_head + ".";
    default:
      return stage < Stage::kQ ? input_meaning(document, stage, token, col)
                               : output_meaning(stage, token);
  }
}

}  // namespace

std::string cell_title(const Document& document, Stage stage, Index row, Index col) {
  return std::string(stage_name(stage)) + "[" + isolated(row_label(document, stage, row)) + ", " +
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

}  // namespace lab
