#include "app/base/unicode_text.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/tokenizer/sample_tokenizers.h"
#include "app/tokenizer/reading/read_tokenizer.h"

// A tokenizer.json, and a text that built-in ones cut.

namespace lab::fuzz {
namespace {

// A tokenizer that is accepted cuts text, and puts tokens together again, or says why it cannot.
void try_tokenizer_file(std::string_view input) {
  const auto opened = tokenizer::read_tokenizer(input);
  if (!opened) return must(!opened.error().message.empty());
  const std::string text = "ab Ａb.\n[MASK]<s> é日";
  const auto encoding = opened->encode(text);
  if (!encoding) return must(!encoding.error().message.empty());
  std::vector<std::uint32_t> ids = {0, 1, 4'000'000'000};
  for (const tokenizer::Token& token : *encoding) {
    must(token.bytes.first <= token.bytes.last && token.bytes.last <= text.size());
    ids.push_back(token.id);
  }
  const auto decoded = opened->decode(ids, false);
  if (!decoded) must(!decoded.error().message.empty());
}

const std::vector<tokenizer::Tokenizer>& tokenizers() {
  static const std::vector<tokenizer::Tokenizer> all = [] {
    std::vector<tokenizer::Tokenizer> opened;
    for (const std::string& file : tokenizer::sample_tokenizers())
      opened.push_back(tokenizer::read_tokenizer(file).value());
    return opened;
  }();
  return all;
}

constexpr std::size_t kByteLevel = 1;  // its place among the samples

// Every text that is UTF-8 can be cut, each token says where it comes from, and a byte-level
// tokenizer gives the text back. The first byte chooses the tokenizer.
void try_tokenizer_text(std::string_view input) {
  if (input.empty()) return;
  const std::size_t which = static_cast<unsigned char>(input[0]) % tokenizers().size();
  const tokenizer::Tokenizer& chosen = tokenizers()[which];
  const std::string_view text = input.substr(1);
  const auto encoding = chosen.encode(text);
  must(encoding.has_value() == is_utf8(text));
  if (!encoding) return;
  std::vector<std::uint32_t> ids;
  for (const tokenizer::Token& token : *encoding) {
    must(token.bytes.first <= token.bytes.last && token.bytes.last <= text.size());
    must(token.characters.last <= text.size());
    ids.push_back(token.id);
  }
  const auto decoded = chosen.decode(ids, false);
  must(decoded.has_value() && is_utf8(*decoded));
  if (which == kByteLevel) must(*decoded == text);
}

}  // namespace

void try_input(std::string_view input) {
  constexpr Target kTargets[] = {{"tokenizer_file", try_tokenizer_file},
                                 {"tokenizer_text", try_tokenizer_text}};
  try_target(kTargets, input);
}

}  // namespace lab::fuzz
