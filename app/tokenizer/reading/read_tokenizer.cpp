#include "app/tokenizer/reading/read_tokenizer.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/tokenizer/reading/parts.h"

namespace lab::tokenizer {
namespace {

// Each separator can begin a value, which takes 16 bytes or more in memory.
constexpr std::ptrdiff_t kMostSeparators = 16'000'000;

void check_size(std::string_view json) {
  if (json.size() > kLargestTokenizer) {
    throw BadInput("the file has " + std::to_string(json.size()) + " bytes; at most " +
                   std::to_string(kLargestTokenizer) + " are read");
  }
  const auto separators =
      std::ranges::count_if(json, [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (separators > kMostSeparators) throw BadInput("there are too many values in the file");
}

rapidjson::Document parsed(std::string_view json) {
  check_size(json);
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseFullPrecisionFlag;
  rapidjson::Document document;
  document.Parse<kFlags>(json.data(), json.size());
  if (document.HasParseError()) {
    parse_json(json);  // throws with the place
    throw BadInput("it is no JSON");
  }
  return document;
}

Pipeline pipeline_of(const JsonNode& file) {
  if (const auto version = file.find("version"); version && version->text() != "1.0")
    version->refuse(in_quotes(version->text()) + " is not supported; supported is 1.0");
  std::vector<Normalizer> normalizers;
  std::vector<PreTokenizer> pre_tokenizers;
  std::vector<PostProcessor> post_processors;
  std::vector<Decoder> decoders;
  AddedTokens added;
  if (const auto node = file.find("normalizer")) normalizers = read_normalizers(*node);
  if (const auto node = file.find("pre_tokenizer")) pre_tokenizers = read_pre_tokenizers(*node);
  if (const auto node = file.find("post_processor")) post_processors = read_post_processors(*node);
  if (const auto node = file.find("decoder")) decoders = read_decoders(*node);
  Model model = read_model(file.member("model"));
  if (const auto node = file.find("added_tokens"))
    added = read_added_tokens(*node, vocabulary_of(model), normalizers);
  const auto truncation = file.find("truncation");
  const auto padding = file.find("padding");
  return {std::move(added),
          std::move(normalizers),
          std::move(pre_tokenizers),
          std::move(model),
          std::move(post_processors),
          std::move(decoders),
          truncation ? std::optional(read_truncation(*truncation)) : std::nullopt,
          padding ? std::optional(read_padding(*padding)) : std::nullopt};
}

}  // namespace

Expected<Tokenizer> read_tokenizer(std::string_view json) {
  return guarded([&] {
    const rapidjson::Document document = parsed(json);
    return Tokenizer(pipeline_of(JsonNode(document, "")));
  });
}

}  // namespace lab::tokenizer
