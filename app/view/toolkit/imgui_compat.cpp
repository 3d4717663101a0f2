#include "app/view/toolkit/imgui_compat.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace lab::view::compat {
namespace {

ImFontConfig font_config(bool merge) {
  ImFontConfig config;
  config.MergeMode = merge;
  config.OversampleH = 1;
  config.PixelSnapH = true;
  return config;
}

}  // namespace

float text_scroll(const char* label) {
  const auto scroll_of = [](const auto& state) -> float {
    if constexpr (requires { state.Scroll.x; }) {
      return state.Scroll.x;
    } else {
      return state.ScrollX;
    }
  };
  const ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetID(label));
  return state != nullptr ? scroll_of(*state) : 0;
}

void go_on_after_mistakes() {
#if IMGUI_VERSION_NUM >= 19130
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigErrorRecoveryEnableAssert = false;
  io.ConfigErrorRecoveryEnableTooltip = false;
  io.ConfigErrorRecoveryEnableDebugLog = true;  // one way to tell of them must stay on
#endif
}

#if IMGUI_VERSION_NUM >= 19110  // the functions take a context in place of an argument

namespace {

Clipboard own_clipboard;

const char* get_own(ImGuiContext*) { return own_clipboard.get(own_clipboard.user); }
void set_own(ImGuiContext*, const char* text) { own_clipboard.set(own_clipboard.user, text); }

// The functions that Dear ImGui begins with, which keep the text in its context.
struct FirstClipboard {
  decltype(ImGuiPlatformIO::Platform_GetClipboardTextFn) get;
  decltype(ImGuiPlatformIO::Platform_SetClipboardTextFn) set;
};

const FirstClipboard& first_clipboard() {
  static const FirstClipboard first{ImGui::GetPlatformIO().Platform_GetClipboardTextFn,
                                    ImGui::GetPlatformIO().Platform_SetClipboardTextFn};
  return first;
}

const char* get_first(void*) { return first_clipboard().get(ImGui::GetCurrentContext()); }
void set_first(void*, const char* text) { first_clipboard().set(ImGui::GetCurrentContext(), text); }

}  // namespace

Clipboard clipboard() {
  first_clipboard();
  const bool own = ImGui::GetPlatformIO().Platform_SetClipboardTextFn == set_own;
  return own ? own_clipboard : Clipboard{get_first, set_first, nullptr};
}

void set_clipboard(const char* (*get)(void*), void (*set)(void*, const char*), void* user) {
  first_clipboard();
  own_clipboard = {get, set, user};
  ImGui::GetPlatformIO().Platform_GetClipboardTextFn = get_own;
  ImGui::GetPlatformIO().Platform_SetClipboardTextFn = set_own;
}

#else

Clipboard clipboard() {
  const ImGuiIO& io = ImGui::GetIO();
  return {io.GetClipboardTextFn, io.SetClipboardTextFn, io.ClipboardUserData};
}

void set_clipboard(const char* (*get)(void*), void (*set)(void*, const char*), void* user) {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = user;
  io.GetClipboardTextFn = get;
  io.SetClipboardTextFn = set;
}

#endif

#if IMGUI_VERSION_NUM >= 19200  // glyphs are loaded on demand, from everything in a file

namespace {

constexpr ImWchar kLastCharacter = kLongCharacters ? static_cast<ImWchar>(0x10FFFF) : 0xFFFF;

// All characters except those of `ranges`; empty when these are more than Dear ImGui would search.
std::vector<ImWchar> all_but(const ImWchar* ranges) {
  constexpr std::size_t kMost = 64;
  std::vector<ImWchar> others;
  ImWchar next = 1;
  for (; ranges[0] != 0; ranges += 2) {
    if (ranges[0] > next) others.insert(others.end(), {next, static_cast<ImWchar>(ranges[0] - 1)});
    next = static_cast<ImWchar>(ranges[1] + 1);
  }
  others.insert(others.end(), {next, kLastCharacter, 0});
  return others.size() <= kMost ? others : std::vector<ImWchar>{0};
}

bool takes(const ImFontConfig& source, ImWchar character) {
  const ImWchar* others = source.GlyphExcludeRanges;
  for (; others != nullptr && others[0] != 0; others += 2) {
    if (character >= others[0] && character <= others[1]) return false;
  }
  return true;
}

using Pictures = std::vector<GlyphPicture>;
Pictures pictures_to_add;  // of the source being added, which copies them

const GlyphPicture* picture_in(const ImFontConfig* source, ImWchar character) {
  const auto& pictures = *static_cast<const Pictures*>(source->FontLoaderData);
  const auto found = std::ranges::find(pictures, character, &GlyphPicture::character);
  return found == pictures.end() ? nullptr : &*found;
}

bool draw_picture(ImFontAtlas& atlas, ImFontConfig* source, ImFontBaked* baked,
                  const GlyphPicture& picture, ImFontGlyph& glyph) {
  const ImFontAtlasRectId position = ImFontAtlasPackAddRect(&atlas, picture.width, picture.height);
  if (position == ImFontAtlasRectId_Invalid) return false;
  const float scale = baked->Size / source->SizePixels;
  glyph.Codepoint = picture.character;
  glyph.AdvanceX = picture.advance * scale;
  glyph.X0 = picture.left * scale;
  glyph.Y0 = std::round(baked->Ascent) + picture.top * scale;
  glyph.X1 = glyph.X0 + static_cast<float>(picture.width) * scale;
  glyph.Y1 = glyph.Y0 + static_cast<float>(picture.height) * scale;
  glyph.Visible = true;
  glyph.Colored = picture.coloured;
  glyph.PackId = position;
  ImFontAtlasBakedSetFontGlyphBitmap(&atlas, baked, source, &glyph,
                                     ImFontAtlasPackGetRect(&atlas, position), picture.rgba.data(),
                                     ImTextureFormat_RGBA32, picture.width * 4);
  return true;
}

const ImFontLoader* picture_loader() {
  static const ImFontLoader loader = [] {
    ImFontLoader functions;
    functions.Name = "pictures";
    functions.FontSrcInit = [](ImFontAtlas*, ImFontConfig* source) {
      source->FontLoaderData = new Pictures(pictures_to_add);
      return true;
    };
    functions.FontSrcDestroy = [](ImFontAtlas*, ImFontConfig* source) {
      delete static_cast<Pictures*>(source->FontLoaderData);
      source->FontLoaderData = nullptr;
    };
    functions.FontSrcContainsGlyph = [](ImFontAtlas*, ImFontConfig* source, ImWchar character) {
      return picture_in(source, character) != nullptr;
    };
    functions.FontBakedLoadGlyph = [](ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked,
                                      void*, ImWchar character, ImFontGlyph* glyph,
                                      float* advance) {
      const GlyphPicture* picture = picture_in(source, character);
      if (picture == nullptr) return false;
      if (advance == nullptr) return draw_picture(*atlas, source, baked, *picture, *glyph);
      *advance = picture->advance * baked->Size / source->SizePixels;
      return true;
    };
    return functions;
  }();
  return &loader;
}

}  // namespace

