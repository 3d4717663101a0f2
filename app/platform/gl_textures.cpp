#include "app/platform/gl_textures.h"

#include <glad/gl.h>

#include "app/view/toolkit/imgui_compat.h"

namespace lab::platform {
namespace {

/// Pixels as OpenGL takes them; `row_length` is the distance between rows.
struct Pixels {
  GLint format;
  GLenum channels;
  GLenum type;
  const void* data;
  attention::Index width, height, row_length;
};

bool card_can_hold(attention::Index width, attention::Index height) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  return width > 0 && height > 0 && width <= largest && height <= largest;
}

GLuint upload(const Pixels& pixels, GLint filter) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(pixels.row_length));
  glTexImage2D(GL_TEXTURE_2D, 0, pixels.format, static_cast<GLsizei>(pixels.width),
               static_cast<GLsizei>(pixels.height), 0, pixels.channels, pixels.type, pixels.data);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  return texture;
}

}  // namespace

GlTextures::~GlTextures() {
  end_frame();
  for (const view::TextureId texture : alive_) {
    const auto name = static_cast<GLuint>(texture);
    glDeleteTextures(1, &name);
  }
  for (const auto& [key, name] : palettes_) glDeleteTextures(1, &name);
}

view::TextureId GlTextures::create_values(const attention::MatrixView& values) {
  if (!card_can_hold(values.cols(), values.rows())) return 0;
  ++uploads_;
  return *alive_
              .insert(upload({GL_R32F, GL_RED, GL_FLOAT, values.data(), values.cols(),
                              values.rows(), values.outerStride()},
                             GL_NEAREST))
              .first;
}

view::TextureId GlTextures::create_image(int width, int height,
                                         std::span<const std::uint8_t> rgba) {
  if (!card_can_hold(width, height) ||
      rgba.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)
    return 0;
  ++uploads_;
  return *alive_
              .insert(
                  upload({GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data(), width, height, width},
                         GL_LINEAR))
              .first;
}

void GlTextures::destroy(view::TextureId texture) {
  if (alive_.erase(texture)) dead_.push_back(static_cast<GLuint>(texture));
}

void GlTextures::paint(ImDrawList& list, view::TextureId values, const view::HeatMapPaint& paint) {
  if (values == 0) return;
  Painting& painting = paintings_.emplace_back(Painting{this, paint});
  list.AddCallback(&begin_painting, &painting);
  list.AddImage(image_id(values), paint.min, paint.max, paint.uv_min, paint.uv_max);
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void GlTextures::begin_painting(const ImDrawList*, const ImDrawCmd* command) {
  const auto& painting = *static_cast<const Painting*>(command->UserCallbackData);
  GlTextures& textures = *painting.textures;
  textures.program_.begin(painting.paint,
                          textures.palette_texture(painting.paint.palette, painting.paint.dark));
}

unsigned GlTextures::palette_texture(figure::Palette palette, bool dark) {
  unsigned& name = palettes_[{palette, dark}];
  if (name == 0) {
    const figure::PaletteTable& table = figure::palette_table(palette, dark);
    name = upload({GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, table.data(), figure::kPaletteSize, 1,
                   figure::kPaletteSize},
                  GL_NEAREST);
  }
  return name;
}

ImTextureID GlTextures::image_id(view::TextureId texture) const {
  return view::compat::texture_id(texture);
}

void GlTextures::end_frame() {
  paintings_.clear();
  glDeleteTextures(static_cast<GLsizei>(dead_.size()), dead_.data());
  dead_.clear();
}

}  // namespace lab::platform
