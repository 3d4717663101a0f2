#include "app/tokenizer/unicode/normal_form.h"

#include <algorithm>
#include <optional>
#include <string>

#include "app/tokenizer/unicode/normalization_tables.h"
#include "app/tokenizer/unicode/ranges.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

struct Decomposed {
  CharacterChange change;
  int combining_class = 0;
};

// Writes the decomposition of each character; marks after a character are in canonical order.
class Decomposer {
 public:
  explicit Decomposer(bool compatible) : compatible_(compatible) {}

  std::vector<Decomposed> decompose(std::string_view text) {
    for_each_character(text, [&](char32_t character, std::size_t, std::size_t) {
      const std::u32string parts =
          character < 0x80 ? std::u32string() : decomposition(character, compatible_);
      if (parts.empty()) add(character, 0);
      for (std::size_t i = 0; i < parts.size(); ++i) add(parts[i], i == 0 ? 0 : 1);
    });
    sort_marks();
    return std::move(result_);
  }

 private:
  void add(char32_t c, int change) {
    const int order = c < 0x80 ? 0 : combining_class(c);
    if (order == 0) sort_marks();
    result_.push_back({{c, change}, order});
    if (order == 0) marks_ = result_.size();
  }

  void sort_marks() {
    const auto first = result_.begin() + static_cast<std::ptrdiff_t>(marks_);
    std::stable_sort(first, result_.end(), [](const Decomposed& a, const Decomposed& b) {
      return a.combining_class < b.combining_class;
    });
    marks_ = result_.size();
  }

  bool compatible_;
  std::vector<Decomposed> result_;
  std::size_t marks_ = 0;  // where the marks after the last character begin
};

// Joins characters with the marks after them.
class Composer {
 public:
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
    const auto pair = composition(base_->character, next.character);
    if (!pair) return false;
    base_ = {*pair, base_->change + next.change - 1};
    return true;
  }

  void flush() {
    if (base_) result_.push_back(*base_);
    result_.insert(result_.end(), marks_.begin(), marks_.end());
    base_.reset();
    marks_.clear();
    last_class_.reset();
  }

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
  const std::vector<Decomposed> decomposed = Decomposer(compatible).decompose(text);
  // Compatibility characters compose canonically.
  if (form == NormalForm::kNfc || form == NormalForm::kNfkc) return Composer().compose(decomposed);
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
