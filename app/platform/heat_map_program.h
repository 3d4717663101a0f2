#pragma once

#include "app/view/toolkit/texture_sink.h"

namespace lab::platform {

/// The shaders that draw a texture of values as a heat map. They replace those of ImGui for the
/// draw command that follows begin(). Needs a current OpenGL context.
class HeatMapProgram {
 public:
  /// Compiles the shaders on first use.
  HeatMapProgram() = default;
  ~HeatMapProgram();
  /// Can be neither copied nor moved.
  HeatMapProgram(const HeatMapProgram&) = delete;
  HeatMapProgram& operator=(const HeatMapProgram&) = delete;

  /// Sets up OpenGL to paint the values on texture unit 0 as `paint` says, with `colours` (the name
  /// of a 256 × 1 texture). Call this from a draw callback, while the shaders of ImGui are in use.
  void begin(const view::HeatMapPaint& paint, unsigned colours);

 private:
  void build();
  int uniform(const char* name) const;

  unsigned program_ = 0;
  int frame_size_ = -1, rect_ = -1, region_ = -1, range_ = -1, spread_ = -1, zero_ = -1,
      neutral_ = -1, gap_ = -1, surface_ = -1, ink_ = -1;
};

}  // namespace lab::platform
