#pragma once

namespace lab::platform {

/// Places the rectangle of ImGui; the fragment shader works only from pixel positions.
inline constexpr char kHeatMapVertexShader[] = R"(#version 330 core
uniform vec2 FrameSize;
in vec2 Position;
void main() {
  vec2 at = Position / FrameSize * 2.0 - 1.0;
  gl_Position = vec4(at.x, -at.y, 0.0, 1.0);
}
)";

/// Finds the cell of a pixel and colours it. Cell edges are rounded to whole pixels, so that gaps
/// are crisp; a pixel that covers several cells shows the most prominent one.
inline constexpr char kHeatMapFragmentShader[] = R"(#version 330 core
uniform sampler2D Values;   // one float a cell, row 0 first
uniform sampler2D Colours;  // 256 × 1
uniform vec2 FrameSize;
uniform vec4 Rect;          // min and max corner, in pixels from the top left
uniform vec4 Part;          // the part of the matrix shown there, 0 … 1
uniform vec2 Range;
uniform int Spread;         // figure::Spread
uniform float Zero;         // where a spread measures from
uniform float Neutral;      // the value that stands out least
uniform float Gap;          // whole pixels
uniform vec3 Surface;
uniform vec3 Ink;
out vec4 Out;

const int kMostCells = 64;  // a pixel looks at, along each side
const float kLeastGapped = 4.0;
const float kHatch = 6.0;

bool is_special(float v) { return (floatBitsToUint(v) & 0x7f800000u) == 0x7f800000u; }
bool is_nan(float v) { return is_special(v) && (floatBitsToUint(v) & 0x007fffffu) != 0u; }
bool is_below_all(float v) { return floatBitsToUint(v) == 0xff800000u; }

vec2 cells() { return vec2(textureSize(Values, 0)); }
vec2 shown() { return (Part.zw - Part.xy) * cells(); }
vec2 extent() { return Rect.zw - Rect.xy; }
vec2 pitch() { return extent() / shown(); }
vec2 cell_at(vec2 pixel) { return (pixel - Rect.xy) / pitch() + Part.xy * cells(); }
// In this order of operations, edges fall where the view rounds them to.
vec2 edge(vec2 cell) {
  return floor(Rect.xy + extent() * (cell - Part.xy * cells()) / shown() + 0.5);
}

vec2 cell_of(vec2 pixel) {
  vec2 cell = floor(cell_at(pixel + 0.5));
  cell -= vec2(lessThan(pixel, edge(cell)));
  cell += vec2(greaterThanEqual(pixel, edge(cell + 1.0)));
  return clamp(cell, vec2(0.0), cells() - 1.0);
}

// -1 for −∞, which stands out less than any number.
float prominence(float v) { return is_below_all(v) ? -1.0 : abs(v - Neutral); }

float most_prominent(vec2 first, vec2 last) {
  vec2 stride = max(vec2(1.0), ceil((last - first + 1.0) / float(kMostCells)));
  float best = texelFetch(Values, ivec2(first), 0).r;
  for (float y = first.y; y <= last.y; y += stride.y) {
    for (float x = first.x; x <= last.x; x += stride.x) {
      float v = texelFetch(Values, ivec2(x, y), 0).r;
      if (is_nan(v)) return v;
      if (prominence(v) > prominence(best)) best = v;
    }
  }
  return best;
}

// A cell wider than a pixel is itself; narrower ones are all those that the pixel covers.
float value_of(vec2 pixel, vec2 cell) {
  vec2 wide = vec2(greaterThanEqual(pitch(), vec2(1.0)));
  vec2 limit = cells() - 1.0;
  vec2 first = mix(clamp(floor(cell_at(pixel)), vec2(0.0), limit), cell, wide);
  vec2 last = mix(clamp(ceil(cell_at(pixel + 1.0)) - 1.0, first, limit), cell, wide);
  return most_prominent(first, last);
}

float stretched(float part) {
  float far = abs(part);
  return sign(part) * (Spread == 1 ? sqrt(far) : log(1.0 + 999.0 * far) / log(1000.0));
}

// As figure::share_of. Halved, so that a range from -3e38 to 3e38 does not overflow.
float share_of(float v) {
  vec2 ends = 0.5 * Range;
  if (ends.x >= ends.y) return 0.0;
  float at = clamp(0.5 * v, ends.x, ends.y);
  if (Spread == 0) return (at - ends.x) / (ends.y - ends.x);
  float zero = 0.5 * Zero, reach = max(abs(ends.x - zero), abs(ends.y - zero));
  float low = stretched((ends.x - zero) / reach), high = stretched((ends.y - zero) / reach);
  return clamp((stretched((at - zero) / reach) - low) / (high - low), 0.0, 1.0);
}

vec3 colour_of(float v) {
  return texelFetch(Colours, ivec2(int(share_of(v) * 255.0 + 0.5), 0), 0).rgb;
}

bool on_hatch(vec2 pixel) {
  vec2 from_corner = pixel - floor(Rect.xy + 0.5);
  return mod(from_corner.x + from_corner.y, kHatch) < 1.0;
}

bool on_cross(vec2 pixel, vec2 cell) {
  vec2 size = edge(cell + 1.0) - edge(cell);
  if (min(size.x, size.y) < kLeastGapped) return true;
  vec2 at = pixel + 0.5 - edge(cell);
  float falling = abs(at.x * size.y - at.y * size.x);
  float rising = abs(at.x * size.y + at.y * size.x - size.x * size.y);
  return min(falling, rising) < 0.8 * length(size);
}

bool in_gap(vec2 pixel, vec2 cell) {
  vec2 size = pitch();
  if (min(size.x, size.y) < kLeastGapped) return false;
  bvec2 beyond = greaterThanEqual(pixel, edge(cell + 1.0) - Gap);
  bvec2 between = lessThan(cell, cells() - 1.0);
  return (beyond.x && between.x) || (beyond.y && between.y);
}

vec3 colour_of_pixel(vec2 pixel) {
  vec2 cell = cell_of(pixel);
  if (in_gap(pixel, cell)) return Surface;
  float v = value_of(pixel, cell);
  if (is_nan(v)) return on_cross(pixel, cell) ? Ink : Surface;
  if (is_special(v) && on_hatch(pixel)) return is_below_all(v) ? Ink : Surface;
  return is_below_all(v) ? Surface : colour_of(is_special(v) ? Range.y : v);
}

void main() {
  vec2 pixel = floor(vec2(gl_FragCoord.x, FrameSize.y - gl_FragCoord.y));
  Out = vec4(colour_of_pixel(pixel), 1.0);
}
)";

}  // namespace lab::platform
