#pragma once

#include <string>

#include "app/view/toolkit/box_text.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::view {

/// While this exists, ImGui's text fields copy and paste through `box`: characters that ImGui
/// cannot hold are kept, and line breaks and tabs in pasted text become spaces; in a field of
/// several `lines` line breaks stay.
class BoxClipboard {
 public:
  /// Until its end, copying and pasting use `box`, which must outlive it.
  explicit BoxClipboard(BoxText& box, bool lines = false);
  ~BoxClipboard();
  /// Can be neither copied nor moved: ImGui refers to it.
  BoxClipboard(const BoxClipboard&) = delete;
  BoxClipboard& operator=(const BoxClipboard&) = delete;

 private:
  static const char* get(void* self);
  static void set(void* self, const char* text);

  compat::Clipboard desktop_;
  BoxText& box_;
  bool lines_;
  std::string given_;  // the text last given to ImGui
};

/// The text typed in this frame if it has a character beyond U+FFFF, otherwise empty. It is removed
/// from ImGui's input, because ImGui would lose that character; unless `requested`, only such
/// characters are removed.
std::string take_long_text(bool requested);

}  // namespace lab::view
