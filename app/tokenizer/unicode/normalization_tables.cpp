#include "app/tokenizer/unicode/normalization_tables.h"

#include <unicode/normalizer2.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <stdexcept>

namespace lab::tokenizer {
namespace {

// The tables of ICU, restricted to the characters of Unicode 9.
class OldTables {
 public:
  explicit OldTables(const icu::Normalizer2* all) : some_(*all, old_characters()) {}

  const icu::Normalizer2& get() const { return some_; }

 private:
  static const icu::UnicodeSet& old_characters() {
    static const icu::UnicodeSet set = [] {
      UErrorCode status = U_ZERO_ERROR;
      icu::UnicodeSet old(icu::UnicodeString("[:age=9.0:]"), status);
      if (U_FAILURE(status)) throw std::runtime_error("ICU cannot tell the age of characters");
      old.freeze();
      return old;
    }();
    return set;
  }

  icu::FilteredNormalizer2 some_;
};

const icu::Normalizer2* icu_tables(bool compatible) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* tables = compatible ? icu::Normalizer2::getNFKCInstance(status)
                                              : icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU has no tables of normalization");
  return tables;
}

const icu::Normalizer2& old_tables(bool compatible) {
  static const OldTables canonical(icu_tables(false));
  static const OldTables compatibility(icu_tables(true));
  return (compatible ? compatibility : canonical).get();
}

}  // namespace

std::u32string decomposition(char32_t character, bool compatible) {
  icu::UnicodeString parts;
  if (!old_tables(compatible).getDecomposition(static_cast<UChar32>(character), parts)) return {};
  std::u32string result;
  for (std::int32_t at = 0; at < parts.length(); at = parts.moveIndex32(at, 1))
    result += static_cast<char32_t>(parts.char32At(at));
  return result;
}

int combining_class(char32_t character) {
  return old_tables(false).getCombiningClass(static_cast<UChar32>(character));
}

std::optional<char32_t> composition(char32_t first, char32_t second) {
  const UChar32 pair =
      old_tables(false).composePair(static_cast<UChar32>(first), static_cast<UChar32>(second));
  if (pair < 0) return std::nullopt;
  return static_cast<char32_t>(pair);
}

}  // namespace lab::tokenizer
