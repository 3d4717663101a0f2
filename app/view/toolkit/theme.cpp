#include "app/view/toolkit/theme.h"

#include <cmath>

namespace lab::view {
namespace {

constexpr Theme kLight{
    .dark = false,
    .page = {244, 245, 247},
    .card = {255, 255, 255},
    .line = {223, 227, 232},
    .button = {238, 241, 245},
    .button_hover = {226, 231, 238},
    .text = {27, 31, 36},
    .dim = {107, 114, 128},
    .disabled = {158, 164, 175},
    .accent = {47, 111, 223},
    .on_accent = {255, 255, 255},
    .selected = {232, 116, 12},
    .on_selected = {255, 255, 255},
    .right = {22, 121, 60},
    .danger = {190, 38, 38},
};

constexpr Theme kDark{
    .dark = true,
    .page = {21, 24, 29},
    .card = {29, 33, 39},
    .line = {46, 52, 61},
    .button = {39, 44, 52},
    .button_hover = {52, 58, 68},
    .text = {230, 233, 238},
    .dim = {144, 151, 163},
    .disabled = {97, 104, 115},
    .accent = {110, 162, 255},
    .on_accent = {16, 20, 26},
    .selected = {255, 154, 61},
    .on_selected = {24, 18, 10},
    .right = {104, 201, 132},
    .danger = {255, 122, 112},
};

constexpr Theme kHighContrast{
    .dark = true,
    .page = {0, 0, 0},
    .card = {0, 0, 0},
    .line = {168, 168, 168},
    .button = {38, 38, 38},
    .button_hover = {78, 78, 78},
    .text = {255, 255, 255},
    .dim = {214, 214, 214},
    .disabled = {128, 128, 128},
    .accent = {64, 208, 255},
    .on_accent = {0, 0, 0},
    .selected = {255, 196, 0},
    .on_selected = {0, 0, 0},
    .right = {112, 255, 150},
    .danger = {255, 138, 128},
};

ImVec4 as_float(figure::Rgb colour, float alpha = 1.0f) {
  return ImGui::ColorConvertU32ToFloat4(pack(colour, alpha));
}

void apply_colours(ImGuiStyle& style, const Theme& theme) {
  auto& colours = style.Colors;
  colours[ImGuiCol_Text] = as_float(theme.text);
  colours[ImGuiCol_TextDisabled] = as_float(theme.dim);
  colours[ImGuiCol_WindowBg] = as_float(theme.page);
  colours[ImGuiCol_ChildBg] = as_float(theme.page, 0);
  colours[ImGuiCol_PopupBg] = as_float(theme.card);
  colours[ImGuiCol_Border] = as_float(theme.line);
  colours[ImGuiCol_FrameBg] = as_float(theme.button);
  colours[ImGuiCol_FrameBgHovered] = as_float(theme.button_hover);
  colours[ImGuiCol_FrameBgActive] = as_float(theme.button_hover);
  colours[ImGuiCol_Button] = as_float(theme.button);
  colours[ImGuiCol_ButtonHovered] = as_float(theme.button_hover);
  colours[ImGuiCol_ButtonActive] = as_float(theme.line);
  colours[ImGuiCol_Header] = as_float(theme.button);
  colours[ImGuiCol_HeaderHovered] = as_float(theme.button_hover);
  colours[ImGuiCol_HeaderActive] = as_float(theme.line);
  colours[ImGuiCol_Separator] = as_float(theme.line);
  colours[ImGuiCol_ScrollbarBg] = as_float(theme.page, 0);
  colours[ImGuiCol_ScrollbarGrab] = as_float(theme.dim, 0.35f);
  colours[ImGuiCol_ScrollbarGrabHovered] = as_float(theme.dim, 0.55f);
  colours[ImGuiCol_ScrollbarGrabActive] = as_float(theme.dim, 0.75f);
  colours[ImGuiCol_SliderGrab] = as_float(theme.accent);
  colours[ImGuiCol_SliderGrabActive] = as_float(theme.accent);
  colours[ImGuiCol_CheckMark] = as_float(theme.accent);
  colours[ImGuiCol_NavHighlight] = as_float(theme.text);
  colours[ImGuiCol_TextSelectedBg] = as_float(theme.accent, 0.30f);
  colours[ImGuiCol_ModalWindowDimBg] = as_float(theme.page, 0.6f);
}

}  // namespace

const Theme& theme_for(figure::ThemeId theme) {
  if (theme == figure::ThemeId::kHighContrast) return kHighContrast;
  return theme == figure::ThemeId::kDark ? kDark : kLight;
}

ImU32 pack(figure::Rgb colour, float alpha) {
  return IM_COL32(colour.r, colour.g, colour.b, std::lround(alpha * 255.0f));
}

void apply_style(const Theme& theme, float scale) {
  ImGuiStyle style;
  style.WindowPadding = {14, 12};
  style.FramePadding = {10, 6};
  style.ItemSpacing = {8, 7};
  style.WindowRounding = 10;
  style.ChildRounding = 0;
  style.FrameRounding = 7;
  style.PopupRounding = 9;
  style.ScrollbarSize = 9;
  style.ScrollbarRounding = 5;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.ScaleAllSizes(scale);
  apply_colours(style, theme);
  ImGui::GetStyle() = style;
}

}  // namespace lab::view
