#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>

#include "app/figure/colour/palette.h"
#include "core/matrix.h"

namespace lab::view {

/// A texture of the sink; 0 is none.
using TextureId = std::uintptr_t;

/// How a texture of values is painted. All lengths are in window pixels.
struct HeatMapPaint {
  ImVec2 min;           ///< top left corner on screen
  ImVec2 max;           ///< bottom right corner on screen
  ImVec2 uv_min{0, 0};  ///< the part of the matrix that is shown, in 0 … 1 (x: columns)
  ImVec2 uv_max{1, 1};
  figure::Palette palette = figure::Palette::kBlues;
  bool dark = false;  ///< the theme that the palette is for
  figure::Range range;
  float gap = 1;  ///< between cells; omitted when cells are smaller than 4 pixels
  figure::Rgb surface{255, 255, 255};  ///< colour of the gaps
  figure::Rgb ink{0, 0, 0};            ///< colour of the hatching (−∞) and the cross (NaN)
};

/// Receives what only a graphics card can draw: the narrow interface between view and platform.
/// Values are uploaded once, raw; palette and range are parameters of painting, so that changing
/// them uploads nothing. Tests use a sink that counts.
class TextureSink {
 public:
  virtual ~TextureSink() = default;

  /// A new texture of float values [rows × cols], each cell with a hard edge.
  virtual TextureId create_values(const attention::MatrixView& values) = 0;
  /// A new texture of `rgba` (4 bytes per pixel, alpha not premultiplied, rows from the top),
  /// smooth.
  virtual TextureId create_image(int width, int height, std::span<const std::uint8_t> rgba) = 0;
  /// Releases a texture. It may still be in use in the frame that is being drawn.
  virtual void destroy(TextureId texture) = 0;
  /// Queues the painting of a texture of values in `list`, in order with everything else there.
  virtual void paint(ImDrawList& list, TextureId values, const HeatMapPaint& paint) = 0;
  /// The id of an image texture for ImDrawList::AddImage.
  virtual ImTextureID image_id(TextureId texture) const = 0;
  /// The number of textures created since the start.
  virtual std::uint64_t uploads() const = 0;
};

}  // namespace lab::view
