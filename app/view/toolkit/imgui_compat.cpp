#include "app/view/toolkit/imgui_compat.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cstddef>
#include <vector>

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

#if IMGUI_VERSION_NUM >= 19200  // glyphs are loaded on demand, from all that a file has

namespace {

constexpr ImWchar kLastCharacter = kLongCharacters ? static_cast<ImWchar>(0x10FFFF) : 0xFFFF;

// All characters but those of `ranges`; none where these are more than Dear ImGui would search.
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

}  // namespace

ImFont* add_font(const char* file, float size, const ImWchar* ranges, bool merge) {
  ImFontConfig config = font_config(merge);
  const std::vector<ImWchar> others = all_but(ranges);
  if (others.size() > 1) config.GlyphExcludeRanges = others.data();
  ImFont* font = ImGui::GetIO().Fonts->AddFontFromFileTTF(file, size, &config, ranges);
  if (font != nullptr) font->FallbackChar = '?';  // not one that `ranges` may leave out
  return font;
}

bool has_glyph(const ImFont& font, ImWchar character) {
  ImFontAtlas* atlas = font.ContainerAtlas;
  return std::ranges::any_of(font.Sources, [&](ImFontConfig* source) {
    const ImFontLoader* loader = source->FontLoader ? source->FontLoader : atlas->FontLoader;
    return takes(*source, character) && loader->FontSrcContainsGlyph(atlas, source, character);
  });
}

#else  // the atlas is filled at once

ImFont* add_font(const char* file, float size, const ImWchar* ranges, bool merge) {
  const ImFontConfig config = font_config(merge);
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(file, size, &config, ranges);
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
