#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/toolkit/rect.h"

namespace lab::view {

/// Where every named widget was in the last frame, by its stable name (`matrix/W_Q/0/3`): tests,
/// lessons and screenshots find widgets by it.
class WidgetRegistry {
 public:
  /// Forgets the last frame.
  void clear() { widgets_.clear(), shortened_.clear(); }
  /// Notes a widget that is on screen; `visible` is its rectangle cut to what can be seen of it. A
  /// widget of which nothing can be seen is left out.
  void add(std::string name, const Rect& visible) {
    if (visible.w > 0 && visible.h > 0) widgets_[std::move(name)] = visible;
  }
  /// Everything on screen.
  const std::map<std::string, Rect>& widgets() const { return widgets_; }
  /// Notes a text that had no room and was shortened.
  void note_shortened(std::string_view text) { shortened_.emplace_back(text); }
  /// The texts that were shortened, as they would be whole.
  const std::vector<std::string>& shortened() const { return shortened_; }
  /// {"name": [x, y, w, h], …} in window pixels, sorted by name.
  std::string json() const;

 private:
  std::map<std::string, Rect> widgets_;
  std::vector<std::string> shortened_;
};

}  // namespace lab::view
