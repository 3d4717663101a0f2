#include "app/tokenizer/reading/read_tokenizer.h"

#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
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

// Reads `json` into a document. Numbers are taken as they are spelt and converted here: the
// parser's own conversion is undefined for some, such as 0e122.
class ValueBuilder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, ValueBuilder> {
 public:
  ValueBuilder(std::string_view json, attention::WorkWatch* watch) : json_(json), watch_(watch) {}

  // What Document::Populate() calls.
  bool operator()(rapidjson::Document& document) {
    constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                                rapidjson::kParseValidateEncodingFlag |
                                rapidjson::kParseNumbersAsStringsFlag;
    document_ = &document;
    rapidjson::MemoryStream bytes(json_.data(), json_.size());
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
    rapidjson::Reader reader;
    failed_ = reader.Parse<kFlags>(stream, *this).IsError();
    return !failed_;
  }
  bool failed() const { return failed_; }

  bool Null() { return document_->Null(); }
  bool Bool(bool value) { return document_->Bool(value); }
  bool RawNumber(const char* digits, rapidjson::SizeType length, bool) {
    const std::string_view text(digits, length);
    if (const auto whole = parse_number<std::uint64_t>(text)) return document_->Uint64(*whole);
    if (const auto number = parse_number<double>(text)) return document_->Double(*number);
    const auto beyond_double = parse_number<long double>(text);
    return beyond_double && std::fabs(*beyond_double) < 1 && document_->Double(0);
  }
  bool String(const char* text, rapidjson::SizeType length, bool copy) {
    attention::report_work(watch_, length);
    return document_->String(text, length, copy);
  }
  bool StartObject() { return document_->StartObject(); }
  bool Key(const char* text, rapidjson::SizeType length, bool copy) {
    attention::report_work(watch_, length);
    return document_->Key(text, length, copy);
  }
  bool EndObject(rapidjson::SizeType members) { return document_->EndObject(members); }
  bool StartArray() { return document_->StartArray(); }
  bool EndArray(rapidjson::SizeType items) { return document_->EndArray(items); }

 private:
  std::string_view json_;
  attention::WorkWatch* watch_;
  rapidjson::Document* document_ = nullptr;
  bool failed_ = false;
};

rapidjson::Document parsed(std::string_view json, attention::WorkWatch* watch) {
  check_size(json);
  rapidjson::Document document;
  ValueBuilder builder(json, watch);
  document.Populate(builder);
  if (document.HasParseError() || builder.failed()) {
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
    added = read_added_tokens(*node, model, normalizers);
  if (const auto node = file.find("leading_code"))
    added.set_leading_code(read_leading_code(*node, vocabulary_of(model)));
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

Expected<Tokenizer> read_tokenizer(std::string_view json, attention::WorkWatch* watch) {
  return guarded([&] {
    const rapidjson::Document document = parsed(json, watch);
    return Tokenizer(pipeline_of(JsonNode(document, "")));
  });
}

}  // namespace lab::tokenizer
