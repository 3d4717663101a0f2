#include "app/tokenizer/unicode/properties.h"

#include <cctype>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/tokenizer/unicode/ranges.h"

namespace lab::tokenizer {
namespace {

// General categories, in groups of the same first letter, and scripts.
enum class Category : std::uint8_t {
  kLu,
  kLl,
  kLt,
  kLm,
  kLo,
  kMn,
  kMc,
  kMe,
  kNd,
  kNl,
  kNo,
  kPc,
  kPd,
  kPs,
  kPe,
  kPi,
  kPf,
  kPo,
  kSm,
  kSc,
  kSk,
  kSo,
  kZs,
  kZl,
  kZp,
  kCc,
  kCf,
  kCs,
  kCo,
  kCn,
};
enum class Script : std::uint8_t {
  kHan,
  kHiragana,
  kKatakana,
  kHangul,
  kBopomofo,
  kLatin,
  kGreek,
  kCyrillic,
  kArabic,
  kHebrew,
  kThai,
  kDevanagari,
};

template <typename Class>
struct InClass {
  char32_t first = 0;
  char32_t last = 0;
  Class value{};
};

namespace category_table {
using enum Category;
constexpr InClass<Category> kRanges[] = {
#include "app/tokenizer/unicode/general_category.inc"
};
}  // namespace category_table

namespace script_table {
using enum Script;
constexpr InClass<Script> kRanges[] = {
#include "app/tokenizer/unicode/onig_script.inc"
};
}  // namespace script_table

constexpr CodePointRange kOnigWord[] = {
#include "app/tokenizer/unicode/onig_word.inc"
};
constexpr CodePointRange kOnigDigit[] = {
#include "app/tokenizer/unicode/onig_digit.inc"
};

struct CategoryName {
  const char* short_name;
  const char* long_name;
  Category first;
  Category last;
};

constexpr CategoryName kCategories[] = {
    {"l", "letter", Category::kLu, Category::kLo},
    {"lc", "casedletter", Category::kLu, Category::kLt},
    {"lu", "uppercaseletter", Category::kLu, Category::kLu},
    {"ll", "lowercaseletter", Category::kLl, Category::kLl},
    {"lt", "titlecaseletter", Category::kLt, Category::kLt},
    {"lm", "modifierletter", Category::kLm, Category::kLm},
    {"lo", "otherletter", Category::kLo, Category::kLo},
    {"m", "mark", Category::kMn, Category::kMe},
    {"mn", "nonspacingmark", Category::kMn, Category::kMn},
    {"mc", "spacingmark", Category::kMc, Category::kMc},
    {"me", "enclosingmark", Category::kMe, Category::kMe},
    {"n", "number", Category::kNd, Category::kNo},
    {"nd", "decimalnumber", Category::kNd, Category::kNd},
    {"nl", "letternumber", Category::kNl, Category::kNl},
    {"no", "othernumber", Category::kNo, Category::kNo},
    {"p", "punctuation", Category::kPc, Category::kPo},
    {"pc", "connectorpunctuation", Category::kPc, Category::kPc},
    {"pd", "dashpunctuation", Category::kPd, Category::kPd},
    {"ps", "openpunctuation", Category::kPs, Category::kPs},
    {"pe", "closepunctuation", Category::kPe, Category::kPe},
    {"pi", "initialpunctuation", Category::kPi, Category::kPi},
    {"pf", "finalpunctuation", Category::kPf, Category::kPf},
    {"po", "otherpunctuation", Category::kPo, Category::kPo},
    {"s", "symbol", Category::kSm, Category::kSo},
    {"sm", "mathsymbol", Category::kSm, Category::kSm},
    {"sc", "currencysymbol", Category::kSc, Category::kSc},
    {"sk", "modifiersymbol", Category::kSk, Category::kSk},
    {"so", "othersymbol", Category::kSo, Category::kSo},
    {"z", "separator", Category::kZs, Category::kZp},
    {"zs", "spaceseparator", Category::kZs, Category::kZs},
    {"zl", "lineseparator", Category::kZl, Category::kZl},
    {"zp", "paragraphseparator", Category::kZp, Category::kZp},
    {"c", "other", Category::kCc, Category::kCn},
    {"cc", "control", Category::kCc, Category::kCc},
    {"cf", "format", Category::kCf, Category::kCf},
    {"co", "privateuse", Category::kCo, Category::kCo},
    {"cn", "unassigned", Category::kCn, Category::kCn},
};

constexpr const char* kScripts[] = {"han",      "hiragana", "katakana", "hangul",
                                    "bopomofo", "latin",    "greek",    "cyrillic",
                                    "arabic",   "hebrew",   "thai",     "devanagari"};

using Ranges = std::vector<CodePointRange>;

// Surrogates are no characters; no expression may name them.
void add_range(Ranges& ranges, char32_t first, char32_t last) {
  if (first >= 0xD800 && last <= 0xDFFF) return;
  if (!ranges.empty() && ranges.back().last + 1 == first)
    ranges.back().last = last;
  else
    ranges.push_back({first, last});
}

template <typename Class>
Ranges ranges_of(std::span<const InClass<Class>> table, Class first, Class last) {
  Ranges ranges;
  for (const InClass<Class>& range : table)
    if (range.value >= first && range.value <= last) add_range(ranges, range.first, range.last);
  return ranges;
}

// Those of `ranges` that are not ² ³ ¹ ¼ ½ ¾.
Ranges without_latin1_numbers(const Ranges& ranges) {
  Ranges result;
  for (const CodePointRange& range : ranges) {
    if (range.last < 0xB2 || range.first > 0xBE) {
      result.push_back(range);
      continue;
    }
    for (const char32_t letter : U"\u00B5\u00BA")
      if (letter >= range.first && letter <= range.last) result.push_back({letter, letter});
  }
  return result;
}

std::map<std::string, Ranges> all_properties() {
  std::map<std::string, Ranges> properties;
  for (const CategoryName& name : kCategories) {
    Ranges ranges = ranges_of<Category>(category_table::kRanges, name.first, name.last);
    properties[name.long_name] = ranges;
    properties[name.short_name] = std::move(ranges);
  }
  for (std::size_t i = 0; i < std::size(kScripts); ++i) {
    const auto script = static_cast<Script>(i);
    properties[kScripts[i]] = ranges_of<Script>(script_table::kRanges, script, script);
  }
  properties["word"] = Ranges(std::begin(kOnigWord), std::end(kOnigWord));
  properties["wordinbrackets"] = without_latin1_numbers(properties["word"]);
  properties["digit"] = Ranges(std::begin(kOnigDigit), std::end(kOnigDigit));
  return properties;
}

struct ScriptRange {
  char32_t first = 0;
  char32_t last = 0;
  std::uint8_t number = 0;
};

constexpr ScriptRange kScriptRanges[] = {
#include "app/tokenizer/unicode/unicode_script.inc"
};

}  // namespace

std::span<const CodePointRange> property_ranges(std::string_view name) {
  static const std::map<std::string, Ranges> properties = all_properties();
  std::string plain;
  for (const char c : name)
    if (c != ' ' && c != '-' && c != '_')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto found = properties.find(plain);
  return found == properties.end() ? std::span<const CodePointRange>{} : found->second;
}

int script_number(char32_t character) {
  const auto* entry = entry_of(std::span<const ScriptRange>(kScriptRanges), character);
  return entry != nullptr ? entry->number : 0;
}

}  // namespace lab::tokenizer
