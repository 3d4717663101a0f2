#include "app/document/document.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "app/base/visible_text.h"
#include "app/translation/words.h"
#include "core/embedding.h"
#include "core/initialise.h"

namespace lab {

using attention::Config;
using attention::FillType;
using attention::Index;
using attention::Matrix;
using attention::MatrixId;
using attention::RowVector;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;

namespace {

SharedMatrix xavier(Shape shape, std::uint64_t seed, MatrixId id, int head) {
  return SharedMatrix(attention::filled(FillType::kXavier, shape, matrix_seed(seed, id, head)));
}

attention::Parameters xavier_parameters(const Config& config, std::uint64_t seed) {
  attention::Parameters parameters;
  parameters.heads.resize(static_cast<std::size_t>(config.n_heads));
  parameters.kv_heads.resize(static_cast<std::size_t>(kv_head_count(config)));
  const auto fill = [&](const attention::MatrixInfo& info, Index head, SharedMatrix& matrix) {
    if (!info.required) return;
    matrix = xavier(parameter_shape(config, info.id), seed, info.id, static_cast<int>(head));
  };
  for_each_parameter(parameters, fill);
  return parameters;
}

// The text of token `i`, or its number when there is none.
std::string token_label(const std::vector<Token>& tokens, Index i) {
  const bool known = i >= 0 && i < std::ssize(tokens);
  return known ? token_label(tokens[static_cast<size_t>(i)]) : std::to_string(i);
}

bool is_of_template(const std::vector<Token>& tokens, Index i) {
  return i >= 0 && i < std::ssize(tokens) && tokens[static_cast<size_t>(i)].from_template;
}

// The rows of `tokens`: each own row from `lexicon`, else as `otherwise` gives it.
template <typename Otherwise>
Matrix embedded(const std::vector<Token>& tokens, const Lexicon& lexicon, Index d_model,
                Otherwise&& otherwise) {
  Matrix rows(std::ssize(tokens), d_model);
  std::map<std::string_view, Index> first;  // first position of each key
  for (Index i = 0; i < rows.rows(); ++i) {
    const std::string& key = tokens[static_cast<size_t>(i)].key;
    const auto [found, is_new] = first.emplace(key, i);
    if (!is_new) {
      rows.row(i) = rows.row(found->second);
    } else if (const auto stored = lexicon.find(key); stored != lexicon.end()) {
      rows.row(i) = stored->second;
    } else {
      rows.row(i) = otherwise(key);
    }
  }
  return rows;
}

// Compares versions, not numbers.
bool same_matrices(const attention::Problem& a, const attention::Problem& b) {
  const auto same = [](const SharedMatrix* one, const SharedMatrix* other) {
    return one->same_as(*other);
  };
  return a.parameters.heads.size() == b.parameters.heads.size() &&
         std::ranges::equal(matrices_of(a), matrices_of(b), same) &&
         a.rotary_first == b.rotary_first && a.input_parts == b.input_parts &&
         a.key_layer == b.key_layer && same_relative(a.relative, b.relative) &&
         a.rotary_frequencies.same_as(b.rotary_frequencies) &&
         std::ranges::equal(a.head_bias, b.head_bias, &SharedMatrix::same_as);
}

// Compares bits, because NaN must equal itself here.
bool same_override(const attention::Override& a, const attention::Override& b) {
  return a.stage == b.stage && a.head == b.head && a.row == b.row && a.col == b.col &&
         std::bit_cast<std::uint32_t>(a.value) == std::bit_cast<std::uint32_t>(b.value);
}

bool same_mix(const attention::HeadMix& a, const attention::HeadMix& b) {
  return a.mute == b.mute && a.solo == b.solo &&
         std::bit_cast<std::uint32_t>(a.scale) == std::bit_cast<std::uint32_t>(b.scale);
}

}  // namespace

std::uint64_t matrix_seed(std::uint64_t seed, MatrixId id, int head) {
  const auto index =
      static_cast<std::uint64_t>(id) * attention::Limits::kHeads + static_cast<std::uint64_t>(head);
  // One step of the generator between seed and place, so that neighbouring seeds are unrelated.
  return attention::PortableRandom(attention::PortableRandom(seed).next() + index).next();
}

const std::vector<Token>& key_tokens(const Document& document) {
  return document.kv_tokens.empty() ? document.tokens : document.kv_tokens;
}

std::string row_label(const Document& document, Index i) { return token_label(document.tokens, i); }

std::string key_label(const Document& document, Index j) {
  return token_label(document.problem.cross() ? document.kv_tokens : document.tokens, j);
}

std::string head_number(const Document& document, attention::Index head) {
  const auto at = static_cast<std::size_t>(head);
  return at < document.head_names.size() ? document.head_names[at] : std::to_string(head + 1);
}

std::string head_title(const Document& document, attention::Index head) {
  const std::string number = head_number(document, head);
  return document.head_names.empty() ? tr("Head {}", {number}) : number;
}

std::string head_in_text(const Document& document, attention::Index head) {
  const std::string number = head_number(document, head);
  return document.head_names.empty() ? tr("head {}", {number}) : number;
}

std::string dimension_label(const Document& document, Index d) {
  const bool known = d >= 0 && d < std::ssize(document.dimensions);
  return known ? printable(document.dimensions[static_cast<size_t>(d)]) : std::to_string(d);
}

bool has_dimension_columns(const Document& document, Stage stage) {
  const Config& config = document.problem.config;
  const attention::Axis columns = stage_info(stage).cols;
  return columns == attention::Axis::kModel ||
         (columns == attention::Axis::kOut && config.d_out == config.d_model &&
          !document.problem.input_parts);
}

std::string row_label(const Document& document, Stage stage, Index row) {
  return has_key_rows(stage) ? key_label(document, row) : row_label(document, row);
}

std::string column_label(const Document& document, Stage stage, Index col) {
  if (has_key_columns(stage)) return key_label(document, col);
  const bool is_dimension = has_dimension_columns(document, stage);
  return is_dimension ? dimension_label(document, col) : std::to_string(col);
}

bool row_is_of_template(const Document& document, Stage stage, Index row) {
  return is_of_template(has_key_rows(stage) ? key_tokens(document) : document.tokens, row);
}

bool column_is_of_template(const Document& document, Stage stage, Index col) {
  return has_key_columns(stage) && is_of_template(key_tokens(document), col);
}

bool is_new_token_scale(float scale) {
  constexpr float kSmallest = 1e-3f, kLargest = 1e3f;
  return scale >= kSmallest && scale <= kLargest;
}

RowVector default_row(const Document& document, std::string_view key) {
  if (key == kPadding)  // as torch.nn.Embedding has it with padding_idx
    return attention::RowVector::Zero(document.problem.config.d_model);
  RowVector row = attention::default_embedding(key, document.problem.config.d_model);
  const float scale = document.new_token_scale;
  if (scale == 1) return row;
  const float step = 0.01f * std::pow(10.0f, std::min(0.0f, std::floor(std::log10(scale))));
  for (float& number : row) number = std::round(number * scale / step) * step;
  return row;
}

RowVector embedding_row(const Document& document, std::string_view key) {
  const auto stored = document.lexicon->find(key);
  return stored != document.lexicon->end() ? stored->second : default_row(document, key);
}

RowVector shared_row(const Document& document, std::string_view key) {
  return document.shared_tokens ? embedding_row(document, key) : default_row(document, key);
}

Matrix embed_tokens(const Document& document) {
  return embedded(document.tokens, *document.lexicon, document.problem.config.d_model,
                  [&](const std::string& key) { return default_row(document, key); });
}

Matrix embed_kv_tokens(const Document& document) {
  return embedded(document.kv_tokens, *document.kv_lexicon, document.problem.config.d_model,
                  [&](const std::string& key) { return shared_row(document, key); });
}

Document make_document(std::string sentence, const Config& config, std::uint64_t seed) {
  Document document;
  document.tokens = *split_sentence(sentence, document.splitting);
  document.sentence = std::move(sentence);
  document.problem.config = config;
  document.problem.parameters = xavier_parameters(config, seed);
  document.problem.embedding = SharedMatrix(embed_tokens(document));
  return document;
}

bool same_problem(const attention::Problem& a, const attention::Problem& b) {
  return a.config == b.config && same_matrices(a, b) &&
         std::ranges::equal(a.head_mix, b.head_mix, same_mix) &&
         std::ranges::equal(a.overrides, b.overrides, same_override);
}

bool same_document(const Document& a, const Document& b) {
  return a.title == b.title && a.sentence == b.sentence && a.splitting == b.splitting &&
         a.tokens == b.tokens && a.dimensions == b.dimensions && a.lexicon == b.lexicon &&
         a.kv_sentence == b.kv_sentence && a.kv_tokens == b.kv_tokens &&
         a.kv_lexicon == b.kv_lexicon && a.shared_tokens == b.shared_tokens &&
         a.head_names == b.head_names &&
         std::bit_cast<std::uint32_t>(a.new_token_scale) ==
             std::bit_cast<std::uint32_t>(b.new_token_scale) &&
         a.detached == b.detached && a.switched_off == b.switched_off && a.layer == b.layer &&
         a.batch == b.batch && same_problem(a.problem, b.problem);
}

}  // namespace lab
