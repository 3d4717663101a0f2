#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/base/typed_number.h"
#include "app/explain/stage_text.h"
#include "app/lessons/answers/answer.h"
#include "app/translation/words.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/lesson/lesson_parts.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/widgets.h"
#include "app/view/widgets/wrapped_box.h"

namespace lab::view {
namespace {

constexpr float kField = 110, kRow = 28, kMark = 24, kInset = 12, kTextLines = 3;

std::string name_of(std::size_t question, std::string_view part) {
  return "lesson/" + std::to_string(question + 1) + "/" + std::string(part);
}

// True when several answers can be chosen: check boxes instead of radio buttons.
bool takes_several(const lessons::Question& question, const Snapshot& live) {
  const auto right = lessons::right_answer(question, live);
  return right && right->chosen.size() > 1;
}

void draw_mark(Ui& ui, const Rect& bounds, bool several, bool chosen, bool hovered) {
  const float side = ui.px(15);
  const Rect box{bounds.x, bounds.y + std::floor((ui.px(20) - side) / 2), side, side};
  const float rounding = several ? ui.px(3) : side / 2;
  fill_rect(ui, box, chosen ? ui.theme.accent : ui.theme.card, rounding);
  frame_rect(ui, box, chosen || hovered ? ui.theme.accent : ui.theme.dim, ui.px(1.3f), rounding);
  const float inner = ui.px(5);
  if (chosen)
    fill_rect(ui, box.inset(inner), ui.theme.on_accent, several ? ui.px(1) : rounding - inner);
}

// Replaces the choice, or toggles one of several, which stay in order.
void choose_answer(lessons::AnswerInput& given, std::size_t choice, bool several) {
  const auto at = std::ranges::find(given.chosen, choice);
  if (!several) {
    given.chosen = {choice};
  } else if (at != given.chosen.end()) {
    given.chosen.erase(at);
  } else {
    given.chosen.insert(std::ranges::lower_bound(given.chosen, choice), choice);
  }
}

void write_choice(Ui& ui, RichFlow& flow, std::size_t index, std::size_t choice) {
  const lessons::Question& question = *ui.state.lesson.run->questions()[index];
  const Snapshot live = live_numbers(ui);
  const bool several = takes_several(question, live);
  const float before = flow.y();
  RichFlow measured(ui, {0, before, flow.width() - ui.px(kMark), 0}, live, false);
  measured.text(question.choices[choice].text, ui.theme.text);
  Rect bounds = flow.take(measured.y() - before);
  if (!flow.draws()) return;
  lessons::AnswerInput& given = given_of(ui.state, index);
  const std::string name = name_of(index, "choice/" + std::to_string(choice + 1));
  if (click_area(ui, name, bounds)) {
    choose_answer(given, choice, several);
    ui.state.lesson.run->withdraw(index);
    if (!ui.state.keyboard_focus.on) ui.state.keyboard_focus.tab_to = name_of(index, "check");
  }
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const bool chosen = std::ranges::count(given.chosen, choice) > 0;
  draw_mark(ui, bounds.cut_left(ui.px(kMark)), several, chosen, hovered);
  RichFlow words(ui, bounds, live, true);
  words.text(question.choices[choice].text, ui.theme.text);
}

// A step is read from its top: a field that is further down gets the keyboard by Tab.
bool gets_keyboard(Ui& ui, const std::string& name, const Rect& bounds) {
  const float window = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  const float bottom = std::min(window, ImGui::GetIO().DisplaySize.y);
  const bool at_top = bounds.bottom() + ImGui::GetScrollY() <= bottom;
  if (at_top || ui.state.lesson.lead_scrolls) return true;
  ui.state.keyboard_focus.tab_to = name;
  return false;
}

// Gives the field the keyboard if it was led or tabbed to.
void enter_field(Ui& ui, const std::string& name, const Rect& bounds) {
  const bool led = ui.state.lesson.lead_to == name;
  if (led) ui.state.lesson.lead_to.clear();
  bool enters = focus_field(ui, name, bounds);
  if (led && !enters && gets_keyboard(ui, name, bounds)) {
    bring_focus(ui, name);
    enters = true;
  }
  if (!enters) return;
  go_inside(ui, Inside::kText);
  ui.state.early_text.give_keyboard();
}

// A text field. True when Enter was pressed in a single-line one.
bool answer_field(Ui& ui, const std::string& name, const Rect& bounds, std::string& text,
                  bool lines) {
  compat::push_font(lines ? ui.fonts.words : ui.fonts.mono);
  if (lines) ui.state.typed_words += text;
  const float size = ImGui::GetFontSize();
  const float padding = lines ? ui.px(5) : (bounds.h - size) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), padding});
  ImGui::SetCursorScreenPos(bounds.min());
  enter_field(ui, name, bounds);
  const std::string label = "##" + name;
  ImGui::SetNextItemWidth(bounds.w);
  const std::string before = text;
  bool entered = false;
  if (lines)
    wrapped_box(ui, name, label, bounds, text);
  else
    entered =
        ImGui::InputText(label.c_str(), &text,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool active = ImGui::IsItemActive();
  const bool escaped = ImGui::IsItemDeactivated() && compat::key_pressed(Key::kEscape, false);
  if (escaped) text = before;  // Dear ImGui would revert all of it
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (active) {
    ui.state.edit.focused = false;
    note_typing(ui, name);
  }
  frame_rect(ui, bounds, active ? ui.theme.accent : ui.theme.line, std::max(1.0f, ui.px(1.2f)),
             ui.px(5));
  ui.name(name, bounds);
  return entered;
}