ImFont* add_font(const char* file, float size, const ImWchar* ranges, bool merge) {
  ImFontConfig config = font_config(merge);
  const std::vector<ImWchar> others = all_but(ranges);
  if (others.size() > 1) config.GlyphExcludeRanges = others.data();
  ImFont* font = ImGui::GetIO().Fonts->AddFontFromFileTTF(file, size, &config, ranges);
  if (font != nullptr) font->FallbackChar = '?';  // not one that `ranges` may leave out
  return font;
}

void add_pictures(ImFont& font, std::vector<GlyphPicture> pictures) {
  ImFontConfig config = font_config(true);
  config.SizePixels = font.LegacySize;
  config.FontLoader = picture_loader();
  pictures_to_add = std::move(pictures);
  ImGui::GetIO().Fonts->AddFont(&config);
  pictures_to_add.clear();
}

void finish_fonts() {}

bool has_glyph(const ImFont& font, ImWchar character) {
  ImFontAtlas* atlas = font.ContainerAtlas;
  return std::ranges::any_of(font.Sources, [&](ImFontConfig* source) {
    const ImFontLoader* loader = source->FontLoader ? source->FontLoader : atlas->FontLoader;
    return takes(*source, character) && loader->FontSrcContainsGlyph(atlas, source, character);
  });
}

#else  // the whole atlas is built at once

namespace {

struct AddedPicture {
  ImFont* font;
  int position;  // in the atlas
  GlyphPicture picture;
};
std::vector<AddedPicture> added_pictures;

void paint(const ImFontAtlas& atlas, const AddedPicture& added) {
  const ImFontAtlasCustomRect& position = atlas.CustomRects[added.position];
  const GlyphPicture& picture = added.picture;
  const std::size_t row = static_cast<std::size_t>(picture.width) * 4;
  for (int y = 0; y < picture.height; ++y) {
    std::memcpy(atlas.TexPixelsRGBA32 +
                    static_cast<std::ptrdiff_t>(position.Y + y) * atlas.TexWidth + position.X,
                picture.rgba.data() + static_cast<std::size_t>(y) * row, row);
  }
  const auto glyph = std::ranges::find(added.font->Glyphs, unsigned{picture.character},
                                       [](const ImFontGlyph& one) { return one.Codepoint; });
  if (glyph == added.font->Glyphs.end()) return;
  const float baseline = std::round(added.font->Ascent);  // known only now
  glyph->Y0 += baseline;
  glyph->Y1 += baseline;
  glyph->Colored = picture.coloured;
}

}  // namespace

ImFont* add_font(const char* file, float size, const ImWchar* ranges, bool merge) {
  const ImFontConfig config = font_config(merge);
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(file, size, &config, ranges);
}

void add_pictures(ImFont& font, std::vector<GlyphPicture> pictures) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (GlyphPicture& picture : pictures) {
    const int position =
        atlas.AddCustomRectFontGlyph(&font, picture.character, picture.width, picture.height,
                                     picture.advance, {picture.left, picture.top});
    added_pictures.push_back({&font, position, std::move(picture)});
  }
}

void finish_fonts() {
  const std::vector<AddedPicture> added = std::exchange(added_pictures, {});
  if (added.empty()) return;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  for (const AddedPicture& one : added) paint(atlas, one);
}

bool has_glyph(const ImFont& font, ImWchar character) {
  return font.FindGlyphNoFallback(character) != nullptr;
}

#endif

void press_item(ImGuiID item) {
#if IMGUI_VERSION_NUM >= 18970
  ImGui::ActivateItemByID(item);
#else
  ImGui::ActivateItem(item);
#endif
}

void show_keyboard_cursor() {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::SetNavCursorVisible(true);
#else
  ImGui::GetCurrentContext()->NavDisableHighlight = false;
#endif
}

}  // namespace lab::view::compat
