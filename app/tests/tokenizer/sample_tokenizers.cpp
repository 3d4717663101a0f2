#include "app/tests/tokenizer/sample_tokenizers.h"

#include <nlohmann/json.hpp>

#include "app/base/visible_text.h"
#include "app/tokenizer/text/byte_characters.h"

namespace lab::tokenizer {
namespace {

using nlohmann::json;

json added_token(const char* content) {
  return {{"id", 0},         {"content", content},  {"single_word", false}, {"lstrip", true},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

json bert() {
  return {
      {"normalizer",
       {{"type", "BertNormalizer"},
        {"clean_text", true},
        {"handle_chinese_chars", true},
        {"lowercase", true}}},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"post_processor",
       {{"type", "BertProcessing"},
        {"sep", json::array({"[SEP]", 1})},
        {"cls", json::array({"[CLS]", 2})}}},
      {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
      {"added_tokens", json::array({added_token("[MASK]")})},
      {"model",
       {{"type", "WordPiece"},
        {"unk_token", "[UNK]"},
        {"continuing_subword_prefix", "##"},
        {"max_input_chars_per_word", 100},
        {"vocab",
         {{"[UNK]", 0}, {"[SEP]", 1}, {"[CLS]", 2}, {"a", 3}, {"##b", 4}, {"##a", 5}, {".", 6}}}}}};
}

json gpt2() {
  json vocabulary = json::object();
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char32_t character = character_of_byte(static_cast<unsigned char>(byte));
    vocabulary[utf8({&character, 1})] = byte;
  }
  vocabulary["ab"] = 256;
  vocabulary["Ġab"] = 257;
  return {{"pre_tokenizer",
           {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}}},
          {"decoder", {{"type", "ByteLevel"}}},
          {"model",
           {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", json::array({"a b", "Ġ ab"})}}}};
}

json llama2() {
  json vocabulary = {{"<unk>", 0}, {"▁", 1},      {"a", 2},     {"b", 3},
                     {"▁a", 4},    {"<0xC3>", 5}, {"<0xA9>", 6}};
  return {{"normalizer",
           {{"type", "Sequence"},
            {"normalizers",
             {{{"type", "Prepend"}, {"prepend", "▁"}},
              {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}}}}},
          {"decoder",
           {{"type", "Sequence"},
            {"decoders",
             {{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
              {{"type", "ByteFallback"}},
              {{"type", "Fuse"}},
              {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
          {"added_tokens", json::array({added_token("<s>")})},
          {"model",
           {{"type", "BPE"},
            {"unk_token", "<unk>"},
            {"fuse_unk", true},
            {"byte_fallback", true},
            {"vocab", vocabulary},
            {"merges", json::array({"▁ a"})}}}};
}

json t5() {
  const json vocabulary =
      json::array({json::array({"<unk>", 0.0}), json::array({"▁", -2.5}), json::array({"a", -3.0}),
                   json::array({"▁ab", -4.0}), json::array({"b", -3.5})});
  return {{"normalizer", {{"type", "NFKC"}}},
          {"pre_tokenizer",
           {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}}},
          {"decoder", {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}}},
          {"model", {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", vocabulary}}}};
}

}  // namespace

std::vector<std::string> sample_tokenizers() {
  std::vector<std::string> files;
  for (json file : {bert(), gpt2(), llama2(), t5()}) {
    file["version"] = "1.0";
    files.push_back(file.dump());
  }
  return files;
}

}  // namespace lab::tokenizer
