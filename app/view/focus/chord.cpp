#include "app/view/focus/chord.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/translation/words.h"

namespace lab::view {
namespace {

constexpr int kBeforeF1 = static_cast<int>(Key::kF1) - 1;

constexpr std::array<std::pair<Key, const char*>, 15> kKeyTexts{
    {{Key::kEqual, "+"},
     {Key::kMinus, "−"},
     {Key::kLeftBracket, "["},
     {Key::kRightBracket, "]"},
     {Key::k0, "0"},
     {Key::kPeriod, "."},
     {Key::kEnter, tr_later("Enter")},
     {Key::kEscape, "Esc"},
     {Key::kTab, "Tab"},
     {Key::kLeft, "←"},
     {Key::kRight, "→"},
     {Key::kUp, "↑"},
     {Key::kDown, "↓"},
     {Key::kPageUp, tr_later("Page Up")},
     {Key::kPageDown, tr_later("Page Down")}}};

std::string key_text(Key key) {
  if (is_function_key(key)) return "F" + std::to_string(static_cast<int>(key) - kBeforeF1);
  const auto named = std::ranges::find(kKeyTexts, key, &std::pair<Key, const char*>::first);
  if (named != kKeyTexts.end()) return tr(named->second);
  return std::string(1, static_cast<char>('A' + static_cast<int>(key) - static_cast<int>(Key::kA)));
}

// Keys that stand for a character, wherever a keyboard has it: with Shift, with AltGr, or beside
// the digits at the right.
struct Written {
  Key key;
  char character;
  Key keypad;
};
constexpr std::array kWritten{
    Written{Key::kEqual, '+', Key::kKeypadAdd}, Written{Key::kMinus, '-', Key::kKeypadSubtract},
    Written{Key::k0, '0', Key::kKeypad0}, Written{Key::kLeftBracket, '[', Key::kNone},
    Written{Key::kRightBracket, ']', Key::kNone}};

const Written* written_by(Key key) {
  const auto found = std::ranges::find(kWritten, key, &Written::key);
  return found == kWritten.end() ? nullptr : found;
}

bool was_typed(char character) {
  const auto& typed = ImGui::GetIO().InputQueueCharacters;
  return std::any_of(typed.begin(), typed.end(),
                     [character](ImWchar c) { return c == static_cast<ImWchar>(character); });
}

// With Ctrl no character is typed; on many keyboards + needs Shift.
bool written_with_ctrl(const Written& written, bool shift) {
  const bool as_given = written.key == Key::kEqual || ImGui::GetIO().KeyShift == shift;
  const bool keypad = written.keypad != Key::kNone && compat::key_pressed(written.keypad);
  return as_given && (keypad || compat::key_pressed(written.key));
}

bool is_arrow(Key key) { return key >= Key::kLeft && key <= Key::kDown; }

}  // namespace

bool is_function_key(Key key) { return key >= Key::kF1 && key <= Key::kF12; }

std::string chord_text(const Chord& chord) {
  if (chord.key == Key::kNone) return {};
  return (chord.ctrl ? tr("Ctrl+") : "") + (chord.alt ? "Alt+" : "") +
         (chord.shift ? tr("Shift+") : "") + key_text(chord.key);
}

bool chord_pressed(const Chord& chord) {
  const ImGuiIO& io = ImGui::GetIO();
  if (chord.key == Key::kNone || io.KeyCtrl != chord.ctrl) return false;
  const Written* const written = written_by(chord.key);
  if (written && !chord.ctrl) return was_typed(written->character);
  if (io.KeyAlt != chord.alt) return false;
  if (written) return written_with_ctrl(*written, chord.shift);
  if (io.KeyShift != chord.shift) return false;
  return compat::key_pressed(chord.key, chord.ctrl || is_arrow(chord.key));
}

}  // namespace lab::view
