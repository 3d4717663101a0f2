// The functions of ICU that a page needs, under ICU's names, without its 30 MB of data: the browser
// has the same data.
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "app/web/unicode/characters.h"

using lab::web::page_properties;

namespace {

bool has(UChar32 c, lab::web::Property property) { return (page_properties(c) & property) != 0; }

std::uint32_t category_bit(UChar32 c) { return U_MASK(page_properties(c) & lab::web::kCategory); }

}  // namespace

struct UBreakIterator {
  bool words = false;
  std::vector<std::int32_t> ends;
  std::size_t next = 0;
};

extern "C" {

int8_t u_charType(UChar32 c) {
  return static_cast<int8_t>(page_properties(c) & lab::web::kCategory);
}
UBool u_isUWhiteSpace(UChar32 c) { return has(c, lab::web::kWhiteSpace); }
UBool u_isalpha(UChar32 c) { return (category_bit(c) & U_GC_L_MASK) != 0; }
UBool u_isdigit(UChar32 c) { return (category_bit(c) & U_GC_ND_MASK) != 0; }
UBool u_isalnum(UChar32 c) { return (category_bit(c) & (U_GC_L_MASK | U_GC_ND_MASK)) != 0; }
UChar32 u_tolower(UChar32 c) { return lab::web::page_lower(c); }
UBool u_hasBinaryProperty(UChar32 c, UProperty which) {
  if (which == UCHAR_DEFAULT_IGNORABLE_CODE_POINT) return has(c, lab::web::kDefaultIgnorable);
  return which == UCHAR_CASED && has(c, lab::web::kCased);
}

// Chat templates ask for UCHAR_NUMERIC_TYPE: a digit in another shape ("²") is compatible with one.
int32_t u_getIntPropertyValue(UChar32 c, UProperty /*which*/) {
  const std::uint32_t category = category_bit(c);
  if ((category & U_GC_ND_MASK) != 0) return U_NT_DECIMAL;
  if ((category & (U_GC_NL_MASK | U_GC_NO_MASK)) == 0) return U_NT_NONE;
  std::array<std::int32_t, 18> parts{};
  const bool one = lab::web::page_decompose(c, true, parts.data()) == 1;
  return one && parts[0] >= '0' && parts[0] <= '9' ? U_NT_DIGIT : U_NT_NUMERIC;
}

// Of a text, only its UTF-8 is needed.
UText* utext_openUTF8(UText* /*text*/, const char* bytes, int64_t size, UErrorCode* /*status*/) {
  auto* const opened = new UText(UTEXT_INITIALIZER);
  opened->context = bytes;
  opened->a = size;
  return opened;
}
UText* utext_close(UText* text) {
  delete text;
  return nullptr;
}

UBreakIterator* ubrk_open(UBreakIteratorType type, const char* /*locale*/, const UChar* /*text*/,
                          int32_t /*size*/, UErrorCode* /*status*/) {
  return new UBreakIterator{.words = type == UBRK_WORD};
}
void ubrk_close(UBreakIterator* breaks) { delete breaks; }
void ubrk_setUText(UBreakIterator* breaks, UText* text, UErrorCode* /*status*/) {
  const auto size = static_cast<std::int32_t>(text->a);
  breaks->ends.resize(static_cast<std::size_t>(size));
  const std::int32_t count = lab::web::page_segments(
      breaks->words, static_cast<const char*>(text->context), size, breaks->ends.data());
  breaks->ends.resize(static_cast<std::size_t>(count));
  breaks->next = 0;
}
int32_t ubrk_first(UBreakIterator* breaks) {
  breaks->next = 0;
  return 0;
}
int32_t ubrk_next(UBreakIterator* breaks) {
  return breaks->next < breaks->ends.size() ? breaks->ends[breaks->next++] : UBRK_DONE;
}

}  // extern "C"