std::string check_label(const lessons::Question& question) {
  return question.type == lessons::QuestionType::kText ? tr("Done") : tr("Check");
}

std::string hint_label(const lessons::QuestionState& state, const lessons::Question& question) {
  if (static_cast<std::size_t>(state.hints) >= question.hints.size())
    return tr("Show the arithmetic");
  return state.hints == 0 ? tr("Hint") : tr("Another hint");
}

// A row for buttons, with space below it.
Rect button_row(Ui& ui, RichFlow& flow) {
  flow.skip(ui.px(2));
  const Rect row = flow.take(ui.px(kRow));
  flow.skip(ui.px(6));
  return row;
}

// Numbers and names are typed in a line.
bool is_typed(const lessons::Question& question) {
  return question.type == lessons::QuestionType::kNumber ||
         question.type == lessons::QuestionType::kName;
}

bool line_field(Ui& ui, Rect& row, std::size_t index) {
  const Rect field = row.cut_left(std::min(ui.px(kField), row.w * 0.4f));
  row.cut_left(ui.px(8));
  std::string& typed = given_of(ui.state, index).typed;
  const std::string before = typed;
  const bool entered = answer_field(ui, name_of(index, "answer"), field, typed, false);
  if (typed != before) ui.state.lesson.run->withdraw(index);
  return entered;
}

// What is in the box is the answer: the one that was noted before is not any more.
void words_box(Ui& ui, const Rect& bounds, std::size_t index) {
  std::string& typed = given_of(ui.state, index).typed;
  const std::string before = typed;
  answer_field(ui, name_of(index, "answer"), bounds, typed, true);
  if (typed == before) return;
  if (ui.state.lesson.run->state(index).solved) ui.state.lesson.unsaved = true;
  ui.state.lesson.run->withdraw(index);
}

// After Enter: the keyboard goes to the next question, or stays for the next attempt.
void lead_on(Ui& ui, std::size_t index) {
  const lessons::QuestionState& state = ui.state.lesson.run->state(index);
  const bool right = state.judgement && state.judgement->verdict == lessons::Verdict::kRight;
  if (ui.state.present.on) return;
  ui.state.lesson.leads = right;
  ui.state.lesson.lead_scrolls = true;
  if (!right) ui.state.lesson.lead_to = name_of(index, "answer");
}

// The field for a number or a name and the button that checks the answer.
void write_check(Ui& ui, Rect& row, std::size_t index) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  const lessons::Question& question = *run.questions()[index];
  const bool entered = is_typed(question) && line_field(ui, row, index);
  const ButtonLook look = run.state(index).solved ? ButtonLook::kQuiet : ButtonLook::kActive;
  const bool pressed = row_button(ui, row, name_of(index, "check"), check_label(question), look);
  if (entered || pressed) check_answer(ui, index);
  if (entered) lead_on(ui, index);
}

