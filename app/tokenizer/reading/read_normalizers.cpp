#include "app/base/bad_input.h"
#include "app/base/byte_text.h"
#include "app/tokenizer/reading/parts.h"

namespace lab::tokenizer {
namespace {

Normalizer bert_normalizer(const JsonNode& node) {
  BertNormalizer bert;
  bert.clean_text = node.flag_or("clean_text", true);
  bert.handle_chinese_chars = node.flag_or("handle_chinese_chars", true);
  if (const auto strip = node.find("strip_accents")) bert.strip_accents = strip->flag();
  bert.lowercase = node.flag_or("lowercase", true);
  return bert;
}

template <NormalForm form>
Normalizer unicode_normalizer(const JsonNode&) {
  return UnicodeNormalizer{form};
}

template <typename Node>
Normalizer without_options(const JsonNode&) {
  return Node{};
}

Normalizer strip_normalizer(const JsonNode& node) {
  return StripNormalizer{node.member("strip_left").flag(), node.member("strip_right").flag()};
}

Normalizer replace_normalizer(const JsonNode& node) {
  return ReplaceNormalizer{read_pattern(node.member("pattern")),
                           std::string(node.member("content").text())};
}

Normalizer prepend(const JsonNode& node) {
  return Prepend{std::string(node.member("prepend").text())};
}

std::string decoded_base64(const JsonNode& node) {
  const auto bytes = from_base64(node.text());
  if (!bytes) node.refuse("it is no base64");
  return *bytes;
}

Normalizer precompiled(const JsonNode& node) {
  const JsonNode map = node.member("precompiled_charsmap");
  try {
    return Precompiled(decoded_base64(map), node.flag_or("longest", false));
  } catch (const BadInput& error) {
    map.refuse(error.what());
  }
}

struct NormalizerReader {
  std::string_view name;
  Normalizer (*value)(const JsonNode&);
};

constexpr NormalizerReader kNormalizers[] = {
    {"BertNormalizer", bert_normalizer},
    {"NFC", unicode_normalizer<NormalForm::kNfc>},
    {"NFD", unicode_normalizer<NormalForm::kNfd>},
    {"NFKC", unicode_normalizer<NormalForm::kNfkc>},
    {"NFKD", unicode_normalizer<NormalForm::kNfkd>},
    {"Strip", strip_normalizer},
    {"StripAccents", without_options<StripAccents>},
    {"Lowercase", without_options<Lowercase>},
    {"Nmt", without_options<Nmt>},
    {"Replace", replace_normalizer},
    {"Prepend", prepend},
    {"ByteLevel", without_options<ByteLevelNormalizer>},
    {"Precompiled", precompiled},
};

}  // namespace

std::vector<Normalizer> read_normalizers(const JsonNode& node) {
  std::vector<Normalizer> normalizers;
  for_each_in_sequence(node, "normalizers", [&](const JsonNode& item) {
    normalizers.push_back(named_value(kNormalizers, item.member("type"))(item));
  });
  return normalizers;
}

Pattern read_pattern(const JsonNode& node) {
  if (const auto text = node.find("String")) return Pattern::literal(std::string(text->text()));
  const JsonNode regex = node.member("Regex");
  try {
    return Pattern::regex(std::string(regex.text()));
  } catch (const BadInput& error) {
    regex.refuse(error.what());
  }
}

}  // namespace lab::tokenizer
