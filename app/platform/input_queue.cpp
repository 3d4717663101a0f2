#include "app/platform/input_queue.h"

#include <GLFW/glfw3.h>

#include <string_view>
#include <utility>

namespace lab::platform {
namespace {

using namespace input;

/// What a frame has taken so far.
class Frame {
 public:
  bool takes(const PointerMoved&) const { return pointer_is_free(); }
  bool takes(const PointerLeft&) const { return pointer_is_free(); }
  bool takes(const ButtonChanged& event) const {
    return !wheel_ && !keyboard_used() && !buttons_.test(index(event));
  }
  bool takes(const Scrolled&) const { return buttons_.none() && !keyboard_used(); }
  bool takes(const Typed&) const { return !command_key_down_ && !button_or_wheel(); }
  bool takes(const FocusChanged&) const { return !keyboard_used() && !button_or_wheel(); }
  bool takes(const KeyChanged& event) const {
    if (button_or_wheel() || keys_.test(index(event))) return false;
    if (view::is_modifier(event.key)) return !key_down_ && !typed_;
    return !event.down || !key_down_;
  }

  void add(const PointerMoved&) {}
  void add(const PointerLeft&) {}
  void add(const FocusChanged&) {}
  void add(const ButtonChanged& event) { buttons_.set(index(event)); }
  void add(const Scrolled&) { wheel_ = true; }
  // The view inserts characters that ImGui cannot hold after all keys: no key may follow.
  void add(const Typed& event) {
    typed_ = true;
    key_down_ |= event.character > 0xFFFF;
  }
  void add(const KeyChanged& event) {
    keys_.set(index(event));
    if (event.down && !view::is_modifier(event.key)) {
      key_down_ = true;
      command_key_down_ = !view::writes_text(event.key);
    }
  }

 private:
  static std::size_t index(const ButtonChanged& event) { return event.button & 7; }
  static std::size_t index(const KeyChanged& event) { return static_cast<std::size_t>(event.key); }
  bool button_or_wheel() const { return wheel_ || buttons_.any(); }
  bool keyboard_used() const { return typed_ || keys_.any(); }
  bool pointer_is_free() const { return !button_or_wheel() && !keyboard_used(); }

  std::bitset<8> buttons_;
  std::bitset<static_cast<std::size_t>(view::Key::kCount)> keys_;
  bool wheel_ = false;
  bool typed_ = false;
  bool key_down_ = false;
  bool command_key_down_ = false;
};

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
view::Key key_at_position(int position) {
  if (position >= GLFW_KEY_F1 && position <= GLFW_KEY_F12)
    return view::offset_key(view::Key::kF1, position - GLFW_KEY_F1);
  if (position >= GLFW_KEY_KP_0 && position <= GLFW_KEY_KP_9)
    return view::offset_key(view::Key::kKeypad0, position - GLFW_KEY_KP_0);
  for (const auto& [named, key] : kNamed)
    if (named == position) return key;
  return view::Key::kNone;
}

/// The character printed on a key in this layout, or 0 when it is not ASCII.
char printed_on(int position, int scancode) {
  const char* name = glfwGetKeyName(position, scancode);
  return name && std::string_view(name).size() == 1 ? name[0] : '\0';
}

}  // namespace

void InputQueue::push(const InputEvent& event) {
  if (const auto* changed = std::get_if<ButtonChanged>(&event))
    buttons_held_.set(changed->button & 7, changed->down);
  if (std::holds_alternative<PointerLeft>(event) && buttons_held_.any()) return;
  if (std::holds_alternative<PointerMoved>(event) && pending() &&
      std::holds_alternative<PointerMoved>(events_.back()))
    events_.pop_back();
  events_.push_back(event);
}

std::vector<InputEvent> InputQueue::take_frame() {
  std::vector<InputEvent> taken;
  Frame frame;
  const auto fits = [&frame](const auto& event) { return frame.takes(event); };
  while (pending() && std::visit(fits, events_.front())) {
    taken.push_back(events_.front());
    events_.pop_front();
    std::visit([&frame](const auto& event) { frame.add(event); }, taken.back());
  }
  return taken;
}

view::Key key_from_glfw(int key, int scancode) {
  if (const view::Key position = key_at_position(key); position != view::Key::kNone)
    return position;
  if (const view::Key printed = key_of_character(printed_on(key, scancode));
      printed != view::Key::kNone)
    return printed;
  // GLFW numbers the printable keys of a US keyboard by their ASCII characters. Letters and digits
  // keep their positions on a Cyrillic or French keyboard; ü is no [.
  const bool has_position = key == GLFW_KEY_SPACE || (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) ||
                            (key >= GLFW_KEY_A && key <= GLFW_KEY_Z);
  return has_position ? key_of_character(static_cast<char>(key)) : view::Key::kNone;
}

}  // namespace lab::platform
