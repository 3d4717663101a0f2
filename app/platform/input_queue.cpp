#include "app/platform/input_queue.h"

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

}  // namespace lab::platform
