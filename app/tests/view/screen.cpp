#include "app/tests/view/screen.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/document/commands/reducer.h"
#include "app/tests/rooms.h"

namespace lab {

TextureId FakeSink::create_values(const attention::MatrixView&) {
  alive[++uploads_] = true;
  return uploads_;
}

TextureId FakeSink::create_image(int width, int height, std::span<const std::uint8_t> rgba) {
  EXPECT_EQ(rgba.size(), static_cast<std::size_t>(width * height * 4));
  alive[++uploads_] = false;
  return uploads_;
}

void FakeSink::destroy(TextureId texture) { EXPECT_EQ(alive.erase(texture), 1U); }

void FakeSink::paint(ImDrawList&, TextureId values, const HeatMapPaint& paint) {
  EXPECT_TRUE(alive.contains(values) && alive[values]) << "painted a texture that is gone";
  painted.push_back(paint);
}

bool FakeDesktop::ask_file(const FileQuestion& question) {
  if (!has_dialog || open) return false;
  questions.push_back(question);
  return open = true;
}

std::optional<FileAnswer> FakeDesktop::take_file_answer() {
  EXPECT_TRUE(open) << "nobody was asked";
  if (answer) open = false;
  return std::exchange(answer, std::nullopt);
}

Expected<void> FakeDesktop::copy_picture(const std::string& png) {
  if (!refusal.empty()) return fail(ErrorType::kFailed, refusal);
  picture = png;
  return {};
}

namespace {

// One atlas for all screens, where ImGui draws all of its glyphs in advance: that would be most of
// the time of most tests.
ImFontAtlas* shared_atlas() {
  static ImFontAtlas atlas;
  return compat::kDrawsGlyphsInAdvance ? &atlas : nullptr;
}

}  // namespace

Screen::Screen(Document document, ImVec2 size)
    : context_(ImGui::CreateContext(shared_atlas())),
      workspace(std::move(document)),
      view(sink, desktop) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = size;
  io.ConfigInputTextCursorBlink = false;
  compat::set_up_input(io);
  compat::feed_pointer(io, {-1, -1});
  frames(3);
}

Screen::~Screen() { ImGui::DestroyContext(context_); }

void Screen::frames(int count, float seconds) {
  for (int i = 0; i < count; ++i) {
    ImGuiIO& io = ImGui::GetIO();
    if (view.prepare(workspace)) {
      unsigned char* pixels = nullptr;
      int width = 0, height = 0;
      io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    }
    io.DeltaTime = seconds;
    ImGui::NewFrame();
    sink.painted.clear();
    std::vector<Intent> intents = view.draw(workspace);
    ImGui::Render();
    for (Intent& one : intents) workspace.queue(std::move(one));
    workspace.drain();
  }
}

Rect Screen::place(const std::string& name) const {
  const auto& widgets = view.widgets().widgets();
  const auto found = widgets.find(name);
  EXPECT_NE(found, widgets.end()) << name << " is not on screen";
  return found == widgets.end() ? Rect{} : found->second;
}

void Screen::move(ImVec2 to) {
  compat::feed_pointer(ImGui::GetIO(), to);
  frames();
}

void Screen::press() {
  compat::feed_button(ImGui::GetIO(), 0, true);
  frames();
}

void Screen::release() {
  compat::feed_button(ImGui::GetIO(), 0, false);
  frames(2);
}

void Screen::click(const std::string& name) {
  const Rect rect = place(name);
  move({rect.x + rect.w / 2, rect.y + rect.h / 2});
  press();
  release();
  frames(3, 0.2f);  // so that two clicks are not a double click
}

void Screen::drag(const std::string& name, ImVec2 by) {
  const Rect rect = place(name);
  const ImVec2 start{rect.x + rect.w / 2, rect.y + rect.h / 2};
  move(start);
  press();
  move({start.x + by.x / 2, start.y + by.y / 2});
  move({start.x + by.x, start.y + by.y});
  release();
}

namespace {

// The characters that the program reads as such, in the places of a US keyboard.
void type_of_key(ImGuiIO& io, Key key) {
  constexpr std::pair<Key, char> kTyped[] = {{Key::kEqual, '+'},
                                             {Key::kMinus, '-'},
                                             {Key::k0, '0'},
                                             {Key::kLeftBracket, '['},
                                             {Key::kRightBracket, ']'}};
  for (const auto& [typing, character] : kTyped)
    if (typing == key) compat::feed_character(io, static_cast<char32_t>(character));
}

}  // namespace

void Screen::key(Key key, bool ctrl, bool shift) {
  ImGuiIO& io = ImGui::GetIO();
  if (ctrl) compat::feed_key(io, Key::kLeftCtrl, true);
  if (shift) compat::feed_key(io, Key::kLeftShift, true);
  compat::feed_key(io, key, true);
  if (!ctrl) type_of_key(io, key);
  frames();
  compat::feed_key(io, key, false);
  if (ctrl) compat::feed_key(io, Key::kLeftCtrl, false);
  if (shift) compat::feed_key(io, Key::kLeftShift, false);
  frames();
}

void Screen::type(const std::string& text) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    unsigned character = 0;
    at += ImTextCharFromUtf8(&character, at, end);
    compat::feed_character(ImGui::GetIO(), character);
    frames();
  }
  frames();
}

namespace {

// True for a dialog or menu that is wider than the screen, and does not scroll.
bool is_cut_off(const ImGuiWindow& window) {
  const float room = window.Size.x - 2 * window.WindowPadding.x - window.ScrollbarSizes.x;
  return (window.Flags & ImGuiWindowFlags_AlwaysAutoResize) != 0 && window.ContentSize.x > room + 1;
}

}  // namespace

std::vector<std::string> Screen::scroll_bars() const {
  std::vector<std::string> names;
  for (const ImGuiWindow* window : context_->Windows) {
    if (!window->WasActive) continue;
    if (window->ScrollbarX || is_cut_off(*window))
      names.push_back(std::string(window->Name) + " across");
    if (window->ScrollbarY) names.push_back(std::string(window->Name) + " down");
  }
  return names;
}

float Screen::cell(MatrixRef ref, int row, int col) const {
  return (*matrix_of(document(), ref))(row, col);
}

}  // namespace lab
