#include "app/tokenizer/postprocessor/post_processor.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/tokenizer/text/byte_characters.h"
#include "app/tokenizer/unicode/properties.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

Token special_token(const SpecialToken& token, std::uint32_t type_id) {
  Token added;
  added.id = token.id;
  added.text = token.text;
  added.type_id = type_id;
  added.special = true;
  return added;
}

void set_type(Encoding& encoding, std::uint32_t type_id) {
  for (Token& token : encoding) token.type_id = type_id;
}

bool is_blank(char32_t character) {
  return character == character_of_byte(' ') || is_white_space(character);
}

std::uint32_t blanks_before(std::string_view text) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < text.size() && is_blank(character_at(text, at));
       at += character_size(text[at]))
    ++count;
  return count;
}

std::uint32_t blanks_after(std::string_view text) {
  std::uint32_t count = 0;
  for (std::size_t end = text.size(); end > 0; ++count) {
    end = character_before(text, end);
    if (!is_blank(character_at(text, end))) break;
  }
  return count;
}

// Takes the blanks at the ends of a token out of its offsets. A single blank at the beginning of
// the text was put there by the pre-tokenizer if `add_prefix_space` is set.
void trim_offsets(Encoding& encoding, bool add_prefix_space) {
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    TextRange& range = encoding[i].characters;
    std::uint32_t before = blanks_before(encoding[i].text);
    const std::uint32_t after = blanks_after(encoding[i].text);
    const bool at_beginning = i == 0 || range.first == 0;
    if (at_beginning && add_prefix_space && before == 1) before = 0;
    range.first = std::min(range.first + before, range.last);
    if (range.last >= after) range.last = std::max(range.last - after, range.first);
  }
}

// The encoding of one part of a template.
Encoding filled(const TemplateItem& item, const Encodings& texts, bool add_special) {
  Encoding encoding;
  if (item.special.empty()) {
    encoding = texts.at(item.sequence);
    set_type(encoding, item.type_id);
  } else if (add_special) {
    for (const SpecialToken& token : item.special)
      encoding.push_back(special_token(token, item.type_id));
  }
  return encoding;
}

void apply_node(const TemplateProcessing& node, Encodings& encodings, bool add_special) {
  if (encodings.size() > 2) throw BadInput("a template follows a post-processor that added tokens");
  const std::vector<TemplateItem>& template_items = encodings.size() == 2 ? node.pair : node.single;
  Encodings result;
  for (const TemplateItem& item : template_items) {
    if (item.special.empty() && item.sequence >= encodings.size())
      throw BadInput("the template for one text names a second one");
    result.push_back(filled(item, encodings, add_special));
  }
  encodings = std::move(result);
}

// Puts `before`, if there is one, and `after` around the tokens of each part.
void surround(Encoding& encoding, const SpecialToken* before, const SpecialToken& after,
              std::uint32_t type_id) {
  if (before != nullptr) encoding.insert(encoding.begin(), special_token(*before, type_id));
  encoding.push_back(special_token(after, type_id));
}

void apply_node(const BertProcessing& node, Encodings& encodings, bool add_special) {
  if (!add_special) return;
  for (std::size_t i = 0; i < encodings.size(); ++i)
    surround(encodings[i], i == 0 ? &node.cls : nullptr, node.sep, i == 0 ? 0 : 1);
}

void apply_node(const RobertaProcessing& node, Encodings& encodings, bool add_special) {
  for (std::size_t i = 0; i < encodings.size(); ++i) {
    if (node.trim_offsets) trim_offsets(encodings[i], node.add_prefix_space);
    set_type(encodings[i], 0);
    if (add_special) surround(encodings[i], i == 0 ? &node.cls : &node.sep, node.sep, 0);
  }
}

void apply_node(const ByteLevelProcessing& node, Encodings& encodings, bool) {
  if (!node.trim_offsets) return;
  for (Encoding& item : encodings) trim_offsets(item, node.add_prefix_space);
}

std::size_t count_of(const TemplateProcessing& node, bool pair) {
  std::size_t count = 0;
  for (const TemplateItem& item : pair ? node.pair : node.single) count += item.special.size();
  return count;
}
std::size_t count_of(const BertProcessing&, bool pair) { return pair ? 3 : 2; }
std::size_t count_of(const RobertaProcessing&, bool pair) { return pair ? 4 : 2; }
std::size_t count_of(const ByteLevelProcessing&, bool) { return 0; }

}  // namespace

void post_process(const PostProcessor& processor, Encodings& encodings, bool add_special) {
  std::visit([&](const auto& node) { apply_node(node, encodings, add_special); }, processor);
}

std::size_t added_count(const PostProcessor& processor, bool pair) {
  return std::visit([&](const auto& node) { return count_of(node, pair); }, processor);
}

}  // namespace lab::tokenizer
