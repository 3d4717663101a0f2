#include "app/figure/explain_text.h"

#include <algorithm>

#include "app/figure/number_text.h"
#include "app/view/imgui_compat.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::Stage;

constexpr float kLineHeight = 20;
constexpr std::size_t kMostValues = 12;  // of longer lines only the beginning is shown …
constexpr std::size_t kBeginning = 4;    // … so that the whole chain stays in view

// Writes pieces side by side, going to the next line where one does not fit; lines after the first
// are set in by `hanging`. One that does not draw finds out how much room is needed.
class Writer {
 public:
  Writer(Ui& ui, const Rect& area, float hanging, bool draws)
      : ui_(ui),
        area_(area),
        hanging_(hanging),
        draws_(draws),
        x_(area.x),
        y_(area.y),
        start_(area.x) {}

  // One piece; `gap` is the space in front of it when it is not the first of its line.
  void put(const ImFont* font, std::string_view text, Rgb colour, float gap) {
    const float width = text_width(ui_, font, text);
    if (x_ > start_ && x_ + gap + width > area_.right()) new_line(hanging_);
    if (x_ > start_) x_ += gap;
    if (draws_) draw_text(ui_, font, {x_, y_, 0, ui_.px(kLineHeight)}, text, colour);
    x_ += width;
  }
  void new_line(float indent = 0) {
    start_ = x_ = area_.x + indent;
    y_ += ui_.px(kLineHeight);
  }
  float y() const { return y_; }

 private:
  Ui& ui_;
  Rect area_;
  float hanging_;
  bool draws_;
  float x_, y_, start_;
};

void put_name(Ui& ui, Writer& writer, const std::string& name) {
  writer.put(ui.fonts.mono, name + " =", ui.theme.text, 0);
}

void write_line(Ui& ui, Writer& writer, const ExplainLine& line, bool last) {
  const float space = ui.px(8);
  put_name(ui, writer, line.name);
  const std::size_t count = line.values.size();
  const std::size_t shown = count <= kMostValues ? count : kBeginning;
  for (std::size_t i = 0; i < shown; ++i) {
    writer.put(ui.fonts.mono, format_fixed(line.values[i], 2), ui.theme.text, space);
  }
  if (shown < count) {
    writer.put(ui.fonts.small, "… " + std::to_string(count) + " numbers", ui.theme.dim, space);
  }
  if (!line.before.empty()) writer.put(ui.fonts.mono, line.before, ui.theme.text, space);
  if (!line.result.empty()) {
    writer.put(ui.fonts.mono_bold, line.result, last ? ui.theme.selected : ui.theme.text, space);
  }
  if (!line.after.empty()) writer.put(ui.fonts.small, line.after, ui.theme.dim, space);
  writer.new_line();
}

void write_title(Ui& ui, Rect row, const std::string& title, float value) {
  const std::string result = " = " + format_fixed(value, 2);
  const TextRequest request = label_request(ui, title, 16, true);
  const auto width =
      std::min(static_cast<float>(ui.labels.metrics(request).advance), row.w - ui.px(70));
  draw_label(ui, row.cut_left(width), title, 16, ui.theme.text, TextAlign::kLeft, true);
  draw_text(ui, ui.fonts.title, row, result, ui.theme.selected);
}

void write_meaning(Ui& ui, Rect& content, std::string_view text, bool draws) {
  Writer writer(ui, content, 0, draws);
  const float space = text_width(ui, ui.fonts.small, " ");
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    writer.put(ui.fonts.small, word, ui.theme.dim, space);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  writer.new_line();
  content.cut_top(writer.y() - content.y + ui.px(5));
}

// What stands below the title.
struct Story {
  std::string meaning;
  std::vector<ExplainLine> lines;
};

// Writes it into `area`, or only measures it. Returns where it ends.
float write_story(Ui& ui, Rect area, const Story& story, bool draws) {
  write_meaning(ui, area, story.meaning, draws);
  Writer writer(ui, area, ui.px(16), draws);
  for (const ExplainLine& line : story.lines)
    write_line(ui, writer, line, &line == &story.lines.back());
  return writer.y();
}

}  // namespace

void explain_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, "Explain");
  const Selection& selection = ui.state.selection;
  const auto [row, col] = selected_cell(selection);
  const auto& matrix = stage_matrix(ui.problem(), ui.trace(), selection.stage, ui.state.head);
  const Document& document = ui.document();
  write_title(ui, content.cut_top(ui.px(26)), cell_title(document, selection.stage, row, col),
              (*matrix)(row, col));
  const Stage stage = selection.stage;
  const Story story{cell_meaning(document, stage, ui.state.head, row, col),
                    explain_lines(document, ui.trace(), stage, ui.state.head, row, col)};
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("explain", {content.w, content.h}, false);
  // Whether it scrolls depends on the room alone, not on the frame before.
  if (write_story(ui, content, story, false) > content.bottom()) content.w -= ui.px(12);
  content.y -= ImGui::GetScrollY();
  const float end = write_story(ui, content, story, true);
  ImGui::SetCursorScreenPos({content.x, end - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

}  // namespace lab
