#include "app/figure/text/text_runs.h"

#include <glib.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace lab::figure {
namespace {

// Multiples of the size of the surrounding text, as the fonts of formulas prescribe.
constexpr double kScriptSize = 0.65, kSuperscriptRise = 0.45, kSubscriptRise = -0.14;
constexpr double kStep = 1.2;  // between a size and the next larger one

struct ContextDeleter {
  void operator()(GMarkupParseContext* context) const { g_markup_parse_context_free(context); }
};

/// The open elements while markup is parsed, outermost first, and the result so far.
struct Reading {
  std::vector<TextRun> open{{}};
  std::vector<TextRun> runs;
};

TextRun inside(TextRun run, std::string_view element) {
  if (element == "sup") run.rise += kSuperscriptRise * run.size, run.size *= kScriptSize;
  if (element == "sub") run.rise += kSubscriptRise * run.size, run.size *= kScriptSize;
  if (element == "small") run.size /= kStep;
  if (element == "big") run.size *= kStep;
  if (element == "i") run.italic = true;
  if (element == "b") run.bold = true;
  return run;
}

void begin(GMarkupParseContext*, const char* element, const char**, const char**, void* reading,
           GError**) {
  auto& open = static_cast<Reading*>(reading)->open;
  open.push_back(inside(open.back(), element));
}

void end(GMarkupParseContext*, const char*, void* reading, GError**) {
  static_cast<Reading*>(reading)->open.pop_back();
}

void add_text(GMarkupParseContext*, const char* text, gsize length, void* to, GError**) {
  auto& reading = *static_cast<Reading*>(to);
  if (length == 0) return;
  reading.runs.push_back(reading.open.back());
  reading.runs.back().text.assign(text, length);
}

bool read(Reading& reading, const std::string& markup) {
  const GMarkupParser parser{begin, end, add_text, nullptr, nullptr};
  const std::unique_ptr<GMarkupParseContext, ContextDeleter> context(
      g_markup_parse_context_new(&parser, GMarkupParseFlags{}, &reading, nullptr));
  const std::string document = "<markup>" + markup + "</markup>";
  return g_markup_parse_context_parse(context.get(), document.data(),
                                      static_cast<gssize>(document.size()), nullptr) &&
         g_markup_parse_context_end_parse(context.get(), nullptr);
}

constexpr char32_t kJoiner = 0x200D, kKeycap = 0x20E3, kInColour = 0xFE0F;

struct CharacterRange {
  char32_t first = 0, last = 0;
};

// The Unicode property Emoji_Presentation; from U+1F300 on, whole blocks, because the few
// characters in them that are not in colour by default are rare.
constexpr CharacterRange kEmoji[] = {
    {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},   {0x23F3, 0x23F3},
    {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},
    {0x26C4, 0x26C5},   {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},
    {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},   {0x26FD, 0x26FD},
    {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},
    {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},
    {0x2B55, 0x2B55},   {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F1E6, 0x1F201}, {0x1F21A, 0x1F21A}, {0x1F22F, 0x1F22F},
    {0x1F232, 0x1F23A}, {0x1F250, 0x1F251}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F7E0, 0x1F7EB}, {0x1F7F0, 0x1F7F0}, {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF}};

bool is_emoji(char32_t c) {
  return std::ranges::any_of(
      kEmoji, [c](CharacterRange range) { return range.first <= c && c <= range.last; });
}

/// True for characters that belong to the emoji before them, such as the tags of flags.
bool extends(char32_t c) {
  return c == kJoiner || c == kKeycap || c == kInColour || (c >= 0xE0020 && c <= 0xE007F);
}

bool begins_emoji(const std::u32string& text, std::size_t i) {
  return is_emoji(text[i]) || (i + 1 < text.size() && text[i + 1] == kInColour);
}

}  // namespace

std::vector<TextRun> text_runs(const shape::Text& text) {
  TextRun whole;
  whole.text = text.text;
  if (!text.markup) return {whole};
  Reading reading;
  return read(reading, text.text) ? reading.runs : std::vector<TextRun>{whole};
}

std::vector<EmojiRun> emoji_runs(const std::u32string& text) {
  std::vector<EmojiRun> runs;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool goes_on = !runs.empty() && runs.back().emoji &&
                         (extends(text[i]) || runs.back().text.back() == kJoiner);
    const bool emoji = goes_on || begins_emoji(text, i);
    if (runs.empty() || runs.back().emoji != emoji) runs.push_back({{}, emoji});
    runs.back().text += text[i];
  }
  return runs;
}

}  // namespace lab::figure
