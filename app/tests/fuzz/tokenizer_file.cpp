#include "app/tests/fuzz/input.h"
#include "app/tokenizer/reading/read_tokenizer.h"

// A tokenizer that is accepted cuts text, and puts tokens together again, or says why it cannot.

namespace lab::fuzz {

void try_input(std::string_view input) {
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

}  // namespace lab::fuzz
