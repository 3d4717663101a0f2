#pragma once

#include <string>

#include "app/view/toolkit/box_text.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::view {

/// While this lives, ImGui's text fields paste and copy through `box`: characters that ImGui cannot
/// hold are kept, line breaks and tabs of what is pasted become spaces.
class BoxClipboard {
 public:
  explicit BoxClipboard(BoxText& box);
  ~BoxClipboard();
  BoxClipboard(const BoxClipboard&) = delete;
  BoxClipboard& operator=(const BoxClipboard&) = delete;

 private:
  static const char* get(void* self);
  static void set(void* self, const char* text);

  compat::Clipboard desktop_;
  BoxText& box_;
  std::string given_;  // what ImGui was handed last
};

/// What was typed in this frame, when a character beyond U+FFFF is in it: taken away from ImGui,
/// which would lose that character. Empty otherwise. When it is not `wanted`, only those characters
/// are taken away.
std::string take_long_text(bool wanted);

}  // namespace lab::view
