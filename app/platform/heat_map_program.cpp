#include "app/platform/heat_map_program.h"

#include <glad/gl.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "app/platform/heat_map_shaders.h"

namespace lab::platform {
namespace {

GLuint compile(GLenum type, const char* source) {
  const GLuint shader = glCreateShader(type);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  return shader;
}

/// Throws std::runtime_error with the message of the driver when `program` was not linked.
void check_linked(GLuint program) {
  GLint linked = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked) return;
  char log[1024] = "";
  glGetProgramInfoLog(program, sizeof log, nullptr, log);
  throw std::runtime_error(std::string("The heat map shader does not link: ") + log);
}

/// The vertices of ImGui use the attribute locations of its shaders.
GLuint position_attribute() {
  GLint current = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &current);
  const GLint location = glGetAttribLocation(current, "Position");
  return location < 0 ? 0 : location;
}

void set_colour(GLint uniform, figure::Rgb colour) {
  glUniform3f(uniform, colour.r / 255.0f, colour.g / 255.0f, colour.b / 255.0f);
}

float neutral_value(const view::HeatMapPaint& paint) {
  return figure::value_at(paint.range, figure::is_diverging(paint.palette) ? 0.5 : 0);
}

}  // namespace

HeatMapProgram::~HeatMapProgram() { glDeleteProgram(program_); }

int HeatMapProgram::uniform(const char* name) const { return glGetUniformLocation(program_, name); }

void HeatMapProgram::build() {
  const GLuint vertex = compile(GL_VERTEX_SHADER, kHeatMapVertexShader);
  const GLuint fragment = compile(GL_FRAGMENT_SHADER, kHeatMapFragmentShader);
  program_ = glCreateProgram();
  glAttachShader(program_, vertex);
  glAttachShader(program_, fragment);
  glBindAttribLocation(program_, position_attribute(), "Position");
  glLinkProgram(program_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  check_linked(program_);
  frame_size_ = uniform("FrameSize");
  rect_ = uniform("Rect");
  region_ = uniform("Part");
  range_ = uniform("Range");
  spread_ = uniform("Spread");
  zero_ = uniform("Zero");
  neutral_ = uniform("Neutral");
  gap_ = uniform("Gap");
  surface_ = uniform("Surface");
  ink_ = uniform("Ink");
  glUseProgram(program_);
  glUniform1i(uniform("Values"), 0);
  glUniform1i(uniform("Colours"), 1);
}

void HeatMapProgram::begin(const view::HeatMapPaint& paint, unsigned colours) {
  if (!program_) build();
  glUseProgram(program_);
  GLint viewport[4] = {};
  glGetIntegerv(GL_VIEWPORT, viewport);
  glUniform2f(frame_size_, static_cast<float>(viewport[2]), static_cast<float>(viewport[3]));
  glUniform4f(rect_, paint.min.x, paint.min.y, paint.max.x, paint.max.y);
  glUniform4f(region_, paint.uv_min.x, paint.uv_min.y, paint.uv_max.x, paint.uv_max.y);
  glUniform2f(range_, paint.range.lo, paint.range.hi);
  glUniform1i(spread_, static_cast<int>(paint.range.spread));
  glUniform1f(zero_, paint.range.zero);
  glUniform1f(neutral_, neutral_value(paint));
  glUniform1f(gap_, std::round(paint.gap));
  set_colour(surface_, paint.surface);
  set_colour(ink_, paint.ink);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, colours);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace lab::platform
