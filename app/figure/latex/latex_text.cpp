#include <glib.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "app/base/text_direction.h"
#include "app/base/visible_text.h"
#include "app/figure/latex/latex_parts.h"

namespace lab::figure {
namespace {

using TextEscape = std::pair<char32_t, std::string_view>;

constexpr std::array kEscapes{
    TextEscape{'\\', R"(\textbackslash{})"},
    TextEscape{'{', R"(\{)"},
    TextEscape{'}', R"(\})"},
    TextEscape{'$', R"(\$)"},
    TextEscape{'&', R"(\&)"},
    TextEscape{'#', R"(\#)"},
    TextEscape{'%', R"(\%)"},
    TextEscape{'_', R"(\_)"},
    TextEscape{'^', R"(\textasciicircum{})"},
    TextEscape{'~', R"(\textasciitilde{})"},
    TextEscape{'<', R"(\textless{})"},
    TextEscape{'>', R"(\textgreater{})"},
    TextEscape{'|', R"(\textbar{})"},
    TextEscape{'"', R"(\textquotedbl{})"},
    TextEscape{'\'', R"(\textquotesingle{})"},
    TextEscape{'`', R"(\textasciigrave{})"},
};

/// The replacement of a character with a special meaning; U+FFFD ends a run in LuaTeX.
std::string_view escape_of(char32_t c) {
  if (c == 0xFFFD) return R"(\lettercode{FF}{FD})";
  const auto found = std::ranges::find(kEscapes, c, &TextEscape::first);
  return found == kEscapes.end() ? std::string_view() : found->second;
}

/// Two of these would form a ligature.
bool joins_its_like(char32_t c) { return c == '-' || c == ','; }

/// A script with its own shaping rules, and a font that covers it.
struct Script {
  GUnicodeScript script;
  std::string_view name, font;
};

constexpr std::array kScripts{
    Script{G_UNICODE_SCRIPT_ARABIC, "Arabic", "Noto Sans Arabic"},
    Script{G_UNICODE_SCRIPT_HEBREW, "Hebrew", "Noto Sans Hebrew"},
    Script{G_UNICODE_SCRIPT_DEVANAGARI, "Devanagari", "Noto Sans Devanagari"},
    Script{G_UNICODE_SCRIPT_BENGALI, "Bengali", "Noto Sans Bengali"},
    Script{G_UNICODE_SCRIPT_TAMIL, "Tamil", "Noto Sans Tamil"},
    Script{G_UNICODE_SCRIPT_TELUGU, "Telugu", "Noto Sans Telugu"},
    Script{G_UNICODE_SCRIPT_THAI, "Thai", "Noto Sans Thai"},
    Script{G_UNICODE_SCRIPT_KHMER, "Khmer", "Noto Sans Khmer"},
    Script{G_UNICODE_SCRIPT_HAN, "CJK", "Noto Sans CJK SC"},
    Script{G_UNICODE_SCRIPT_HIRAGANA, "Kana", "Noto Sans CJK JP"},
    Script{G_UNICODE_SCRIPT_KATAKANA, "Kana", "Noto Sans CJK JP"},
    Script{G_UNICODE_SCRIPT_HANGUL, "Hangul", "Noto Sans CJK KR"},
};

/// The script of the first character of `text` that belongs to one of them, or null.
const Script* script_of(std::u32string_view text) {
  for (const char32_t c : text) {
    const auto found = std::ranges::find(kScripts, g_unichar_get_script(c), &Script::script);
    if (found != kScripts.end()) return &*found;
  }
  return nullptr;
}

std::string in_font_of_script(const std::string& latex, const Script& script) {
  return "\\inscript{" + std::string(script.name) + "}{" + latex + "}";
}

/// `text`, which runs in one direction, with each segment in the font of its script, and ASCII
/// symbols, which such a font may lack, in the font of the figure.
std::string in_its_scripts(std::string_view text) {
  const std::u32string all = visible_characters(text);
  std::string latex;
  for (std::u32string_view rest = all; !rest.empty();) {
    const bool ascii = rest.front() < 0x80;
    const auto end = std::ranges::find_if(rest, [&](char32_t c) { return (c < 0x80) != ascii; });
    const std::u32string_view segment =
        rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    const Script* script = script_of(segment);
    const std::string written = latex_text(utf8(segment));
    latex += script == nullptr ? written : in_font_of_script(written, *script);
    rest.remove_prefix(segment.size());
  }
  return latex;
}

/// Reverses the segments that run against `right_to_left`.
std::string directed(std::string_view text, bool right_to_left) {
  std::string latex;
  for (const DirectionRun& run : direction_runs(text)) {
    const std::string segment = in_its_scripts(run.text);
    if (run.right_to_left == right_to_left)
      latex += segment;
    else
      latex += (run.right_to_left ? "\\righttoleft{" : "\\lefttoright{") + segment + "}";
  }
  return latex;
}

std::string styled(const TextRun& run, bool right_to_left) {
  std::string text = directed(run.text, right_to_left);
  if (run.italic) text = "\\textit{" + text + "}";
  if (run.bold) text = "\\textbf{" + text + "}";
  if (run.rise > 0) text = "\\textsuperscript{" + text + "}";
  if (run.rise < 0) text = "\\textsubscript{" + text + "}";
  return text;
}

/// Invisible characters that only affect how the letters around them are drawn.
bool is_ignorable(char32_t c) {
  return g_unichar_type(c) == G_UNICODE_FORMAT || (c >= 0xFE00 && c <= 0xFE0F);
}

/// "0E01", or six digits when four are not enough.
std::string code_of(char32_t c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string code;
  for (int shift = c > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) code += kDigits[c >> shift & 15];
  return code;
}

std::string fallback(char32_t c) {
  if (is_ignorable(c)) return {};
  const std::string code = code_of(c);
  const std::size_t half = code.size() / 2;
  return "\\lettercode{" + code.substr(0, half) + "}{" + code.substr(half) + "}";
}

}  // namespace

std::string latex_text(std::string_view text) {
  const std::u32string characters = visible_characters(text);
  std::string latex;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    const bool first = i == 0, last = i + 1 == characters.size();
    const char32_t previous = first ? U' ' : characters[i - 1];
    if (c == previous && joins_its_like(c)) latex += "\\kern0pt ";
    if (c == ' ' && (last || previous == ' '))
      latex += "\\ ";
    else if (const std::string_view escape = escape_of(c); !escape.empty())
      latex += escape;
    else
      append_utf8(latex, c);
  }
  return latex;
}

