#include "app/view/focus/chord.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/translation/words.h"

namespace lab::view {
namespace {

constexpr int kBeforeF1 = static_cast<int>(Key::kF1) - 1;

constexpr std::array<std::pair<Key, const char*>, 14> kKeyTexts{
    {{Key::kEqual, "+"},
     {Key::kMinus, "−"},
     {Key::kLeftBracket, "["},
     {Key::kRightBracket, "]"},
     {Key::k0, "0"},
     {Key::kPeriod, "."},
     {Key::kEnter, tr_later("Enter")},
     {Key::kEscape, "Esc"},
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

// On many keyboards + and brackets are typed with Shift.
bool wants_shift_as_given(Key key) {
  return key != Key::kEqual && key != Key::kLeftBracket && key != Key::kRightBracket;
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
  if (chord.key == Key::kNone || io.KeyCtrl != chord.ctrl || io.KeyAlt != chord.alt) return false;
  if (wants_shift_as_given(chord.key) && io.KeyShift != chord.shift) return false;
  return compat::key_pressed(chord.key, chord.ctrl || is_arrow(chord.key));
}

}  // namespace lab::view
