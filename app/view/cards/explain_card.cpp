#include <algorithm>
#include <span>

#include "app/explain/explain_text.h"
#include "app/explain/number_text.h"
#include "app/explain/sensitivity_text.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/cards/explain_sections.h"
#include "app/view/editor/go_to.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/flow_text.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::CellRef;

constexpr std::size_t kMostTermValues = 12;  // of longer lines only the beginning is shown …
constexpr std::size_t kBeginning = 4;        // … so that the whole chain stays in view,
constexpr std::size_t kLargest = 10;         // or the largest
constexpr float kButtonWidth = 22;
constexpr float kAroundExplain = 42;  // margins of the card, and between name, note and buttons
constexpr float kLeastExplain = 290, kAroundStory = 90, kExplainSides = 24;

// A number of the arithmetic; a link to its cell if it belongs to a matrix.
void put_number(Ui& ui, FlowText& text, const std::string& id, const ImFont* font,
                const std::string& number, figure::Rgb colour, const CellRef* cell) {
  const float space = ui.px(8);
  const bool links = cell != nullptr && *cell != selected_ref(ui) && can_go_to(ui, *cell);
  if (!links) return text.put(font, number, colour, space);
  if (text.put_link(id, font, number, colour, space)) go_to(ui, *cell);
  if (text.draws() && is_pointed_at(ui)) light_cell(ui, *cell);
}

bool is_expanded(const Ui& ui, std::size_t line) {
  return std::ranges::count(ui.state.inspection.expanded, line) > 0;
}

void toggle_expanded(Ui& ui, std::size_t line) {
  auto& expanded = ui.state.inspection.expanded;
  if (std::erase(expanded, line) == 0) expanded.push_back(line);
}

// What the terms from `first` on add to the sum.
double sum_from(const explain::ExplainLine& line, std::size_t first) {
  double sum = 0;
  for (std::size_t i = first; i < line.values.size(); ++i) sum += double{line.values[i]};
  return sum;
}

// The words of the link that shows all terms, of which the first `shown` are there.
std::string more_words(const Ui& ui, const explain::ExplainLine& line, std::size_t shown) {
  const std::string left = std::to_string(line.values.size() - shown);
  if (shown == line.values.size()) return tr("show less");
  if (!ui.state.inspection.largest_first)
    return tr("… {} numbers", {std::to_string(line.values.size())});
  if (!line.products) return tr("… {} more", {left});
  const auto rest = static_cast<float>(sum_from(line, shown));
  return tr("… {} more give {}", {left, explain::number_in(line, rest)});
}

void order_link(Ui& ui, FlowText& text) {
  bool& largest_first = ui.state.inspection.largest_first;
  const std::string words = largest_first ? tr("in order") : tr("largest first");
  if (text.put_link("explain/order", ui.fonts.small, words, ui.theme.accent, ui.px(8)))
    largest_first = !largest_first;
}

void write_values(Ui& ui, FlowText& text, const explain::ExplainLine& line, const std::string& id,
                  std::size_t index) {
  const std::size_t count = line.values.size();
  const std::size_t few = ui.state.inspection.largest_first ? kLargest : kBeginning;
  const std::size_t shown = count <= kMostTermValues || is_expanded(ui, index) ? count : few;
  for (std::size_t i = 0; i < shown; ++i) {
    const CellRef* cell = i < line.cells.size() ? &line.cells[i] : nullptr;
    put_number(ui, text, id + "/" + std::to_string(i), ui.fonts.mono,
               explain::number_in(line, line.values[i]), ui.theme.text, cell);
  }
  if (count <= kMostTermValues) return;
  const std::string more = more_words(ui, line, shown);
  if (text.put_link(id + "/more", ui.fonts.small, more, ui.theme.dim, ui.px(8)))
    toggle_expanded(ui, index);
  if (line.products) order_link(ui, text);
}

// The words after a result, with links for numbers that belong to a cell.
void write_words(Ui& ui, FlowText& text, const explain::ExplainLine& line, const std::string& id) {
  std::string_view rest = line.after;
  float gap = ui.px(8);
  const auto put_plain = [&](std::string_view words) {
    if (words.empty()) return;
    text.put(ui.fonts.small, words, ui.theme.dim, gap);
    gap = 0;
  };
  for (const explain::Mention& mention : line.mentions) {
    const std::size_t at = rest.find(mention.text);
    if (at == std::string_view::npos || !can_go_to(ui, mention.cell)) continue;
    put_plain(rest.substr(0, at));
    const std::string name = id + "/" + std::string(mention.cell.matrix);
    if (text.put_link(name, ui.fonts.small, mention.text, ui.theme.dim, gap))
      go_to(ui, mention.cell);
    if (text.draws() && is_pointed_at(ui)) light_cell(ui, mention.cell);
    gap = 0;
    rest.remove_prefix(at + mention.text.size());
  }
  put_plain(rest);
}

