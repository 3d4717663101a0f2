#include "app/base/unicode_text.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/tokenizer/sample_tokenizers.h"
#include "app/tokenizer/reading/read_tokenizer.h"

// Every text that is UTF-8 can be cut, each token says where it comes from, and a byte-level
// tokenizer gives the text back. The first byte chooses the tokenizer.

namespace lab::fuzz {

namespace {

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

}  // namespace

void try_input(std::string_view input) {
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

}  // namespace lab::fuzz
