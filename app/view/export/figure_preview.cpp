#include "app/view/export/figure_preview.h"

#include <cmath>

namespace lab::view {

void FigurePreview::draw(ImDrawList& list, const Rect& bounds, const PreviewKey& key,
                         const std::function<figure::FigureImage()>& make) {
  if (shown_ != key) {
    forget();
    image_ = make();
    if (!image_.rgba.empty())
      texture_ = sink_.create_image(image_.width, image_.height, image_.rgba);
    image_.rgba = {};
    shown_ = key;
  }
  if (texture_ == 0) return;
  const auto width = static_cast<float>(image_.width), height = static_cast<float>(image_.height);
  const float x = std::floor(bounds.x + (bounds.w - width) / 2);
  const float y = std::floor(bounds.y + (bounds.h - height) / 2);
  list.AddImage(sink_.image_id(texture_), {x, y}, {x + width, y + height});
}

void FigurePreview::forget() {
  if (texture_ != 0) sink_.destroy(texture_);
  texture_ = 0;
  shown_.reset();
}

}  // namespace lab::view
