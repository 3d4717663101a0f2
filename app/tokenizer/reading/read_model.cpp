#include "app/base/bad_input.h"
#include "app/tokenizer/reading/parts.h"

namespace lab::tokenizer {
namespace {

// The pieces of {"the": 5, …}.
Vocabulary vocabulary_by_text(const JsonNode& node) {
  if (!node.value().IsObject()) node.refuse("should be an object: pieces and their ids");
  Vocabulary vocabulary;
  vocabulary.reserve(node.value().MemberCount());
  for (const auto& member : node.value().GetObject()) {
    const std::string_view text = view_of(member.name);
    if (!member.value.IsUint() || member.value.GetUint() >= kIdLimit) {
      node.refuse("the id of " + in_quotes(text) + " should be a whole number below " +
                  std::to_string(kIdLimit));
    }
    if (!vocabulary.add(text, member.value.GetUint()))
      node.refuse("the piece " + in_quotes(text) + " is there twice");
  }
  return vocabulary;
}

Model word_piece(const JsonNode& node) {
  WordPiece model;
  model.vocabulary = vocabulary_by_text(node.member("vocab"));
  model.unk_token = node.member("unk_token").text();
  model.continuing_subword_prefix = node.member("continuing_subword_prefix").text();
  model.max_input_chars_per_word = node.member("max_input_chars_per_word").count(kLongestText);
  return model;
}

Model word_level(const JsonNode& node) {
  WordLevel model;
  model.vocabulary = vocabulary_by_text(node.member("vocab"));
  model.unk_token = node.member("unk_token").text();
  return model;
}

// The two texts of a merge: ["a", "b"], or "a b" in older files.
std::pair<std::string_view, std::string_view> halves(const rapidjson::Value& merge) {
  if (merge.IsArray() && merge.Size() == 2 && merge[0].IsString() && merge[1].IsString())
    return {view_of(merge[0]), view_of(merge[1])};
  const std::string_view text = merge.IsString() ? view_of(merge) : std::string_view{};
  const std::size_t blank = text.find(' ');
  if (blank == text.npos || text.find(' ', blank + 1) != text.npos)
    throw BadInput("should be two pieces");
  return {text.substr(0, blank), text.substr(blank + 1)};
}

void add_merges(const JsonNode& node, Bpe& model) {
  if (!node.value().IsArray()) node.refuse("should be a list of merges");
  model.reserve_merges(node.value().Size());
  std::size_t index = 0;
  for (const rapidjson::Value& merge : node.value().GetArray()) {
    try {
      const bool comment = merge.IsString() && view_of(merge).starts_with("#version");
      if (!comment) std::apply([&](auto... half) { model.add_merge(half...); }, halves(merge));
    } catch (const BadInput& error) {
      JsonNode(merge, node.path() + "[" + std::to_string(index) + "]").refuse(error.what());
    }
    ++index;
  }
}

Bpe bpe_model(const JsonNode& node) {
  if (const auto dropout = node.find("dropout");
      dropout && !(dropout->value().IsNumber() && dropout->value().GetDouble() == 0))
    dropout->refuse("only 0 is supported: with dropout, each run gives other tokens");
  BpeOptions options;
  options.unk_token = node.text_or("unk_token", "");
  options.continuing_subword_prefix = node.text_or("continuing_subword_prefix", "");
  options.end_of_word_suffix = node.text_or("end_of_word_suffix", "");
  options.fuse_unk = node.flag_or("fuse_unk", false);
  options.byte_fallback = node.flag_or("byte_fallback", false);
  options.ignore_merges = node.flag_or("ignore_merges", false);
  Bpe model(vocabulary_by_text(node.member("vocab")), std::move(options));
  add_merges(node.member("merges"), model);
  return model;
}

Model bpe(const JsonNode& node) { return bpe_model(node); }

// The pieces of [["the", −3.2], …] and their scores.
Unigram unigram_model(const JsonNode& node) {
  const JsonNode list = node.member("vocab");
  if (!list.value().IsArray() || list.value().Size() >= kIdLimit)
    list.refuse("should be a list of fewer than " + std::to_string(kIdLimit) +
                " pieces with their scores");
  Vocabulary vocabulary;
  vocabulary.reserve(list.value().Size());
  std::vector<double> scores;
  for (const rapidjson::Value& item : list.value().GetArray()) {
    if (!item.IsArray() || item.Size() != 2 || !item[0].IsString() || !item[1].IsNumber())
      list.refuse("item " + std::to_string(scores.size()) + " should be a piece and its score");
    vocabulary.add(view_of(item[0]), static_cast<std::uint32_t>(scores.size()));
    scores.push_back(item[1].GetDouble());
  }
  std::optional<std::uint32_t> unk_id;
  if (const auto unk = node.find("unk_id"))
    unk_id = static_cast<std::uint32_t>(unk->count(kIdLimit));
  try {
    return Unigram(std::move(vocabulary), std::move(scores), unk_id,
                   node.flag_or("byte_fallback", false), node.flag_or("single_precision", false));
  } catch (const BadInput& error) {
    node.refuse(error.what());
  }
}

Model unigram(const JsonNode& node) { return unigram_model(node); }

Model renumbered(const JsonNode& node) {
  const JsonNode inner = node.member("model");
  if (inner.flag_or("byte_fallback", false)) inner.refuse("it should have no pieces for bytes");
  Vocabulary vocabulary = vocabulary_by_text(node.member("vocab"));
  const JsonNode unknown = node.member("unk_token");
  const auto unk_id = vocabulary.id_of(unknown.text());
  if (!unk_id) unknown.refuse("it is no piece of the vocabulary");
  Renumbered::Inner pieces = inner.member("type").text() == "Unigram"
                                 ? Renumbered::Inner(unigram_model(inner))
                                 : Renumbered::Inner(bpe_model(inner));
  return Model(std::in_place_type<Renumbered>, std::move(pieces), std::move(vocabulary), *unk_id);
}

struct ModelReader {
  std::string_view name;
  Model (*value)(const JsonNode&);
};

constexpr ModelReader kModels[] = {{"BPE", bpe},
                                   {"WordPiece", word_piece},
                                   {"WordLevel", word_level},
                                   {"Unigram", unigram},
                                   {"Renumbered", renumbered}};

// Older files do not name the model.
Model read_unnamed_model(const JsonNode& node) {
  if (node.find("merges")) return bpe(node);
  if (node.member("vocab").value().IsArray()) return unigram(node);
  return node.find("continuing_subword_prefix") ? word_piece(node) : word_level(node);
}

}  // namespace

Model read_model(const JsonNode& node) {
  const auto type = node.find("type");
  return type ? named_value(kModels, *type)(node) : read_unnamed_model(node);
}

}  // namespace lab::tokenizer
