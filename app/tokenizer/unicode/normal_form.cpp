#include "app/tokenizer/unicode/normal_form.h"

#include <unicode/normalizer2.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "app/tokenizer/unicode/ranges.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

// The tables of ICU, restricted to the characters of Unicode 9.
class Tables {
 public:
  explicit Tables(const icu::Normalizer2* all) : some_(*all, old_characters()) {}

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

const icu::Normalizer2& tables_of(bool compatible) {
  static const Tables canonical(icu_tables(false));
  static const Tables compatibility(icu_tables(true));
  return (compatible ? compatibility : canonical).get();
}

struct Decomposed {
  CharacterChange change;
  int combining_class = 0;
};

// Writes the decomposition of each character; marks after a character are in canonical order.
class Decomposer {
 public:
  explicit Decomposer(const icu::Normalizer2& tables) : tables_(tables) {}

  std::vector<Decomposed> decompose(std::string_view text) {
    for_each_character(text, [&](char32_t character, std::size_t, std::size_t) {
      const auto c = static_cast<UChar32>(character);
      if (c < 0x80 || !tables_.getDecomposition(c, buffer_))
        add(c, 0);
      else
        for (std::int32_t at = 0; at < buffer_.length(); at = buffer_.moveIndex32(at, 1))
          add(buffer_.char32At(at), at == 0 ? 0 : 1);
    });
    sort_marks();
    return std::move(result_);
  }

 private:
  void add(UChar32 c, int change) {
    const int combining_class = c < 0x80 ? 0 : tables_.getCombiningClass(c);
    if (combining_class == 0) sort_marks();
    result_.push_back({{static_cast<char32_t>(c), change}, combining_class});
    if (combining_class == 0) marks_ = result_.size();
  }

  void sort_marks() {
    const auto first = result_.begin() + static_cast<std::ptrdiff_t>(marks_);
    std::stable_sort(first, result_.end(), [](const Decomposed& a, const Decomposed& b) {
      return a.combining_class < b.combining_class;
    });
    marks_ = result_.size();
  }

  const icu::Normalizer2& tables_;
  icu::UnicodeString buffer_;
  std::vector<Decomposed> result_;
  std::size_t marks_ = 0;  // where the marks after the last character begin
};

// Joins characters with the marks after them.
class Composer {
 public:
  explicit Composer(const icu::Normalizer2& tables) : tables_(tables) {}

  std::vector<CharacterChange> compose(const std::vector<Decomposed>& decomposed) {
    for (const Decomposed& next : decomposed) add(next);
    flush();
    return std::move(result_);
  }

 private:
  void add(const Decomposed& next) {
    if (!base_) {
      if (next.combining_class == 0)
        base_ = next.change;
      else
        result_.push_back(next.change);
      return;
    }
    const bool blocked = last_class_ && *last_class_ >= next.combining_class;
    if (!blocked && joined(next.change)) return;
    if (next.combining_class == 0) {
      flush();
      base_ = next.change;
    } else {
      marks_.push_back(next.change);
      last_class_ = next.combining_class;
    }
  }

  bool joined(CharacterChange next) {
    const UChar32 pair = tables_.composePair(static_cast<UChar32>(base_->character),
                                             static_cast<UChar32>(next.character));
    if (pair < 0) return false;
    base_ = {static_cast<char32_t>(pair), base_->change + next.change - 1};
    return true;
  }

  void flush() {
    if (base_) result_.push_back(*base_);
    result_.insert(result_.end(), marks_.begin(), marks_.end());
    base_.reset();
    marks_.clear();
    last_class_.reset();
  }

  const icu::Normalizer2& tables_;
  std::vector<CharacterChange> result_;
  std::optional<CharacterChange> base_;
  std::vector<CharacterChange> marks_;  // after the base, and not joined with it
  std::optional<int> last_class_;       // of the last of them
};

// Every `step`-th character from `first` to `last` becomes the one `delta` after it.
struct LowerCaseRange {
  char32_t first = 0;
  char32_t last = 0;
  std::int32_t delta = 0;
  char32_t step = 1;
};

constexpr LowerCaseRange kLowerCase[] = {
#include "app/tokenizer/unicode/lowercase.inc"
};

struct SpecialLowerCase {
  char32_t first = 0;
  char32_t to[3] = {};
  char32_t last = first;
};

constexpr SpecialLowerCase kSpecialLowerCase[] = {
#include "app/tokenizer/unicode/lowercase_special.inc"
};

}  // namespace

std::vector<CharacterChange> normal_form(std::string_view text, NormalForm form) {
  const bool compatible = form == NormalForm::kNfkc || form == NormalForm::kNfkd;
  const icu::Normalizer2& tables = tables_of(compatible);
  const std::vector<Decomposed> decomposed = Decomposer(tables).decompose(text);
  // Compatibility characters compose canonically.
  if (form == NormalForm::kNfc || form == NormalForm::kNfkc)
    return Composer(tables_of(false)).compose(decomposed);
  std::vector<CharacterChange> result;
  result.reserve(decomposed.size());
  for (const Decomposed& part : decomposed) result.push_back(part.change);
  return result;
}

std::u32string_view lower_case(char32_t c, char32_t& storage) {
  storage = c;
  if (const auto* range = entry_of<LowerCaseRange>(kLowerCase, c)) {
    if ((c - range->first) % range->step == 0)
      storage = static_cast<char32_t>(static_cast<std::int32_t>(c) + range->delta);
  } else if (const auto* special = entry_of<SpecialLowerCase>(kSpecialLowerCase, c)) {
    return special->to;  // up to the first 0
  }
  return {&storage, 1};
}

}  // namespace lab::tokenizer
