#include "app/view/toolkit/fonts.h"

#include <fontconfig/fontconfig.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/figure/text/text_image.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::view {
namespace {

struct FontFace {
  const char* family;
  int weight;  // of fontconfig
  float line = kSansLine;
};

constexpr FontFace kSans{"Inter", FC_WEIGHT_REGULAR, kSansLine};
constexpr FontFace kSansBold{"Inter", FC_WEIGHT_DEMIBOLD, kSansLine};
constexpr FontFace kMono{"JetBrains Mono", FC_WEIGHT_REGULAR, kMonoLine};
constexpr FontFace kMonoBold{"JetBrains Mono", FC_WEIGHT_BOLD, kMonoLine};
constexpr FontFace kMathematics{"DejaVu Sans", FC_WEIGHT_REGULAR, 1.164f};

// Latin, Greek, Cyrillic, punctuation, arrows, operators and the shapes that buttons use.
constexpr ImWchar kTextRanges[] = {0x0020, 0x024F, 0x0370, 0x052F, 0x2010, 0x205E, 0};
constexpr ImWchar kMonoRanges[] = {0x0020, 0x00FF, 0x2010, 0x2027, 0};
constexpr ImWchar kSymbolRanges[] = {0x1D40, 0x1D40, 0x2070, 0x209C, 0x2190, 0x21BB, 0x2200,
                                     0x226B, 0x25A0, 0x25CF, 0x2308, 0x230B, 0};

// The characters of numbers: digits, signs, NaN, e, ∞.
constexpr ImWchar kNumberRanges[] = {' ', ' ', '+', '9', 'N', 'N', 'a', 'e', 0};
constexpr ImWchar kNumberSymbols[] = {0x2212, 0x2212, 0x221E, 0x221E, 0};

// Characters of a box that are shown as pictures; each costs a fraction of a millisecond.
constexpr std::size_t kMostPictures = 500;

// The file of the closest font; empty when fontconfig finds none.
std::string font_file(const FontFace& face, ImWchar must_have = 0) {
  std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)> pattern(FcPatternCreate(),
                                                                  FcPatternDestroy);
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(face.family));
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, face.weight);
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  if (must_have != 0) {
    FcCharSet* characters = FcCharSetCreate();
    FcCharSetAddChar(characters, must_have);
    FcPatternAddCharSet(pattern.get(), FC_CHARSET, characters);
    FcCharSetDestroy(characters);
  }
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)> match(
      FcFontMatch(nullptr, pattern.get(), &result), FcPatternDestroy);
  FcChar8* file = nullptr;
  if (!match || FcPatternGetString(match.get(), FC_FILE, 0, &file) != FcResultMatch) return {};
  return reinterpret_cast<const char*>(file);
}

// Glyph ranges must outlive the atlas; one atlas exists at a time.
std::vector<std::vector<ImWchar>>& kept_ranges() {
  static std::vector<std::vector<ImWchar>> ranges;
  return ranges;
}

ImFont* add_font(const std::string& file, float size, const ImWchar* ranges, bool merge) {
  return file.empty() ? nullptr : compat::add_font(file.c_str(), size, ranges, merge);
}

// `em` is the size in pixels per em, as everywhere else.
ImFont* add_face(const FontFace& face, float em, const ImWchar* ranges,
                 const ImWchar* symbols = kSymbolRanges) {
  ImFont* font = add_font(font_file(face), std::round(em * face.line), ranges, false);
  if (font == nullptr) return ImGui::GetIO().Fonts->AddFontDefault();
  static const std::string mathematics = font_file(kMathematics);
  add_font(mathematics, std::round(em * kMathematics.line), symbols, true);
  return font;
}

bool in_ranges(const ImWchar* ranges, unsigned character) {
  for (; ranges[0] != 0; ranges += 2) {
    if (character >= ranges[0] && character <= ranges[1]) return true;
  }
  return false;
}

// True for a character that replaces another one in a box: see BoxText.
bool is_private(unsigned character) {
  return character >= BoxText::kFirst && character < BoxText::kFirst + BoxText::kCount;
}

std::vector<ImWchar> extra_characters(const std::string& text) {
  ImFontGlyphRangesBuilder builder;
  builder.AddText(text.c_str(), text.c_str() + text.size());
  std::vector<ImWchar> found;
  for (unsigned c = 0x20; c < 0xFFFD; ++c) {
    if (builder.GetBit(c) && !in_ranges(kTextRanges, c) && !is_private(c))
      found.push_back(static_cast<ImWchar>(c));
  }
  return found;
}

// Merges into the font just added whatever fontconfig finds for the characters it lacks; a few
// files at most, each for all the characters that are still missing.
void add_extra(std::vector<ImWchar> missing, float size) {
  constexpr int kMostFiles = 6;
  for (int i = 0; i < kMostFiles && !missing.empty(); ++i) {
    const std::string file = font_file(kSans, missing.front());
    FcCharSet* covered = FcCharSetCreate();
    int faces = 0;
    if (FcPattern* query =
            FcFreeTypeQuery(reinterpret_cast<const FcChar8*>(file.c_str()), 0, nullptr, &faces)) {
      FcCharSet* characters = nullptr;
      FcPatternGetCharSet(query, FC_CHARSET, 0, &characters);
      if (characters != nullptr) FcCharSetMerge(covered, characters, nullptr);
      FcPatternDestroy(query);
    }
    std::vector<ImWchar> ranges, left;
    for (ImWchar c : missing) {
      if (FcCharSetHasChar(covered, c)) {
        ranges.insert(ranges.end(), {c, c});
      } else if (c != missing.front()) {
        left.push_back(c);
      }
    }
    FcCharSetDestroy(covered);
    missing = std::move(left);
    if (ranges.empty()) continue;
    ranges.push_back(0);
    kept_ranges().push_back(std::move(ranges));
    add_font(file, size, kept_ranges().back().data(), true);
  }
}

