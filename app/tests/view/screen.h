#pragma once

#include <map>
#include <string>

#include "app/view/imgui_compat.h"
#include "app/view/main_view.h"

namespace lab {

/// A texture sink that draws nothing and counts.
class FakeSink : public TextureSink {
 public:
  TextureId create_values(const attention::MatrixView& values) override;
  TextureId create_image(int width, int height, std::span<const std::uint8_t> rgba) override;
  void destroy(TextureId texture) override;
  void paint(ImDrawList&, TextureId values, const HeatMapPaint& paint) override;
  ImTextureID image_id(TextureId texture) const override { return compat::texture_id(texture); }
  std::uint64_t uploads() const override { return uploads_; }

  /// Textures alive, by id: true for values.
  std::map<TextureId, bool> alive;
  /// How the values were painted last.
  std::vector<HeatMapPaint> painted;

 private:
  std::uint64_t uploads_ = 0;
};

/// The window without a display: scripted mouse and keys, real state.
class Screen {
 public:
  explicit Screen(Document document, ImVec2 size = {1600, 1000});
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Draws frames and carries out what was asked for in each.
  void frames(int count = 1);
  /// Rectangle of the widget of that name; fails the test when it is not on screen.
  Rect place(const std::string& name) const;
  bool shows(const std::string& name) const { return view.widgets().widgets().contains(name); }
  /// Moves, presses and lets go as a hand does, a frame each.
  void move(ImVec2 to);
  void press();
  void release();
  void click(const std::string& name);
  void drag(const std::string& name, ImVec2 by);
  void key(Key key, bool ctrl = false, bool shift = false);
  void type(const std::string& text);

  const Document& document() const { return workspace.document(); }
  /// Names of the parts of the window that show a scroll bar.
  std::vector<std::string> scroll_bars() const;
  float cell(MatrixRef ref, int row, int col) const;

 private:
  ImGuiContext* context_;

 public:
  FakeSink sink;
  Workspace workspace;
  MainView view;
};

}  // namespace lab
