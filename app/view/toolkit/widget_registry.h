#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/toolkit/rect.h"

namespace lab::view {

/// The rectangle of every named widget in the last frame, by its stable name (`matrix/W_Q/0/3`),
/// which tests, lessons and screenshots use to find widgets.
class WidgetRegistry {
 public:
  /// Clears the last frame.
  void clear() { widgets_.clear(), shortened_.clear(); }
  /// Records a widget that is on screen; `visible` is the visible part of its rectangle. A widget
  /// that is not visible is left out.
  void add(std::string name, const Rect& visible) {
    if (visible.w > 0 && visible.h > 0) widgets_[std::move(name)] = visible;
  }
  /// Everything on screen.
  const std::map<std::string, Rect>& widgets() const { return widgets_; }
  /// Records a text that did not fit and was shortened.
  void note_shortened(std::string_view text) { shortened_.emplace_back(text); }
  /// The full texts that were shortened.
  const std::vector<std::string>& shortened() const { return shortened_; }
  /// {"name": [x, y, w, h], …} in window pixels, sorted by name.
  std::string json() const;

 private:
  std::map<std::string, Rect> widgets_;
  std::vector<std::string> shortened_;
};

}  // namespace lab::view