void write_line(Ui& ui, FlowText& text, std::span<const explain::ExplainLine> lines,
                std::size_t index) {
  const explain::ExplainLine& line = lines[index];
  const std::string id = "explain/" + std::to_string(index);
  const bool last = index + 1 == lines.size();
  text.put(ui.fonts.mono, line.name + " =", ui.theme.text, 0);
  write_values(ui, text, line, id, index);
  if (!line.before.empty()) text.put(ui.fonts.mono, line.before, ui.theme.text, ui.px(8));
  if (!line.result.empty()) {
    put_number(ui, text, id + "/result", ui.fonts.mono_bold, line.result,
               last ? ui.theme.selected : ui.theme.text, line.source ? &*line.source : nullptr);
  }
  write_words(ui, text, line, id);
  text.new_line();
}

void write_title(Ui& ui, Rect row, const std::string& title, const std::string& value, bool asks) {
  const std::string result = " = " + value;
  const float room = row.w - std::max(ui.px(70), text_width(ui, ui.fonts.title, result));
  const auto width_at = [&](float points) {
    return static_cast<float>(ui.labels.metrics(label_request(ui, title, points, true)).advance);
  };
  constexpr float kDefault = 16, kSmall = 12.5f;  // points
  const float points = width_at(kDefault) <= room ? kDefault : kSmall;
  if (asks) sensitivity_link(ui, row, width_at(points) + text_width(ui, ui.fonts.title, result));
  draw_label(ui, row.cut_left(std::min(width_at(points), room)), title, points, ui.theme.text,
             TextAlign::kLeft, true);
  draw_text(ui, ui.fonts.title, row, result, ui.theme.selected);
}

// The content below the title.
struct Story {
  std::string by_hand;  // of an override
  std::string meaning;
  std::vector<explain::ExplainLine> lines;
  std::string sensitivity = {};  // "+0.01 here moves it by …", while that is asked
  bool asks = false;             // offers to ask what moves the cell
};

// What the cell means, and what it moves.
void write_meaning(Ui& ui, Rect& content, const Story& story, bool draws) {
  FlowText text(ui, content, 0, draws);
  const TextRun run{story.meaning, ui.fonts.small, ui.theme.dim};
  text.words({&run, 1}, text_width(ui, ui.fonts.small, " "));
  text.new_line();
  write_sensitivity(ui, text, content, story.sensitivity);
  content.cut_top(text.y() - content.y + ui.px(5));
}

// Writes it into `area`, or only measures it. Returns its bottom.
float write_story(Ui& ui, Rect area, const Story& story, bool draws) {
  write_by_hand(ui, area, story.by_hand, draws);
  write_meaning(ui, area, story, draws);
  FlowText text(ui, area, ui.px(16), draws);
  write_block(ui, text);
  write_pins(ui, text);
  for (std::size_t i = 0; i < story.lines.size(); ++i) write_line(ui, text, story.lines, i);
  return text.y();
}

void arrow_button(Ui& ui, const Rect& bounds, std::string_view id, bool left) {
  const Action& record = action(id);
  const bool enabled = is_enabled(ui, record);
  if (click_area(ui, "explain/" + std::string(left ? "back" : "forward"), bounds) && enabled)
    record.execute(ui);
  const figure::Rgb colour = !enabled                 ? ui.theme.line
                             : ImGui::IsItemHovered() ? ui.theme.accent
                                                      : ui.theme.text;
  tooltip(ui, hint_of(record));
  draw_chevron(ui, bounds, left, colour);
}

void explain_menu(Ui& ui, const Rect& bounds) {
  const std::string id = "menu/explain";
  if (more_button(ui, id, bounds)) open_popup(id);
  if (!begin_popup(ui, id, bounds)) return;
  for (const std::string_view item :
       {"explain.copy_text", "explain.copy_latex", "explain.back", "explain.forward",
        "explain.drag_answer", "explain.moves", "explain.pin", "explain.unpin"}) {
    action_item(ui, id + "/" + std::string(item), action(item));
  }
  end_popup();
}

void explain_buttons(Ui& ui, const Rect& rect) {
  const float width = ui.px(kButtonWidth);
  Rect row{rect.right() - ui.px(6) - 3 * width, rect.y + ui.px(7), 3 * width, ui.px(22)};
  arrow_button(ui, row.cut_left(width), "explain.back", true);
  arrow_button(ui, row.cut_left(width), "explain.forward", false);
  explain_menu(ui, row);
}

