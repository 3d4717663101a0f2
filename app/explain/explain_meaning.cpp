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

// The stage whose words tell what a cell is: X without positions is the embedding.
Stage stage_to_explain(const Document& document, Stage stage) {
  if (is_active(document.problem, stage)) return stage;
  return attention::repeated_stage(document.problem, stage).value_or(stage);
}

std::string feature_name(const Document& document, Stage stage, Index col) {
  const bool input = attention::stage_info(stage).section == attention::StageSection::kInput;
  return input ? dimension_label(document, col) : std::to_string(col);
}

std::string own_meaning(const Document& document, Stage stage, Index head, Index row, Index col) {
  const char* meaning = stage_words(stage_to_explain(document, stage)).meaning;
  const std::string token = quoted(row_label(document, stage, row));
  const std::string number = head_number(document, head);
  if (!has_key_columns(stage))
    return tr(meaning, {token, feature_name(document, stage, col), number});
  const std::string key = quoted(key_label(document, col));
  return holds_weights(stage) ? tr(meaning, {key, token, number})
                              : tr(meaning, {token, key, number});
}

}  // namespace

std::string cell_title(const Document& document, Stage stage, Index row, Index col) {
  return name_in_words(stage_name(stage)) + "[" + label_in_text(row_label(document, stage, row)) +
         ", " + label_in_text(column_label(document, stage, col)) + "]";
}

std::string cell_meaning(const Document& document, Stage stage, Index head, Index row, Index col) {
  if (std::string off = off_text(document.problem, stage); !off.empty()) {
    off.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(off.front())));
    const Stage repeated = *attention::repeated_stage(document.problem, stage);
    return off + ". " + cell_meaning(document, repeated, head, row, col);
  }
  return own_meaning(document, stage, head, row, col);
}

}  // namespace lab::explain
