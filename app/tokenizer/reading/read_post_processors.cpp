#include <limits>

#include "app/tokenizer/reading/parts.h"

namespace lab::tokenizer {
namespace {

constexpr std::uint64_t kMostId = std::numeric_limits<std::uint32_t>::max();

std::uint32_t id_at(const JsonNode& node) {
  return static_cast<std::uint32_t>(node.count(kMostId));
}

// ["[SEP]", 102]
SpecialToken special_pair(const JsonNode& node) {
  const std::vector<JsonNode> items = node.items();
  if (items.size() != 2) node.refuse("should be a token and its id");
  return {std::string(items[0].text()), id_at(items[1])};
}

// The tokens that the member `id` of "special_tokens" stands for.
std::vector<SpecialToken> special_tokens(const JsonNode& templates, const JsonNode& id) {
  const auto entry = templates.member("special_tokens").find(std::string(id.text()).c_str());
  if (!entry) id.refuse(in_quotes(id.text()) + " is not among the special_tokens");
  const std::vector<JsonNode> ids = entry->member("ids").items();
  const std::vector<JsonNode> tokens = entry->member("tokens").items();
  if (ids.size() != tokens.size() || ids.empty())
    entry->refuse("should have as many ids as tokens, and at least one");
  std::vector<SpecialToken> special;
  for (std::size_t i = 0; i < ids.size(); ++i)
    special.push_back({std::string(tokens[i].text()), id_at(ids[i])});
  return special;
}

TemplateItem template_item(const JsonNode& templates, const JsonNode& node) {
  TemplateItem item;
  if (const auto token = node.find("SpecialToken")) {
    item.special = special_tokens(templates, token->member("id"));
    item.type_id = id_at(token->member("type_id"));
    return item;
  }
  const JsonNode sequence = node.member("Sequence");
  const JsonNode id = sequence.member("id");
  if (id.text() != "A" && id.text() != "B") id.refuse("should be A or B");
  item.sequence = id.text() == "A" ? 0 : 1;
  item.type_id = id_at(sequence.member("type_id"));
  return item;
}

std::vector<TemplateItem> template_items(const JsonNode& templates, const char* name) {
  std::vector<TemplateItem> parts;
  for (const JsonNode& item : templates.member(name).items())
    parts.push_back(template_item(templates, item));
  return parts;
}

PostProcessor template_processing(const JsonNode& node) {
  return TemplateProcessing{template_items(node, "single"), template_items(node, "pair")};
}

PostProcessor bert_processing(const JsonNode& node) {
  return BertProcessing{special_pair(node.member("sep")), special_pair(node.member("cls"))};
}

PostProcessor roberta_processing(const JsonNode& node) {
  return RobertaProcessing{special_pair(node.member("sep")), special_pair(node.member("cls")),
                           node.flag_or("trim_offsets", true),
                           node.flag_or("add_prefix_space", true)};
}

PostProcessor byte_level_processing(const JsonNode& node) {
  return ByteLevelProcessing{node.flag_or("trim_offsets", true),
                             node.flag_or("add_prefix_space", true)};
}

struct PostProcessorReader {
  std::string_view name;
  PostProcessor (*value)(const JsonNode&);
};

constexpr PostProcessorReader kPostProcessors[] = {
    {"TemplateProcessing", template_processing},
    {"BertProcessing", bert_processing},
    {"RobertaProcessing", roberta_processing},
    {"ByteLevel", byte_level_processing},
};

}  // namespace

std::vector<PostProcessor> read_post_processors(const JsonNode& node) {
  std::vector<PostProcessor> processors;
  for_each_in_sequence(node, "processors", [&](const JsonNode& item) {
    processors.push_back(named_value(kPostProcessors, item.member("type"))(item));
  });
  return processors;
}

}  // namespace lab::tokenizer
