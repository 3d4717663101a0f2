#pragma once

#include "app/view/toolkit/texture_sink.h"

namespace lab::platform {

/// The shaders that turn a texture of values into a heat map. They take the place of ImGui's own
/// for the draw command that follows begin(). Needs a current OpenGL context.
class HeatMapProgram {
 public:
  HeatMapProgram() = default;
  ~HeatMapProgram();
  HeatMapProgram(const HeatMapProgram&) = delete;
  HeatMapProgram& operator=(const HeatMapProgram&) = delete;

  /// Makes OpenGL paint the values on texture unit 0 as `paint` says, with `colours` (the name of
  /// a texture of 256 × 1). To be called from a draw callback, while ImGui's shaders are in use.
  void begin(const view::HeatMapPaint& paint, unsigned colours);

 private:
  void build();
  int uniform(const char* name) const;

  unsigned program_ = 0;
  int frame_size_ = -1, rect_ = -1, part_ = -1, range_ = -1, neutral_ = -1, gap_ = -1,
      surface_ = -1, ink_ = -1;
};

}  // namespace lab::platform