Story story_of(const Ui& ui, const CellRef& cell) {
  const attention::Stage stage = ui.state.selection.stage;
  const Document& document = ui.document();
  Story story{{},
              explain::cell_meaning(document, stage, ui.state.head, cell.row, cell.col),
              explain::explain_lines(document, ui.trace(), stage, ui.state.head, cell.row, cell.col,
                                     {.least = ui.state.digits})};
  if (is_overridden(document.problem, stage, ui.state.head, cell.row, cell.col))
    story.by_hand = story.lines.back().after;
  const Cell position{cell.row, cell.col};
  story.sensitivity = move_text(ui, stage, position);
  story.asks =
      !is_asked(ui, cell) &&
      explain::why_unmoved(document, ui.trace(), stage, ui.state.head, cell.row, cell.col).empty();
  if (ui.state.inspection.largest_first)
    story.lines = explain::by_contribution(std::move(story.lines));
  return story;
}

// All of the text in a window that scrolls as a whole; elsewhere the card scrolls by itself. With
// rotary positions the names are longer: where there is room, the lines that they take more are in
// view, for every cell, so that the card stays as high when another one is selected.
float explain_card_height(Ui& ui, const Rect& column) {
  constexpr float kLongNames = 50, kRoomyColumn = 760;
  const float least = ui.px(kLeastExplain);
  const bool longer =
      is_active(ui.problem(), attention::Stage::kRotatedQ) && column.h >= ui.px(kRoomyColumn);
  if (!ui.state.is_page) return longer ? least + ui.px(kLongNames) : least;
  const Rect area{0, 0, column.w - ui.px(kExplainSides), 0};
  const float text = write_story(ui, area, story_of(ui, selected_ref(ui)), false);
  return std::max(least, text + ui.px(kAroundStory));
}

// Whose numbers they are, when the map shows those of several heads.
std::string card_note(Ui& ui, const Rect& rect) {
  const bool of_head = is_per_head(ui.state.selection.stage);
  const std::string head = of_head ? own_head_note(ui, "explain", rect) : std::string();
  return head.empty() ? tr("numbers are links") : head;
}

// While the cards show B − A, the arithmetic is that of B.
std::string difference_note(const Ui& ui) {
  const attention::Stage stage = ui.state.selection.stage;
  const ComparedStage compared = compared_stage(ui, stage, ui.state.head);
  const Cell b = selected_cell(ui.state.selection), a = cell_of_a(ui, stage, b);
  if (!compared.fits() || !is_in_both(a)) return tr("In B");
  const float in_a = (**compared.a)(a.row, a.col), in_b = (**compared.b)(b.row, b.col);
  return tr("In B; A has {}, and B − A is {}", {ui.number(in_a), ui.number(in_b - in_a)});
}

void explain_card(Ui& ui, const Rect& rect) {
  const std::string name = tr("Explain##card"), note = card_note(ui, rect);
  const float buttons = 3 * ui.px(kButtonWidth);
  const float heading = text_width(ui, ui.fonts.bold, name) + formula_width(ui, note) + buttons;
  const bool noted = heading + ui.px(kAroundExplain) <= rect.w;
  Rect content = card(ui, rect, name, noted ? note : "", {}, false, buttons);
  explain_buttons(ui, rect);
  Inspection& inspection = ui.state.inspection;
  const CellRef cell = selected_ref(ui);
  if (inspection.expanded_of != cell) inspection.expanded.clear();
  inspection.expanded_of = cell;
  const attention::Stage stage = ui.state.selection.stage;
  const auto& matrix = stage_matrix(ui.problem(), ui.trace(), stage, ui.state.head);
  const Document& document = ui.document();
  Story story = story_of(ui, cell);
  if (ui.state.compare.shows_difference() && story.by_hand.empty())
    story.by_hand = difference_note(ui);
  write_title(ui, content.cut_top(ui.px(26)),
              explain::cell_title(document, stage, cell.row, cell.col),
              explain::number_in(story.lines.back(), (*matrix)(cell.row, cell.col)), story.asks);
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("explain", {content.w, content.h}, false);
  // Whether it scrolls depends only on the space, not on the previous frame.
  if (write_story(ui, content, story, false) > content.bottom()) content.w -= ui.px(12);
  content.y -= ImGui::GetScrollY();
  const float end = write_story(ui, content, story, true);
  ImGui::SetCursorScreenPos({content.x, end - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

}  // namespace

extern constexpr PanelInfo kExplainPanel{.name = "explain",
                                         .region = PanelRegion::kRight,
                                         .draw = explain_card,
                                         .preferred_height = explain_card_height,
                                         .height = {.least = kLeastExplain, .share = 1}};

}  // namespace lab::view
