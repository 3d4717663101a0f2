#include "app/view/widgets/dialog_text.h"
#include "app/base/strings.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/view/toolkit/box_input.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/paragraph.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

figure::Rgb colour_of_text() {
  const ImVec4& colour = ImGui::GetStyleColorVec4(ImGuiCol_Text);
  const auto channel = [](float share) {
    return static_cast<std::uint8_t>(std::lround(share * 255));
  };
  return {channel(colour.x), channel(colour.y), channel(colour.z)};
}

// Draws one line from `at` on, however long it is.
void draw_line(Ui& ui, std::string_view line, ImVec2 at) {
  draw_text(ui, ImGui::GetFont(), {at.x, at.y, 0, ImGui::GetTextLineHeight()}, line,
            colour_of_text());
}

std::string blanks_as_wide(const Ui& ui, std::string_view text) {
  const float blank = text_width(ui, ImGui::GetFont(), " ");
  return std::string(static_cast<std::size_t>(std::ceil(written_size(ui, text).x / blank)), ' ');
}

// "…" and as much of the end of `text` as fits.
std::string end_that_fits(const Ui& ui, std::string_view text, float width) {
  std::string shown = "…" + std::string(text);
  while (!text.empty() && text_width(ui, ui.fonts.words, shown) > width) {
    do text.remove_prefix(1);
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80);
    shown = "…" + std::string(text);
  }
  return shown;
}

}  // namespace

ImVec2 written_size(const Ui& ui, std::string_view text) {
  ImVec2 size{0, 0};
  for (const std::string_view line : split(text, '\n')) {
    size.x = std::max(size.x, text_width(ui, ImGui::GetFont(), line));
    size.y += ImGui::GetTextLineHeight();
  }
  return size;
}

void write_text(Ui& ui, std::string_view text) {
  if (covers(*ImGui::GetFont(), text)) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    return;
  }
  const std::vector<std::string_view> lines = split(text, '\n');
  std::string blanks = blanks_as_wide(ui, text);
  // ImGui does not count a last line that is empty.
  for (std::size_t i = 1; i < lines.size(); ++i) blanks += "\n ";
  ImGui::TextUnformatted(blanks.c_str());
  ImVec2 at = ImGui::GetItemRectMin();
  for (const std::string_view line : lines) {
    draw_line(ui, line, at);
    at.y += ImGui::GetTextLineHeight();
  }
}

void write_wrapped_text(Ui& ui, std::string_view text, float width) {
  const ImFont* font = ImGui::GetFont();
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const TextRun run{std::string(text), font, colour_of_text()};
  const TextColumn column{at.x, at.x, at.x, at.x + width};
  const TextLines& lines = laid_out(ui, {&run, 1}, text_width(ui, font, " "), column);
  for (const TextLines::Piece& piece : lines.pieces) {
    const float y = at.y + static_cast<float>(piece.line) * line;
    draw_run(ui, run, piece.text, {piece.x, y, piece.width, line});
  }
  ImGui::Dummy({width, static_cast<float>(lines.last_line + 1) * line});
}

bool words_field(Ui& ui, const std::string& label, const std::string& hint, std::string& text) {
  ui.state.typed_words += text;
  compat::push_font(ui.fonts.words);
  std::string field = ui.state.box_text.encode(text);
  const BoxClipboard clipboard(ui.state.box_text);
  const bool edited = ImGui::InputTextWithHint(label.c_str(), hint.c_str(), &field);
  if (edited) text = ui.state.box_text.decode(field);
  const float room = ImGui::GetItemRectSize().x - 2 * ImGui::GetStyle().FramePadding.x;
  if (text_width(ui, ui.fonts.words, hint) > room) ui.widgets.note_shortened(hint);
  ImGui::PopFont();
  return edited;
}

void show_end(Ui& ui, const std::string& name, std::string_view text) {
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const ImVec2 at = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  const Rect bounds{at.x + padding.x, at.y, size.x - 2 * padding.x, size.y};
  if (ImGui::IsItemActive() || text_width(ui, ui.fonts.words, text) <= bounds.w) return;
  const ImGuiCol ground = ImGui::IsItemHovered() ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg;
  ui.canvas().AddRectFilled(bounds.min(), bounds.max(), ImGui::GetColorU32(ground));
  draw_text(ui, ui.fonts.words, bounds, end_that_fits(ui, text, bounds.w), ui.theme.text);
  ui.name(name, bounds);
}

std::string item_label(const Ui& ui, std::string_view text, const std::string& id) {
  const bool shown = covers(*ImGui::GetFont(), text);
  return (shown ? std::string(text) : blanks_as_wide(ui, text)) + "##" + id;
}

void draw_item_label(Ui& ui, std::string_view text, ImVec2 at) {
  if (!covers(*ImGui::GetFont(), text)) draw_line(ui, text, at);
}

}  // namespace lab::view
