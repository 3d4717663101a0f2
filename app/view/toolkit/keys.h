#pragma once

namespace lab::view {

/// A key, named by its label in the user's layout.
enum class Key : int {
  kNone,
  // In the order of Dear ImGui's own names from 1.87 on, so that a range maps onto a range.
  kTab,
  kLeft,
  kRight,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kInsert,
  kDelete,
  kBackspace,
  kSpace,
  kEnter,
  kEscape,
  kLeftCtrl,
  kLeftShift,
  kLeftAlt,
  kLeftSuper,
  kRightCtrl,
  kRightShift,
  kRightAlt,
  kRightSuper,
  k0,
  k1,
  k2,
  k3,
  k4,
  k5,
  k6,
  k7,
  k8,
  k9,
  kA,
  kB,
  kC,
  kD,
  kE,
  kF,
  kG,
  kH,
  kI,
  kJ,
  kK,
  kL,
  kM,
  kN,
  kO,
  kP,
  kQ,
  kR,
  kS,
  kT,
  kU,
  kV,
  kW,
  kX,
  kY,
  kZ,
  kF1,
  kF2,
  kF3,
  kF4,
  kF5,
  kF6,
  kF7,
  kF8,
  kF9,
  kF10,
  kF11,
  kF12,
  kApostrophe,
  kComma,
  kMinus,
  kPeriod,
  kSlash,
  kSemicolon,
  kEqual,
  kLeftBracket,
  kBackslash,
  kRightBracket,
  kGraveAccent,
  kKeypad0,
  kKeypad1,
  kKeypad2,
  kKeypad3,
  kKeypad4,
  kKeypad5,
  kKeypad6,
  kKeypad7,
  kKeypad8,
  kKeypad9,
  kKeypadDecimal,
  kKeypadDivide,
  kKeypadMultiply,
  kKeypadSubtract,
  kKeypadAdd,
  kKeypadEnter,
  kCount
};

/// The key `offset` positions after `first`: offset_key(Key::k0, 7) is Key::k7.
constexpr Key offset_key(Key first, int offset) {
  return static_cast<Key>(static_cast<int>(first) + offset);
}

/// True for Ctrl, Shift, Alt and Super.
constexpr bool is_modifier(Key key) { return key >= Key::kLeftCtrl && key <= Key::kRightSuper; }

/// True for keys that write a character when no modifier but Shift or AltGr is held.
constexpr bool writes_text(Key key) {
  return key == Key::kSpace || (key >= Key::k0 && key <= Key::kZ) ||
         (key >= Key::kApostrophe && key <= Key::kKeypadAdd);
}

/// Mouse buttons at the side, by the numbers of Dear ImGui.
inline constexpr int kMouseBack = 3, kMouseForward = 4;

}  // namespace lab::view
