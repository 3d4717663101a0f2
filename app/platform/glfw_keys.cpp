#include "app/platform/glfw_keys.h"

#include <GLFW/glfw3.h>

#include <string_view>
#include <utility>

namespace lab {
namespace {

constexpr std::pair<char, Key> kPunctuation[] = {
    {'\'', Key::kApostrophe},  {',', Key::kComma},       {'-', Key::kMinus},
    {'.', Key::kPeriod},       {'/', Key::kSlash},       {';', Key::kSemicolon},
    {'=', Key::kEqual},        {'[', Key::kLeftBracket}, {'\\', Key::kBackslash},
    {']', Key::kRightBracket}, {'`', Key::kGraveAccent}, {' ', Key::kSpace},
};

constexpr std::pair<int, Key> kNamed[] = {
    {GLFW_KEY_TAB, Key::kTab},
    {GLFW_KEY_LEFT, Key::kLeft},
    {GLFW_KEY_RIGHT, Key::kRight},
    {GLFW_KEY_UP, Key::kUp},
    {GLFW_KEY_DOWN, Key::kDown},
    {GLFW_KEY_PAGE_UP, Key::kPageUp},
    {GLFW_KEY_PAGE_DOWN, Key::kPageDown},
    {GLFW_KEY_HOME, Key::kHome},
    {GLFW_KEY_END, Key::kEnd},
    {GLFW_KEY_INSERT, Key::kInsert},
    {GLFW_KEY_DELETE, Key::kDelete},
    {GLFW_KEY_BACKSPACE, Key::kBackspace},
    {GLFW_KEY_ENTER, Key::kEnter},
    {GLFW_KEY_ESCAPE, Key::kEscape},
    {GLFW_KEY_LEFT_CONTROL, Key::kLeftCtrl},
    {GLFW_KEY_LEFT_SHIFT, Key::kLeftShift},
    {GLFW_KEY_LEFT_ALT, Key::kLeftAlt},
    {GLFW_KEY_LEFT_SUPER, Key::kLeftSuper},
    {GLFW_KEY_RIGHT_CONTROL, Key::kRightCtrl},
    {GLFW_KEY_RIGHT_SHIFT, Key::kRightShift},
    {GLFW_KEY_RIGHT_ALT, Key::kRightAlt},
    {GLFW_KEY_RIGHT_SUPER, Key::kRightSuper},
    {GLFW_KEY_KP_DECIMAL, Key::kKeypadDecimal},
    {GLFW_KEY_KP_DIVIDE, Key::kKeypadDivide},
    {GLFW_KEY_KP_MULTIPLY, Key::kKeypadMultiply},
    {GLFW_KEY_KP_SUBTRACT, Key::kKeypadSubtract},
    {GLFW_KEY_KP_ADD, Key::kKeypadAdd},
    {GLFW_KEY_KP_ENTER, Key::kKeypadEnter},
};

Key key_of_character(char character) {
  if (character >= 'a' && character <= 'z') return offset_key(Key::kA, character - 'a');
  if (character >= 'A' && character <= 'Z') return offset_key(Key::kA, character - 'A');
  if (character >= '0' && character <= '9') return offset_key(Key::k0, character - '0');
  for (const auto& [printed, key] : kPunctuation)
    if (printed == character) return key;
  return Key::kNone;
}

/// Keys whose place says what they are, in every layout.
Key key_of_place(int place) {
  if (place >= GLFW_KEY_F1 && place <= GLFW_KEY_F12)
    return offset_key(Key::kF1, place - GLFW_KEY_F1);
  if (place >= GLFW_KEY_KP_0 && place <= GLFW_KEY_KP_9)
    return offset_key(Key::kKeypad0, place - GLFW_KEY_KP_0);
  for (const auto& [named, key] : kNamed)
    if (named == place) return key;
  return Key::kNone;
}

/// The character that the layout prints on a key, or 0 when it is none of ASCII.
char printed_on(int place, int scancode) {
  const char* name = glfwGetKeyName(place, scancode);
  return name && std::string_view(name).size() == 1 ? name[0] : '\0';
}

}  // namespace

Key key_from_glfw(int key, int scancode) {
  if (const Key place = key_of_place(key); place != Key::kNone) return place;
  if (const Key printed = key_of_character(printed_on(key, scancode)); printed != Key::kNone)
    return printed;
  // GLFW numbers the printable keys of a US keyboard by their ASCII characters.
  return key > 0 && key < 128 ? key_of_character(static_cast<char>(key)) : Key::kNone;
}

}  // namespace lab
