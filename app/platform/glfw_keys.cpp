#include "app/platform/glfw_keys.h"

#include <GLFW/glfw3.h>

#include <string_view>
#include <utility>

namespace lab::platform {
namespace {

constexpr std::pair<char, view::Key> kPunctuation[] = {
    {'\'', view::Key::kApostrophe},  {',', view::Key::kComma},       {'-', view::Key::kMinus},
    {'.', view::Key::kPeriod},       {'/', view::Key::kSlash},       {';', view::Key::kSemicolon},
    {'=', view::Key::kEqual},        {'[', view::Key::kLeftBracket}, {'\\', view::Key::kBackslash},
    {']', view::Key::kRightBracket}, {'`', view::Key::kGraveAccent}, {' ', view::Key::kSpace},
    {'+', view::Key::kEqual},  // named by its label, as on a German keyboard
};

constexpr std::pair<int, view::Key> kNamed[] = {
    {GLFW_KEY_TAB, view::Key::kTab},
    {GLFW_KEY_LEFT, view::Key::kLeft},
    {GLFW_KEY_RIGHT, view::Key::kRight},
    {GLFW_KEY_UP, view::Key::kUp},
    {GLFW_KEY_DOWN, view::Key::kDown},
    {GLFW_KEY_PAGE_UP, view::Key::kPageUp},
    {GLFW_KEY_PAGE_DOWN, view::Key::kPageDown},
    {GLFW_KEY_HOME, view::Key::kHome},
    {GLFW_KEY_END, view::Key::kEnd},
    {GLFW_KEY_INSERT, view::Key::kInsert},
    {GLFW_KEY_DELETE, view::Key::kDelete},
    {GLFW_KEY_BACKSPACE, view::Key::kBackspace},
    {GLFW_KEY_ENTER, view::Key::kEnter},
    {GLFW_KEY_ESCAPE, view::Key::kEscape},
    {GLFW_KEY_LEFT_CONTROL, view::Key::kLeftCtrl},
    {GLFW_KEY_LEFT_SHIFT, view::Key::kLeftShift},
    {GLFW_KEY_LEFT_ALT, view::Key::kLeftAlt},
    {GLFW_KEY_LEFT_SUPER, view::Key::kLeftSuper},
    {GLFW_KEY_RIGHT_CONTROL, view::Key::kRightCtrl},
    {GLFW_KEY_RIGHT_SHIFT, view::Key::kRightShift},
    {GLFW_KEY_RIGHT_ALT, view::Key::kRightAlt},
    {GLFW_KEY_RIGHT_SUPER, view::Key::kRightSuper},
    {GLFW_KEY_KP_DECIMAL, view::Key::kKeypadDecimal},
    {GLFW_KEY_KP_DIVIDE, view::Key::kKeypadDivide},
    {GLFW_KEY_KP_MULTIPLY, view::Key::kKeypadMultiply},
    {GLFW_KEY_KP_SUBTRACT, view::Key::kKeypadSubtract},
    {GLFW_KEY_KP_ADD, view::Key::kKeypadAdd},
    {GLFW_KEY_KP_ENTER, view::Key::kKeypadEnter},
};

view::Key key_of_character(char character) {
  if (character >= 'a' && character <= 'z') return view::offset_key(view::Key::kA, character - 'a');
  if (character >= 'A' && character <= 'Z') return view::offset_key(view::Key::kA, character - 'A');
  if (character >= '0' && character <= '9') return view::offset_key(view::Key::k0, character - '0');
  for (const auto& [printed, key] : kPunctuation)
    if (printed == character) return key;
  return view::Key::kNone;
}

/// Keys that have the same meaning in every layout.
view::Key key_of_place(int place) {
  if (place >= GLFW_KEY_F1 && place <= GLFW_KEY_F12)
    return view::offset_key(view::Key::kF1, place - GLFW_KEY_F1);
  if (place >= GLFW_KEY_KP_0 && place <= GLFW_KEY_KP_9)
    return view::offset_key(view::Key::kKeypad0, place - GLFW_KEY_KP_0);
  for (const auto& [named, key] : kNamed)
    if (named == place) return key;
  return view::Key::kNone;
}

/// The character printed on a key in this layout, or 0 when it is not ASCII.
char printed_on(int place, int scancode) {
  const char* name = glfwGetKeyName(place, scancode);
  return name && std::string_view(name).size() == 1 ? name[0] : '\0';
}

}  // namespace

view::Key key_from_glfw(int key, int scancode) {
  if (const view::Key place = key_of_place(key); place != view::Key::kNone) return place;
  if (const view::Key printed = key_of_character(printed_on(key, scancode));
      printed != view::Key::kNone)
    return printed;
  // GLFW numbers the printable keys of a US keyboard by their ASCII characters. Letters and digits
  // keep their places on a Cyrillic or French keyboard; ü is no [.
  const bool has_place = key == GLFW_KEY_SPACE || (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) ||
                         (key >= GLFW_KEY_A && key <= GLFW_KEY_Z);
  return has_place ? key_of_character(static_cast<char>(key)) : view::Key::kNone;
}

}  // namespace lab::platform
