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

// The parts of X that a cell can be of, or be computed from, in latent attention.
enum class InputPart { kStream, kQuery, kKeyValue, kKey };

InputPart part_of_input(const attention::InputParts& parts, Index feature) {
  if (feature < parts.query) return parts.compressed_query ? InputPart::kQuery : InputPart::kStream;
  return feature < parts.query + parts.key_value ? InputPart::kKeyValue : InputPart::kKey;
}

std::string words_for_input(InputPart part) {
  switch (part) {
    case InputPart::kStream:
      return tr("It is the normalised stream, which queries are computed from.");
    case InputPart::kQuery:
      return tr("It is of the compressed row that queries are computed from, normalised.");
    case InputPart::kKeyValue:
      return tr("It is of the compressed row that keys and values are computed from, normalised.");
    case InputPart::kKey:
      return tr("It is of the rotary part of the keys, which all heads share.");
  }
  return {};
}

std::string words_for_projection(InputPart part) {
  switch (part) {
    case InputPart::kStream:
      return tr("It is computed from the normalised stream (x).");
    case InputPart::kQuery:
      return tr("It is computed from the compressed row of the queries (c_Q).");
    case InputPart::kKeyValue:
      return tr("It is computed from the compressed row of keys and values (c_KV).");
    case InputPart::kKey:
      return tr("It is copied from the rotary part of the keys, which all heads share (k_R).");
  }
  return {};
}

// A sentence on what Q, K, V or X are computed from in latent attention, after a blank.
std::string latent_words(const Document& document, Stage stage, Index col) {
  const auto& parts = document.problem.input_parts;
  if (!parts) return {};
  const Index own = document.problem.config.d_k - parts->key;
  switch (stage) {
    case Stage::kEmbedding:
    case Stage::kX:
    case Stage::kXKv:
      return " " + words_for_input(part_of_input(*parts, col));
    case Stage::kQ:
      return " " + words_for_projection(part_of_input(*parts, 0));
    case Stage::kK:
      return " " + words_for_projection(col < own ? InputPart::kKeyValue : InputPart::kKey);
    case Stage::kV:
      return " " + words_for_projection(InputPart::kKeyValue);
    default:
      return {};
  }
}

// A sentence on whose keys and values a cell is of, where they are another layer's, after a blank.
std::string key_layer_words(const Document& document, Stage stage) {
  const auto& layer = document.problem.key_layer;
  if (!layer || !has_key_rows(stage)) return {};
  return " " + tr("It is made by layer {}, whose keys and values this layer uses.",
                  {std::to_string(*layer)});
}

// The stage whose words tell what a cell is: X without positions is the embedding.
Stage stage_to_explain(const Document& document, Stage stage) {
  if (stage == Stage::kX && document.problem.input_parts) return stage;
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
    return tr(meaning, {token, feature_name(document, stage, col), number}) +
           latent_words(document, stage, col) + key_layer_words(document, stage);
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
