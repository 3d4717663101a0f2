#pragma once

#include <deque>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/platform/heat_map_program.h"
#include "app/view/toolkit/texture_sink.h"

namespace lab::platform {

/// Textures in OpenGL. Needs a current context throughout its lifetime.
class GlTextures final : public view::TextureSink {
 public:
  /// Creates no texture yet.
  GlTextures() = default;
  ~GlTextures() override;
  /// Can be neither copied nor moved.
  GlTextures(const GlTextures&) = delete;
  GlTextures& operator=(const GlTextures&) = delete;

  /// Returns 0 for a matrix without cells, or one with more on a side than the card supports.
  view::TextureId create_values(const attention::MatrixView& values) override;
  /// Returns 0 when a side is 0 or more than the card supports, or does not match rgba.size().
  view::TextureId create_image(int width, int height, std::span<const std::uint8_t> rgba) override;
  /// As in TextureSink; the texture is deleted at the end of the frame.
  void destroy(view::TextureId texture) override;
  /// As in TextureSink.
  void paint(ImDrawList& list, view::TextureId values, const view::HeatMapPaint& paint) override;
  /// As in TextureSink.
  ImTextureID image_id(view::TextureId texture) const override;
  /// As in TextureSink.
  std::uint64_t uploads() const override { return uploads_; }

  /// Call this when the frame has been drawn or dropped: discards what was painted and deletes what
  /// was destroyed.
  void end_frame();

 private:
  struct Painting {
    GlTextures* textures;
    view::HeatMapPaint paint;
  };
  static void begin_painting(const ImDrawList* list, const ImDrawCmd* command);
  unsigned palette_texture(figure::Palette palette, bool dark);

  HeatMapProgram program_;
  std::map<std::pair<figure::Palette, bool>, unsigned> palettes_;
  std::deque<Painting> paintings_;  // of this frame; draw callbacks point into it
  std::unordered_set<view::TextureId> alive_;
  std::vector<unsigned> dead_;
  std::uint64_t uploads_ = 0;
};

}  // namespace lab::platform
