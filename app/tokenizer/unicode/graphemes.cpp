#include "app/tokenizer/unicode/graphemes.h"

#include <cstdint>

#include "app/tokenizer/unicode/ranges.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

// The classes of UAX #29, table 2; kOther for characters without one.
enum class Break : std::uint8_t {
  kOther,
  kCR,
  kLF,
  kControl,
  kExtend,
  kZWJ,
  kRegionalIndicator,
  kPrepend,
  kSpacingMark,
  kL,
  kV,
  kT,
  kLV,
  kLVT,
  kExtendedPictographic,
};

// The property Indic_Conjunct_Break.
enum class Conjunct : std::uint8_t { kNone, kConsonant, kLinker, kExtend };

template <typename Class>
struct Classified {
  char32_t first = 0;
  char32_t last = 0;
  Class value{};
};

namespace break_table {
using enum Break;
constexpr Classified<Break> kRanges[] = {
#include "app/tokenizer/unicode/grapheme_break.inc"
};
}  // namespace break_table

namespace conjunct_table {
using enum Conjunct;
constexpr Classified<Conjunct> kRanges[] = {
#include "app/tokenizer/unicode/indic_conjunct.inc"
};
}  // namespace conjunct_table

template <typename Class>
Class class_of(std::span<const Classified<Class>> table, char32_t character) {
  const auto* entry = entry_of(table, character);
  return entry != nullptr ? entry->value : Class{};
}

bool breaks_around(Break value) {
  return value == Break::kControl || value == Break::kCR || value == Break::kLF;
}

// Rules GB6 to GB8.
bool joins_hangul(Break before, Break after) {
  switch (before) {
    case Break::kL:
      return after == Break::kL || after == Break::kV || after == Break::kLV ||
             after == Break::kLVT;
    case Break::kLV:
    case Break::kV:
      return after == Break::kV || after == Break::kT;
    case Break::kLVT:
    case Break::kT:
      return after == Break::kT;
    default:
      return false;
  }
}

// What the rules must know of the characters of a cluster so far.
class Cluster {
 public:
  // True if `character` belongs to the cluster. Takes it in if it does, or if it is the first.
  bool take(char32_t character) {
    const Break value = class_of<Break>(break_table::kRanges, character);
    const Conjunct conjunct = class_of<Conjunct>(conjunct_table::kRanges, character);
    if (!empty_ && !joins(value, conjunct)) return false;
    empty_ = false;
    note(value, conjunct);
    return true;
  }

 private:
  bool joins(Break value, Conjunct conjunct) const {
    if (last_ == Break::kCR && value == Break::kLF) return true;                // GB3
    if (breaks_around(last_) || breaks_around(value)) return false;             // GB4, GB5
    if (joins_hangul(last_, value)) return true;                                // GB6 to GB8
    if (value == Break::kExtend || value == Break::kZWJ) return true;           // GB9
    if (value == Break::kSpacingMark || last_ == Break::kPrepend) return true;  // GB9a, GB9b
    if (linked_ && conjunct == Conjunct::kConsonant) return true;               // GB9c
    if (pictograph_ && last_ == Break::kZWJ && value == Break::kExtendedPictographic)
      return true;                                                 // GB11
    return odd_indicators_ && value == Break::kRegionalIndicator;  // GB12, GB13
  }

  void note(Break value, Conjunct conjunct) {
    if (value == Break::kExtendedPictographic)
      pictograph_ = true;
    else if (value != Break::kExtend && value != Break::kZWJ)
      pictograph_ = false;
    odd_indicators_ = value == Break::kRegionalIndicator && !odd_indicators_;
    if (conjunct == Conjunct::kConsonant || conjunct == Conjunct::kNone) {
      consonant_ = conjunct == Conjunct::kConsonant;
      linked_ = false;
    } else if (conjunct == Conjunct::kLinker) {
      linked_ = consonant_;
    }
    last_ = value;
  }

  bool empty_ = true;
  Break last_ = Break::kOther;
  bool pictograph_ = false;      // an emoji, and marks after it
  bool odd_indicators_ = false;  // the first of a pair of letters of a flag
  bool consonant_ = false;       // a consonant, and marks after it
  bool linked_ = false;          // with a linker among them
};

}  // namespace

std::size_t first_grapheme(std::string_view text) {
  // Two ASCII characters are one cluster only if they end a line.
  if (text.size() == 1) return 1;
  if (text.size() > 1 && is_ascii(text.substr(0, 2)) && text[0] != '\r') return 1;
  Cluster cluster;
  std::size_t at = 0;
  while (at < text.size() && cluster.take(character_at(text, at))) at += character_size(text[at]);
  return at;
}

}  // namespace lab::tokenizer