// The button for a hint gets its own row when there is no room beside the other.
void write_buttons(Ui& ui, RichFlow& flow, std::size_t index) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  const lessons::Question& question = *run.questions()[index];
  const bool checks = question.type != lessons::QuestionType::kMake;
  const bool hints = run.has_hint(index, live_numbers(ui));
  const std::string hint = hint_label(run.state(index), question);
  const float field = is_typed(question) ? ui.px(kField + 8) : 0;
  const float needed = field + button_width(ui, check_label(question)) + ui.px(8);
  const bool beside = !checks || needed + button_width(ui, hint) <= flow.width();
  if (!checks && !hints) return;
  Rect row = button_row(ui, flow);
  if (flow.draws() && checks) write_check(ui, row, index);
  if (hints && !beside) row = button_row(ui, flow);
  if (flow.draws() && hints && row_button(ui, row, name_of(index, "hint"), hint))
    ask_hint(ui, index);
}

std::string cell_words(const Document& document, const StageCell& cell) {
  const std::string pair = row_label(document, cell.stage, cell.row) + " → " +
                           column_label(document, cell.stage, cell.col);
  const std::string stage = tr(explain::stage_title(cell.stage)),
                    head = head_number(document, cell.head);
  return is_per_head(cell.stage) ? tr("{} ({}, head {})", {pair, stage, head})
                                 : tr("{} ({})", {pair, stage});
}

void write_chosen_cell(Ui& ui, RichFlow& flow, std::size_t index) {
  const lessons::AnswerInput& given = given_of(ui.state, index);
  const bool is_said_below = !given.clicked && ui.state.lesson.run->state(index).judgement;
  if (is_said_below) return;
  const std::string text =
      given.clicked ? tr("Chosen: {}", {cell_words(ui.workspace.document(), *given.clicked)})
                    : tr("Click a cell of the map.");
  flow.words(text, ui.fonts.small, ui.theme.dim);
}

// How far the model is from the required state.
void write_condition(Ui& ui, RichFlow& flow, std::size_t index) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  if (run.state(index).solved) return;
  const auto judged = lessons::judge(*run.questions()[index], {}, live_numbers(ui));
  flow.words(judged ? judged->message : judged.error().message, ui.fonts.small, ui.theme.dim);
  if (judged) flow.text(judged->feedback, ui.theme.dim);
}

// True when an edit that answered the question was undone, so that the verdict no longer applies.
bool no_longer_holds(const Ui& ui, const lessons::Question& question) {
  if (question.type != lessons::QuestionType::kMake) return false;
  const auto judged = lessons::judge(question, {}, live_numbers(ui));
  return !judged || judged->verdict != lessons::Verdict::kRight;
}

void write_answer(Ui& ui, RichFlow& flow, std::size_t index) {
  const lessons::Question& question = *ui.state.lesson.run->questions()[index];
  switch (question.type) {
    case lessons::QuestionType::kChoice:
      for (std::size_t i = 0; i < question.choices.size(); ++i) write_choice(ui, flow, index, i);
      break;
    case lessons::QuestionType::kCell:
      write_chosen_cell(ui, flow, index);
      break;
    case lessons::QuestionType::kMake:
      write_condition(ui, flow, index);
      break;
    case lessons::QuestionType::kText: {
      const Rect bounds = flow.take(kTextLines * ui.px(20) + ui.px(12));
      if (flow.draws()) words_box(ui, bounds, index);
      flow.skip(ui.px(4));
      break;
    }
    case lessons::QuestionType::kNumber:
    case lessons::QuestionType::kName:
      break;
  }
}

void write_verdict(Ui& ui, RichFlow& flow, const lessons::Question& question,
                   const lessons::QuestionState& state) {
  const lessons::Judgement& judgement = *state.judgement;
  if (no_longer_holds(ui, question))
    return flow.words(tr("It was done, but no longer is."), ui.fonts.bold, ui.theme.dim);
  const bool wrong = judgement.verdict == lessons::Verdict::kWrong;
  const figure::Rgb colour = wrong                                             ? ui.theme.danger
                             : judgement.verdict == lessons::Verdict::kUnclear ? ui.theme.dim
                                                                               : ui.theme.right;
  const bool again = wrong && state.solved;
  flow.words(again ? tr("Not this one; your earlier answer was right.") : judgement.message,
             ui.fonts.bold, colour);
  flow.skip(ui.px(4));
  flow.text(judgement.feedback, ui.theme.text);
}

// The verdict, or the room of the one before while the answer is changed.
void write_reply(Ui& ui, RichFlow& flow, std::size_t index) {
  const lessons::QuestionState& state = ui.state.lesson.run->state(index);
  float& room = ui.state.lesson.reply_room[index];
  if (!state.judgement) return flow.skip(room);
  const float top = flow.y();
  write_verdict(ui, flow, *ui.state.lesson.run->questions()[index], state);
  room = flow.y() - top;
}

