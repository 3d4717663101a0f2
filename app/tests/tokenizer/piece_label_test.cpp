#include "app/tokenizer/piece_label.h"

#include <gtest/gtest.h>

#include "app/tests/tokenizer/small_tokenizers.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::tokenizer {
namespace {

using nlohmann::json;

Tokenizer with_decoder(const json& decoder) {
  return read_tokenizer(file_of(bpe_model(), {{"decoder", decoder}})).value();
}

const json kByteLevel = {{"type", "ByteLevel"},
                         {"add_prefix_space", false},
                         {"trim_offsets", false},
                         {"use_regex", true}};

TEST(PieceLabel, ByteLevelPiecesAreTheirBytes) {
  const Tokenizer bytes = with_decoder(kByteLevel);
  EXPECT_EQ(piece_label(bytes, "Ġit"), "·it");
  EXPECT_EQ(piece_label(bytes, "ĠĠ"), "··");
  EXPECT_EQ(piece_label(bytes, "Ã©"), "é");
  EXPECT_EQ(piece_label(bytes, "Ã"), "⟨C3⟩") << "half a character";
  EXPECT_EQ(piece_label(bytes, "Ċ"), "␊");
  EXPECT_EQ(piece_label(bytes, "<|end of text|>"), "<|end·of·text|>") << "an added token";
}

TEST(PieceLabel, ABlankOfMetaspaceIsADot) {
  const Tokenizer words = with_decoder(
      {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}, {"split", true}});
  EXPECT_EQ(piece_label(words, "▁it"), "·it");
  EXPECT_EQ(piece_label(words, "Ġit"), "Ġit") << "a letter of Maltese";
  EXPECT_EQ(piece_label(words, "<0xE2>"), "<0xE2>") << "not a byte here";
}

TEST(PieceLabel, BytesOfAFallbackAreHexadecimal) {
  const Tokenizer bytes = with_decoder({{"type", "ByteFallback"}});
  EXPECT_EQ(piece_label(bytes, "<0xE2>"), "⟨E2⟩");
  EXPECT_EQ(piece_label(bytes, "##s"), "##s");
}

}  // namespace
}  // namespace lab::tokenizer
