#include "app/figure/text/text_runs.h"

#include <glib.h>

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

}  // namespace

std::vector<TextRun> text_runs(const shape::Text& text) {
  TextRun whole;
  whole.text = text.text;
  if (!text.markup) return {whole};
  Reading reading;
  return read(reading, text.text) ? reading.runs : std::vector<TextRun>{whole};
}

}  // namespace lab::figure
