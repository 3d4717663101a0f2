#pragma once

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "app/view/toolkit/keys.h"

/// The differences between Dear ImGui 1.86 and 1.92, in one place: keys, input, textures, fonts and
/// the few widgets whose signatures changed. The rest of the program does not depend on the
/// version.
namespace lab::view {

namespace compat {

#if IMGUI_VERSION_NUM >= 18700

/// Dear ImGui's name of a key.
inline ImGuiKey imgui_key(Key key) {
  const auto within = [key](Key first, Key last, ImGuiKey start) {
    return key >= first && key <= last
               ? static_cast<ImGuiKey>(start + (static_cast<int>(key) - static_cast<int>(first)))
               : ImGuiKey_None;
  };
  for (const ImGuiKey found :
       {within(Key::kTab, Key::kRightSuper, ImGuiKey_Tab), within(Key::k0, Key::kZ, ImGuiKey_0),
        within(Key::kF1, Key::kF12, ImGuiKey_F1),
        within(Key::kApostrophe, Key::kGraveAccent, ImGuiKey_Apostrophe),
        within(Key::kKeypad0, Key::kKeypadEnter, ImGuiKey_Keypad0)}) {
    if (found != ImGuiKey_None) {
      return found;
    }
  }
  return ImGuiKey_None;
}

/// True while `key` is held.
inline bool key_down(Key key) { return ImGui::IsKeyDown(imgui_key(key)); }
/// True in the frame in which `key` went down, and again while it repeats, unless `repeat` is
/// false.
inline bool key_pressed(Key key, bool repeat = true) {
  return ImGui::IsKeyPressed(imgui_key(key), repeat);
}

/// True in the frame in which `key` was released.
inline bool key_released(Key key) { return ImGui::IsKeyReleased(imgui_key(key)); }

/// Prepares a context for the feed functions below. A frame's worth of input is the caller's
/// choice.
inline void set_up_input(ImGuiIO& io) { io.ConfigInputTrickleEventQueue = false; }

/// Moves the pointer; {-FLT_MAX, -FLT_MAX} when it left the window.
inline void feed_pointer(ImGuiIO& io, ImVec2 at) { io.AddMousePosEvent(at.x, at.y); }
/// Presses or releases a button: 0 left, 1 right, 2 middle.
inline void feed_button(ImGuiIO& io, int button, bool down) {
  io.AddMouseButtonEvent(button, down);
}
/// Turns the wheel; y > 0 is up.
inline void feed_scroll(ImGuiIO& io, ImVec2 by) { io.AddMouseWheelEvent(by.x, by.y); }
/// Presses or releases a key; Ctrl, Shift, Alt and Super also as modifiers.
inline void feed_key(ImGuiIO& io, Key key, bool down) {
#if IMGUI_VERSION_NUM >= 18900
  constexpr ImGuiKey kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt,
                     kSuper = ImGuiMod_Super;
#else
  constexpr ImGuiKey kCtrl = ImGuiKey_ModCtrl, kShift = ImGuiKey_ModShift, kAlt = ImGuiKey_ModAlt,
                     kSuper = ImGuiKey_ModSuper;
#endif
  if (key == Key::kLeftCtrl || key == Key::kRightCtrl) {
    io.AddKeyEvent(kCtrl, down);
  } else if (key == Key::kLeftShift || key == Key::kRightShift) {
    io.AddKeyEvent(kShift, down);
  } else if (key == Key::kLeftAlt || key == Key::kRightAlt) {
    io.AddKeyEvent(kAlt, down);
  } else if (key == Key::kLeftSuper || key == Key::kRightSuper) {
    io.AddKeyEvent(kSuper, down);
  }
  io.AddKeyEvent(imgui_key(key), down);
}

#else  // Dear ImGui 1.86: input is state, not events, and keys are numbered by the program

/// True while `key` is held.
inline bool key_down(Key key) { return ImGui::IsKeyDown(static_cast<int>(key)); }
/// True in the frame in which `key` went down, and again while it repeats.
inline bool key_pressed(Key key, bool repeat = true) {
  return ImGui::IsKeyPressed(static_cast<int>(key), repeat);
}
/// True in the frame in which `key` was released; never because the window lost the focus.
inline bool key_released(Key key) { return ImGui::IsKeyReleased(static_cast<int>(key)); }

/// Prepares a context for the feed functions below. A frame's worth of input is the caller's
/// choice.
inline void set_up_input(ImGuiIO& io) {
  constexpr struct {
    int name;
    Key key;
  } kMap[] = {
      {ImGuiKey_Tab, Key::kTab},
      {ImGuiKey_LeftArrow, Key::kLeft},
      {ImGuiKey_RightArrow, Key::kRight},
      {ImGuiKey_UpArrow, Key::kUp},
      {ImGuiKey_DownArrow, Key::kDown},
      {ImGuiKey_PageUp, Key::kPageUp},
      {ImGuiKey_PageDown, Key::kPageDown},
      {ImGuiKey_Home, Key::kHome},
      {ImGuiKey_End, Key::kEnd},
      {ImGuiKey_Insert, Key::kInsert},
      {ImGuiKey_Delete, Key::kDelete},
      {ImGuiKey_Backspace, Key::kBackspace},
      {ImGuiKey_Space, Key::kSpace},
      {ImGuiKey_Enter, Key::kEnter},
      {ImGuiKey_Escape, Key::kEscape},
      {ImGuiKey_KeyPadEnter, Key::kKeypadEnter},
      {ImGuiKey_A, Key::kA},
      {ImGuiKey_C, Key::kC},
      {ImGuiKey_V, Key::kV},
      {ImGuiKey_X, Key::kX},
      {ImGuiKey_Y, Key::kY},
      {ImGuiKey_Z, Key::kZ},
  };
  for (const auto& entry : kMap) {
    io.KeyMap[entry.name] = static_cast<int>(entry.key);
  }
}

/// Moves the pointer; {-FLT_MAX, -FLT_MAX} when it left the window.
inline void feed_pointer(ImGuiIO& io, ImVec2 at) { io.MousePos = at; }
/// Presses or releases a button: 0 left, 1 right, 2 middle.
inline void feed_button(ImGuiIO& io, int button, bool down) { io.MouseDown[button] = down; }
/// Turns the wheel; y > 0 is up.
inline void feed_scroll(ImGuiIO& io, ImVec2 by) {
  io.MouseWheelH += by.x;
  io.MouseWheel += by.y;
}
/// Presses or releases a key; modifiers are updated.
inline void feed_key(ImGuiIO& io, Key key, bool down) {
  const auto held = [&io](Key left, Key right) {
    return io.KeysDown[static_cast<int>(left)] || io.KeysDown[static_cast<int>(right)];
  };
  io.KeysDown[static_cast<int>(key)] = down;
  io.KeyCtrl = held(Key::kLeftCtrl, Key::kRightCtrl);
  io.KeyShift = held(Key::kLeftShift, Key::kRightShift);
  io.KeyAlt = held(Key::kLeftAlt, Key::kRightAlt);
  io.KeySuper = held(Key::kLeftSuper, Key::kRightSuper);
}

#endif

/// Whether Dear ImGui's characters have 32 bits and cover all of Unicode. Debian's have 16.
inline constexpr bool kLongCharacters = sizeof(ImWchar) > 2;

/// Types a character. When Dear ImGui's characters have 16 bits, one beyond U+FFFF is sent as its
/// two UTF-16 units, so that it is not lost: see take_long_text.
inline void feed_character(ImGuiIO& io, char32_t character) {
  if (kLongCharacters || character <= 0xFFFF) return io.AddInputCharacter(character);
  io.AddInputCharacter(0xD7C0 + (character >> 10));
  io.AddInputCharacter(0xDC00 + (character & 0x3FF));
}
/// Reports that the window gained or lost the keyboard focus.
inline void feed_focus(ImGuiIO& io, bool focused) { io.AddFocusEvent(focused); }

/// A texture's id as Dear ImGui expects it: a pointer up to 1.91.3, a number since.
inline ImTextureID texture_id(std::uintptr_t name) {
  return (ImTextureID)name;  // NOLINT(performance-no-int-to-ptr): 1.86 leaves no choice
}

/// The clipboard functions, and the argument they are called with.
struct Clipboard {
  const char* (*get)(void*) = nullptr;
  void (*set)(void*, const char*) = nullptr;
  void* user = nullptr;
};

/// The functions currently in use.
Clipboard clipboard();
/// Sets the clipboard functions.
void set_clipboard(const char* (*get)(void*), void (*set)(void*, const char*), void* user);

/// Lets Dear ImGui go on after a mistake in a layout, which newer versions would end the program
/// for. Tests do not call it, and so find such mistakes.
void go_on_after_mistakes();

/// Moves the cursor to `position`, below what was drawn by hand, so that the window is at least
/// that high.
inline void move_cursor_below(ImVec2 position) {
#if IMGUI_VERSION_NUM >= 19200
  position.y = std::floor(position.y);
  ImGui::SetCursorScreenPos(position);
  ImGui::Dummy({0, 0});  // only items extend a window
#endif
  ImGui::SetCursorScreenPos(position);
}

/// The size in pixels that `font` was loaded for.
inline float font_size(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// Makes `font` current at the size it was loaded for; ends with ImGui::PopFont.
inline void push_font(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, font ? font->LegacySize : 0.0f);
#else
  ImGui::PushFont(font);
#endif
}

/// Width and height of `text` at the size that `font` was loaded for; wrapped at `wrap` pixels
/// unless that is 0.
inline ImVec2 text_size(const ImFont& font, std::string_view text, float wrap = 0) {
  // Since 1.92 glyphs are loaded on demand, into a font that is constant to us.
  return const_cast<ImFont&>(font).CalcTextSizeA(font_size(font), FLT_MAX, wrap, text.data(),
                                                 text.data() + text.size());
}

/// How many pixels the text is scrolled in the field with that label, which has the keyboard focus.
float text_scroll(const char* label);

/// Draws `text` with its top left corner at `at`, wrapped as in text_size.
inline void add_text(ImDrawList& list, const ImFont& font, ImVec2 at, ImU32 colour,
                     std::string_view text, float wrap = 0) {
  list.AddText(const_cast<ImFont*>(&font), font_size(font), at, colour, text.data(),
               text.data() + text.size(), wrap);
}

/// Adds a font file to the atlas; with `merge`, to the font that was added last. Only the
/// characters in `ranges` (pairs, ended by 0) are used, which must outlive the atlas.
ImFont* add_font(const char* file, float size, const ImWchar* ranges, bool merge);

/// A picture of a character in a font.
struct GlyphPicture {
  ImWchar character = 0;
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  ///< 4 bytes per pixel, alpha not premultiplied
  bool coloured = false;           ///< otherwise it is drawn in the text's colour
  float left = 0, top = 0;         ///< of the picture, from the start of the baseline, y downwards
  float advance = 0;
};

/// Adds pictures to the font that was added last.
void add_pictures(ImFont& font, std::vector<GlyphPicture> pictures);
/// Builds the atlas of all fonts that were added.
void finish_fonts();

/// True when `font` has a glyph, or a picture, of its own for the character.
bool has_glyph(const ImFont& font, ImWchar character);

/// Uploads the rebuilt atlas to the OpenGL renderer.
inline void upload_fonts() {
#if IMGUI_VERSION_NUM < 19200  // later versions follow the atlas by themselves
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

/// Starts a child region, with or without a border; always ends with ImGui::EndChild. Dear ImGui's
/// keyboard navigation skips it.
inline bool begin_child(const char* name, ImVec2 size, bool border, ImGuiWindowFlags flags = 0) {
  flags |= ImGuiWindowFlags_NoNav;
#if IMGUI_VERSION_NUM >= 19000
  return ImGui::BeginChild(name, size, border ? 1 : 0, flags);
#else
  return ImGui::BeginChild(name, size, border, flags);
#endif
}

/// An area that acts like a button without being drawn; the keyboard reaches it in popups.
inline bool invisible_button(const char* name, ImVec2 size) {
#if IMGUI_VERSION_NUM >= 19200
  return ImGui::InvisibleButton(name, size, ImGuiButtonFlags_EnableNav);
#else
  return ImGui::InvisibleButton(name, size);
#endif
}

/// Starts a tooltip; ends with ImGui::EndTooltip when it returned true.
inline bool begin_tooltip() {
#if IMGUI_VERSION_NUM >= 18970
  return ImGui::BeginTooltip();
#else
  ImGui::BeginTooltip();
  return true;
#endif
}

/// True when Enter was pressed in this frame, on either part of the keyboard.
inline bool enter_pressed() {
  return key_pressed(Key::kEnter, false) || key_pressed(Key::kKeypadEnter, false);
}

/// True where the atlas is drawn as a whole; later versions draw a glyph when it is first shown.
inline constexpr bool kDrawsGlyphsInAdvance = IMGUI_VERSION_NUM < 19200;

/// True when Enter presses the item that arrows and Tab moved to; in 1.86 only Space does.
inline constexpr bool kEnterPresses = IMGUI_VERSION_NUM >= 18900;

/// Presses an item in the next frame.
void press_item(ImGuiID item);
/// Highlights the item that arrows and Tab moved to, as in keyboard navigation.
void show_keyboard_cursor();

}  // namespace compat
}  // namespace lab::view
