#include "app/shell/display_verbs.h"

#include "app/view/main_view.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::shell {
namespace {

constexpr float kWidth = 1600, kHeight = 4000;
constexpr int kFrames = 4;  // until every layout has settled

// Accepts every texture and draws none.
class NoTextures : public view::TextureSink {
 public:
  view::TextureId create_values(const attention::MatrixView&) override { return ++last_; }
  view::TextureId create_image(int, int, std::span<const std::uint8_t>) override { return ++last_; }
  void destroy(view::TextureId) override {}
  void paint(ImDrawList&, view::TextureId, const view::HeatMapPaint&) override {}
  ImTextureID image_id(view::TextureId texture) const override {
    return view::compat::texture_id(texture);
  }
  std::uint64_t uploads() const override { return last_; }

 private:
  view::TextureId last_ = 0;
};

// A separate ImGui context, because one may be in use.
class PrivateContext {
 public:
  PrivateContext() : before_(ImGui::GetCurrentContext()), private_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(private_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {kWidth, kHeight};
    view::compat::set_up_input(io);
    view::compat::feed_pointer(io, {-1, -1});
  }
  ~PrivateContext() {
    ImGui::DestroyContext(private_);
    ImGui::SetCurrentContext(before_);
  }
  PrivateContext(const PrivateContext&) = delete;
  PrivateContext& operator=(const PrivateContext&) = delete;

 private:
  ImGuiContext* before_;
  ImGuiContext* private_;
};

void draw_frame(Workspace& workspace, view::MainView& view) {
  if (view.prepare(workspace)) {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  ImGui::NewFrame();
  view.draw(workspace);  // nobody asks for anything
  ImGui::Render();
}

}  // namespace

std::set<std::string> widget_names(const lessons::StepStart& start) {
  const PrivateContext context;
  NoTextures textures;
  view::DesktopServices desktop;
  Workspace workspace(start.document);
  view::MainView view(textures, desktop);
  view.state().lesson.view = start.view;
  view.state().lesson.begins = true;
  for (int i = 0; i < kFrames; ++i) draw_frame(workspace, view);
  std::set<std::string> names;
  for (const auto& [name, rect] : view.widgets().widgets()) names.insert(name);
  return names;
}

}  // namespace lab::shell