std::string latex_content(const shape::Text& text) {
  const std::vector<TextRun> runs = text_runs(text);
  if (text.face == shape::Face::kSerifItalic) return latex_formula(runs);
  std::string plain, latex;
  for (const TextRun& run : runs) plain += run.text;
  const bool right_to_left = runs_right_to_left(plain);
  for (const TextRun& run : runs) latex += styled(run, right_to_left);
  return right_to_left ? "\\righttoleft{" + latex + "}" : latex;
}

std::string latex_script_fonts(std::string_view latex) {
  std::string lines;
  std::string_view before;
  for (const auto& [script, name, font] : kScripts) {
    const std::string use = "\\inscript{" + std::string(name) + "}";
    if (name != before && latex.find(use) != std::string_view::npos)
      lines += "\\fontfor{" + std::string(name) + "}{" + std::string(font) + "}\n";
    before = name;
  }
  return lines;
}

std::string latex_letters(std::string_view latex) {
  std::set<char32_t> letters;
  for (const char32_t c : valid_characters(latex))
    if (c > 0x7F) letters.insert(c);
  std::string lines;
  for (const char32_t c : letters) {
    const std::string_view sign = math_command(c);
    lines += (sign.empty() ? "\\letter{" : "\\sign{") + code_of(c) + "}{" + utf8({&c, 1}) + "}{" +
             (sign.empty() ? fallback(c) : "\\ensuremath{" + std::string(sign) + "}") + "}\n";
  }
  return lines;
}

}  // namespace lab::figure