void write_arithmetic(Ui& ui, RichFlow& flow, const lessons::Question& question) {
  const auto lines = lessons::arithmetic_of(question, live_numbers(ui));
  if (!lines) return;
  for (const std::string& line : *lines) flow.words(line, ui.fonts.mono, ui.theme.text);
  flow.skip(ui.px(6));
}

void write_hints(Ui& ui, RichFlow& flow, const lessons::Question& question,
                 const lessons::QuestionState& state) {
  const auto given = static_cast<std::size_t>(state.hints);
  for (std::size_t i = 0; i < std::min(given, question.hints.size()); ++i)
    flow.text(question.hints[i], ui.theme.dim);
  if (given > question.hints.size()) write_arithmetic(ui, flow, question);
}

// The answer, for a class, when the teacher requests it.
void write_solution(Ui& ui, RichFlow& flow, const lessons::Question& question) {
  if (question.type ==
      lessons::QuestionType::kMake) {  // it is answered by an edit, which the hints explain
    for (const lessons::RichText& hint : question.hints) flow.text(hint, ui.theme.text);
    return;
  }
  const auto right = lessons::right_answer(question, live_numbers(ui));
  if (!right) return;
  const bool is_number = question.type == lessons::QuestionType::kNumber;
  const auto number = is_number ? typed_number(right->typed) : std::nullopt;
  const std::string answer = number ? lessons::answer_number(question, *number)
                             : right->clicked
                                 ? cell_words(ui.workspace.document(), *right->clicked)
                                 : lessons::input_text(question, *right, live_numbers(ui));
  if (question.type != lessons::QuestionType::kText)
    flow.words(tr("Answer: {}", {answer}), ui.fonts.bold, ui.theme.right);
  flow.skip(ui.px(4));
  flow.text(question.right, ui.theme.text);
  write_arithmetic(ui, flow, question);
}

// The keyboard goes to the question's field, or Tab to its first choice or its button.
void lead_to(Ui& ui, std::size_t index) {
  using lessons::QuestionType;
  LessonState& lesson = ui.state.lesson;
  const QuestionType type = lesson.run->questions()[index]->type;
  lesson.leads = false;
  if (ui.state.present.on) return;
  if (is_typed(*lesson.run->questions()[index]) || type == QuestionType::kText)
    lesson.lead_to = name_of(index, "answer");
  else if (type != QuestionType::kMake)
    ui.state.keyboard_focus.tab_to =
        name_of(index, type == QuestionType::kChoice ? "choice/1" : "check");
}

}  // namespace

bool row_button(Ui& ui, Rect& row, const std::string& id, const std::string& label, ButtonLook look,
                bool enabled) {
  const Rect bounds = row.cut_left(std::min(button_width(ui, label), row.w));
  row.cut_left(ui.px(8));
  return button(ui, id, bounds, label, look, enabled);
}

void lesson_question(Ui& ui, RichFlow& flow, std::size_t index) {
  const lessons::LessonRun& run = *ui.state.lesson.run;
  const lessons::Question& question = *run.questions()[index];
  const lessons::QuestionState& state = run.state(index);
  const float top = flow.y();
  // The verdict on an answer of the previous frame is shown now.
  const bool brings = flow.draws() && ui.state.requests.take(request::BringAnswer{index});
  if (flow.draws() && ui.state.lesson.leads && !state.solved) lead_to(ui, index);
  flow.set_in(ui.px(kInset));
  flow.text(question.prompt, ui.theme.text);
  write_answer(ui, flow, index);
  write_buttons(ui, flow, index);
  const float said = flow.y();
  write_reply(ui, flow, index);
  write_hints(ui, flow, question, state);
  if (ui.state.lesson.answers_shown) write_solution(ui, flow, question);
  flow.set_in(0);
  const Rect bar = flow.take(0), answer{bar.x, said, bar.w, flow.y() - said};
  if (brings) compat::scroll_into_view(answer);
  if (flow.draws()) ui.name(name_of(index, "said"), answer);
  if (flow.draws())
    fill_rect(ui, {bar.x, top, ui.px(3), flow.y() - top},
              state.solved ? ui.theme.right : ui.theme.accent, ui.px(1.5f));
  flow.skip(ui.px(14));
}

}  // namespace lab::view
