#include <gif_lib.h>

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/figure/animation/frame_encoder.h"
#include "app/figure/animation/gif_palette.h"

namespace lab::figure {
namespace {

constexpr std::size_t kMostColours = 255;  // and one entry for unchanged pixels

/// A region of the image.
struct Region {
  int left = 0, top = 0, width = 0, height = 0;
};

void check(int result) {
  if (result == GIF_ERROR) throw std::runtime_error("GIF: it could not be encoded");
}

int append(GifFileType* file, const GifByteType* bytes, int count) {
  static_cast<std::string*>(file->UserData)
      ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  return count;
}

struct MapDeleter {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};
using MapPtr = std::unique_ptr<ColorMapObject, MapDeleter>;

/// A palette of 2, 4, 8 … 256 entries, with one spare entry.
MapPtr map_of(const std::vector<Rgb>& colours) {
  MapPtr map(GifMakeMapObject(1 << GifBitSize(static_cast<int>(colours.size()) + 1), nullptr));
  if (map == nullptr) throw std::bad_alloc();
  for (std::size_t i = 0; i < colours.size(); ++i)
    map->Colors[i] = {colours[i].r, colours[i].g, colours[i].b};
  return map;
}

class GifEncoder : public FrameEncoder {
 public:
  GifEncoder(int width, int height) : width_(width), height_(height) {}
  ~GifEncoder() override { close(); }
  GifEncoder(const GifEncoder&) = delete;
  GifEncoder& operator=(const GifEncoder&) = delete;

  void learn(const FigureImage& frame) override { count_.add(frame); }

  void add(const FigureImage& frame, int milliseconds) override {
    if (file_ == nullptr) begin();
    std::vector<GifByteType> indices = indices_of(frame);
    const Region region = changed(indices);
    put_time(milliseconds);
    check(EGifPutImageDesc(file_, region.left, region.top, region.width, region.height, false,
                           nullptr));
    for (int y = region.top; y < region.top + region.height; ++y) put_row(indices, region, y);
    shown_ = std::move(indices);
  }

  std::string finish() override {
    check(close());
    return std::move(bytes_);
  }

 private:
  void begin() {
    const std::vector<Rgb> colours = count_.colours();
    unchanged_ = static_cast<int>(colours.size());
    nearest_.emplace(colours);
    const MapPtr map = map_of(colours);
    file_ = EGifOpen(&bytes_, append, nullptr);
    if (file_ == nullptr) throw std::bad_alloc();
    EGifSetGifVersion(file_, true);
    check(EGifPutScreenDesc(file_, width_, height_, map->BitsPerPixel, 0, map.get()));
    put_repeat();
  }

  int close() {
    GifFileType* file = std::exchange(file_, nullptr);
    return file == nullptr ? GIF_OK : EGifCloseFile(file, nullptr);
  }

  /// Makes the animation loop forever.
  void put_repeat() {
    constexpr GifByteType kTimes[] = {1, 0, 0};
    check(EGifPutExtensionLeader(file_, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(file_, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(file_, sizeof kTimes, kTimes));
    check(EGifPutExtensionTrailer(file_));
  }

  /// Durations are rounded so that errors do not add up.
  void put_time(int milliseconds) {
    const int from = (time_ + 5) / 10;
    time_ += milliseconds;
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, (time_ + 5) / 10 - from, unchanged_};
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    check(EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes));
  }

  std::vector<GifByteType> indices_of(const FigureImage& frame) {
    std::vector<GifByteType> indices(frame.rgba.size() / 4);
    Rgb last;
    GifByteType colour_index = nearest_->index_of(last);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const Rgb colour{frame.rgba[4 * i], frame.rgba[4 * i + 1], frame.rgba[4 * i + 2]};
      if (colour != last) colour_index = nearest_->index_of(colour), last = colour;
      indices[i] = colour_index;
    }
    return indices;
  }

  bool differs(const std::vector<GifByteType>& indices, int x, int y) const {
    const std::size_t i = index(x, y);
    return shown_.empty() || indices[i] != shown_[i];
  }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  /// The region that changed since the last frame, all of it for the first; one pixel if nothing
  /// did.
  Region changed(const std::vector<GifByteType>& indices) const {
    int left = width_, top = height_, right = -1, bottom = -1;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        if (!differs(indices, x, y)) continue;
        left = std::min(left, x), right = std::max(right, x);
        top = std::min(top, y), bottom = y;
      }
    if (right < 0) return {0, 0, 1, 1};
    return {left, top, right - left + 1, bottom - top + 1};
  }

  void put_row(const std::vector<GifByteType>& indices, const Region& region, int y) {
    row_.clear();
    for (int x = region.left; x < region.left + region.width; ++x)
      row_.push_back(differs(indices, x, y) ? indices[index(x, y)]
                                            : static_cast<GifByteType>(unchanged_));
    check(EGifPutLine(file_, row_.data(), region.width));
  }

  int width_, height_;
  ColourCount count_{kMostColours};
  std::optional<NearestColour> nearest_;
  int unchanged_ = 0;  // the entry for unchanged pixels
  GifFileType* file_ = nullptr;
  std::string bytes_;
  std::vector<GifByteType> shown_;  // the last frame
  std::vector<GifByteType> row_;
  int time_ = 0;
};

}  // namespace

std::unique_ptr<FrameEncoder> gif_encoder(int width, int height) {
  return std::make_unique<GifEncoder>(width, height);
}

}  // namespace lab::figure