// A character of a box and its original, which has no outline glyph in a font.
struct Pictured {
  ImWchar character;
  std::string text;
  bool operator==(const Pictured&) const = default;
};

std::vector<Pictured> pictured(const std::string& text, const BoxText& box) {
  std::vector<Pictured> found;
  for (const std::string& kept : box.kept())
    found.push_back({static_cast<ImWchar>(BoxText::kFirst + found.size()), kept});
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); compat::kLongCharacters && at < end;) {
    unsigned character = 0;
    const int length = std::max(1, ImTextCharFromUtf8(&character, at, end));
    if (character > 0xFFFF)
      found.push_back({static_cast<ImWchar>(character), std::string(at, at + length)});
    at += length;
  }
  if (found.size() > kMostPictures) found.resize(kMostPictures);
  return found;
}

// Draws it with Pango, which finds a font for everything and supports colour fonts.
compat::GlyphPicture picture_of(const Pictured& original, float em) {
  figure::TextImage image = figure::draw_text({original.text, false, figure::TextFace::kSans, em});
  return {.character = original.character,
          .width = image.width,
          .height = image.height,
          .rgba = std::move(image.rgba),
          .coloured = image.coloured,
          .left = -static_cast<float>(image.origin_x),
          .top = -static_cast<float>(image.origin_y),
          .advance = static_cast<float>(std::round(image.advance))};
}

// Merges pictures into `font`, which was just added.
void add_pictures(ImFont* font, const std::vector<Pictured>& all, float em) {
  if (all.empty()) return;
  std::vector<compat::GlyphPicture> pictures;
  pictures.reserve(all.size());
  for (const Pictured& one : all) pictures.push_back(picture_of(one, em));
  compat::add_pictures(*font, std::move(pictures));
}

// What an atlas was filled with. Filling it takes longer than all of a frame.
struct Filling {
  float scale = 0;
  std::vector<ImWchar> extra;
  std::vector<Pictured> pictures;
  bool operator==(const Filling&) const = default;
};

void fill(const Filling& with, Fonts& fonts) {
  const float scale = with.scale;
  fonts.text = add_face(kSans, 14 * scale, kTextRanges);
  fonts.small = add_face(kSans, 12.4f * scale, kTextRanges);
  fonts.bold = add_face(kSansBold, 14 * scale, kTextRanges);
  fonts.title = add_face(kSansBold, 16 * scale, kTextRanges);
  fonts.field = add_face(kSans, 17 * scale, kTextRanges);
  add_pictures(fonts.field, with.pictures, 17 * scale);
  add_extra(with.extra, std::round(17 * scale * kSans.line));
  fonts.words = add_face(kSans, 14 * scale, kTextRanges);
  add_pictures(fonts.words, with.pictures, 14 * scale);
  add_extra(with.extra, std::round(14 * scale * kSans.line));
  fonts.mono = add_face(kMono, 12.9f * scale, kMonoRanges);
  fonts.mono_small = add_face(kMono, 11.4f * scale, kMonoRanges);
  fonts.mono_bold = add_face(kMonoBold, 12.9f * scale, kMonoRanges);
  fonts.mono_tiny = add_face(kMono, 10.6f * scale, kMonoRanges);
  fonts.mono_large = add_face(kMono, 18 * scale, kNumberRanges, kNumberSymbols);
  fonts.mono_huge = add_face(kMono, 28 * scale, kNumberRanges, kNumberSymbols);
  compat::finish_fonts();
}

}  // namespace

Fonts load_fonts(float scale, const std::string& extra_text, const BoxText& box) {
  static Filling filling;
  static Fonts fonts;
  Filling requested{scale, extra_characters(extra_text), pictured(extra_text, box)};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (atlas.Fonts.contains(fonts.text) && requested == filling) return fonts;
  atlas.Clear();
  kept_ranges().clear();
  filling = std::move(requested);
  fill(filling, fonts);
  return fonts;
}

bool covers(const ImFont& font, std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) return true;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    unsigned character = 0;
    at += std::max(1, ImTextCharFromUtf8(&character, at, end));
    const bool one_unit = character < 0xFFFD;  // this ImGui has no characters beyond that
    if (!one_unit || is_private(character) ||
        !compat::has_glyph(font, static_cast<ImWchar>(character)))
      return false;
  }
  return true;
}

bool needs_glyphs(const Fonts& fonts, const std::string& text, const BoxText& box) {
  const auto lacks = [&](ImWchar c) { return !compat::has_glyph(*fonts.field, c); };
  return std::ranges::any_of(pictured(text, box), lacks, &Pictured::character) ||
         std::ranges::any_of(extra_characters(text), lacks);
}

}  // namespace lab::view
