#include "app/tokenizer/unicode/properties.h"

namespace lab::tokenizer {
namespace {

constexpr CodePointRange kRemovedByBert[] = {
#include "app/tokenizer/unicode/removed_by_bert.inc"
};
constexpr CodePointRange kBertWhitespace[] = {
#include "app/tokenizer/unicode/bert_whitespace.inc"
};
constexpr CodePointRange kChinese[] = {
#include "app/tokenizer/unicode/chinese.inc"
};
constexpr CodePointRange kPunctuation[] = {
#include "app/tokenizer/unicode/bert_punctuation.inc"
};
constexpr CodePointRange kNonspacingMark[] = {
#include "app/tokenizer/unicode/nonspacing_mark.inc"
};
constexpr CodePointRange kCombiningMark[] = {
#include "app/tokenizer/unicode/combining_mark.inc"
};
constexpr CodePointRange kNumeric[] = {
#include "app/tokenizer/unicode/numeric.inc"
};
constexpr CodePointRange kWhiteSpace[] = {
#include "app/tokenizer/unicode/white_space.inc"
};
constexpr CodePointRange kWord[] = {
#include "app/tokenizer/unicode/regex_word.inc"
};

bool in(std::span<const CodePointRange> set, char32_t c) { return entry_of(set, c) != nullptr; }

}  // namespace

bool is_removed_by_bert(char32_t c) { return in(kRemovedByBert, c); }
bool is_bert_whitespace(char32_t c) { return in(kBertWhitespace, c); }
bool is_chinese(char32_t c) { return c >= kChinese[0].first && in(kChinese, c); }
bool is_punctuation(char32_t c) { return in(kPunctuation, c); }
bool is_nonspacing_mark(char32_t c) {
  return c >= kNonspacingMark[0].first && in(kNonspacingMark, c);
}
bool is_combining_mark(char32_t c) { return c >= kCombiningMark[0].first && in(kCombiningMark, c); }
bool is_numeric(char32_t c) { return in(kNumeric, c); }
bool is_white_space(char32_t c) { return in(kWhiteSpace, c); }
bool is_word_character(char32_t c) { return in(kWord, c); }

}  // namespace lab::tokenizer
