#pragma once

#include <map>
#include <string>

#include "app/tests/rooms.h"
#include "app/view/main_view.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab {

/// The first head's W_Q.
inline constexpr MatrixRef kWQ1{MatrixId::kWQ, 0};

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
  /// The last painting of values.
  std::vector<HeatMapPaint> painted;

 private:
  std::uint64_t uploads_ = 0;
};

/// A desktop whose file dialog the test answers, and whose clipboard holds one picture.
class FakeDesktop : public DesktopServices {
 public:
  bool has_file_dialog() const override { return has_dialog; }
  bool ask_file(const FileQuestion& question) override;
  std::optional<FileAnswer> take_file_answer() override;
  void withdraw_file_question() override { open = false; }
  Expected<void> copy_picture(const std::string& png) override;

  bool has_dialog = false;
  bool open = false;  ///< the file dialog
  std::vector<FileQuestion> questions;
  std::optional<FileAnswer> answer;  ///< the result of the open one in the next frame
  std::optional<std::string> picture;
  std::string refusal;  ///< why the clipboard refuses pictures
};

/// The window without a display: scripted mouse and keys, real state.
class Screen {
 public:
  explicit Screen(Document document, ImVec2 size = {1600, 1000});
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Draws frames, each this many seconds after the one before, and executes the intents of each.
  void frames(int count = 1, float seconds = 1.0f / 60);
  /// The rectangle of the widget of that name; fails the test when it is not on screen.
  Rect place(const std::string& name) const;
  bool shows(const std::string& name) const { return view.widgets().widgets().contains(name); }
  /// Moves, presses and releases the pointer, one frame each.
  void move(ImVec2 to);
  void press();
  void release();
  void click(const std::string& name);
  void drag(const std::string& name, ImVec2 by);
  void key(Key key, bool ctrl = false, bool shift = false);
  void type(const std::string& text);

  const Document& document() const { return workspace.document(); }
  /// Names of the parts of the window that show a scroll bar, or need one.
  std::vector<std::string> scroll_bars() const;
  float cell(MatrixRef ref, int row, int col) const;

 private:
  ImGuiContext* context_;

 public:
  FakeSink sink;
  FakeDesktop desktop;
  Workspace workspace;
  MainView view;
};

}  // namespace lab
