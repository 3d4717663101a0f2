#include "app/view/panels/export_options.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/files/paths.h"
#include "app/view/panels/dialog_parts.h"
#include "app/view/picture_actions.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr float kLabel = 74, kNumber = 74;

// Begins a row: its name, and then what can be chosen.
void begin_row(Ui& ui, const char* name) {
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX();
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  ImGui::TextUnformatted(name);
  ImGui::PopStyleColor();
  ImGui::SameLine(left + ui.px(kLabel), 0);
}

// One of the choices of a row; returns true when it was chosen.
bool choice(Ui& ui, const char* label, const std::string& name, bool chosen) {
  const bool clicked = ImGui::RadioButton(label, chosen);
  mark_ticked(clicked);
  ui.name_item(name);
  ImGui::SameLine(0, ui.px(12));
  return clicked;
}

void end_row() { ImGui::NewLine(); }

void tick(Ui& ui, const char* label, const std::string& name, bool& value) {
  mark_ticked(ImGui::Checkbox(label, &value));
  ui.name_item(name);
  ImGui::SameLine(0, ui.px(14));
}

void format_row(Ui& ui) {
  std::string& path = ui.state.dialog.path;
  begin_row(ui, "Format");
  for (const FigureFormat& format : figure_formats()) {
    const std::string name(format.name), ending(format.ending);
    if (!choice(ui, name.c_str(), "dialog/format/" + ending.substr(1), ending_of(path) == ending))
      continue;
    if (picture_path(ui) == path) {
      ui.state.dialog.exporting.ending = ending;
      path = picture_path(ui);
    }
    ui.state.dialog.exporting.ending = ending;
    path = std::filesystem::path(path).replace_extension(ending).string();
  }
  end_row();
}

void number_field(Ui& ui, const char* unit, const std::string& name, double& value, double least,
                  double most) {
  ImGui::SetNextItemWidth(ui.px(kNumber));
  double typed = value;
  if (ImGui::InputDouble(("##" + name).c_str(), &typed, 0, 0, "%.4g"))
    value = std::clamp(typed, least, most);
  ui.name_item(name);
  ImGui::SameLine(0, ui.px(5));
  ImGui::TextUnformatted(unit);
  ImGui::SameLine(0, ui.px(14));
}

struct Width {
  const char* name;
  double mm;
};
constexpr Width kWidths[] = {
    {"Column", 89}, {"Page", 183}, {"Text", 5.5 * 25.4}, {"Slide", 13.333 * 25.4}};

void size_rows(Ui& ui) {
  FigureOptions& figure = ui.state.dialog.exporting.figure;
  begin_row(ui, "Width");
  for (const Width& width : kWidths)
    if (choice(ui, width.name, std::string("dialog/width/") + width.name,
               figure.width_mm == width.mm))
      figure.width_mm = width.mm;
  number_field(ui, "mm", "dialog/width", figure.width_mm, 20, 1000);
  end_row();
  begin_row(ui, "Letters");
  number_field(ui, "pt", "dialog/font_size", figure.font_size, 2, 72);
  const FigureFormat* format = figure_format(ending_of(ui.state.dialog.path));
  if (format != nullptr && format->of_pixels)
    number_field(ui, "dpi", "dialog/dpi", figure.dpi, 30, 2400);
  end_row();
}

void palette_row(Ui& ui) {
  std::optional<Palette>& palette = ui.state.dialog.exporting.figure.palette;
  begin_row(ui, "Colours");
  if (choice(ui, "usual", "dialog/palette/usual", !palette)) palette.reset();
  for (const Palette one : all_palettes()) {
    const std::string name(palette_name(one));
    if (choice(ui, name.c_str(), "dialog/palette/" + name, palette == one)) palette = one;
  }
  end_row();
}

void range_row(Ui& ui) {
  RangeRule& rule = ui.state.dialog.exporting.figure.range_rule;
  begin_row(ui, "Range");
  constexpr std::pair<const char*, RangeRule> kRules[] = {{"automatic", RangeRule::kAutomatic},
                                                          {"shared", RangeRule::kShared},
                                                          {"robust 2–98 %", RangeRule::kRobust}};
  for (const auto& [name, one] : kRules)
    if (choice(ui, name, "dialog/range/" + std::to_string(static_cast<int>(one)), rule == one))
      rule = one;
  end_row();
}

void drawn_rows(Ui& ui) {
  FigureOptions& figure = ui.state.dialog.exporting.figure;
  begin_row(ui, "Draw");
  tick(ui, "Numbers inside the cells", "dialog/values", figure.annotate);
  tick(ui, "Colour bar", "dialog/bar", figure.colour_bar);
  end_row();
  begin_row(ui, "");
  tick(ui, "Pins and selection", "dialog/marks", ui.state.dialog.exporting.marks);
  tick(ui, "Overrides", "dialog/overrides", figure.marks.overrides);
  end_row();
  begin_row(ui, "Page");
  tick(ui, "Dark", "dialog/dark", figure.dark);
  tick(ui, "Transparent", "dialog/transparent", figure.transparent);
  end_row();
}

void title_row(Ui& ui) {
  std::optional<std::string>& title = ui.state.dialog.exporting.figure.title;
  begin_row(ui, "Title");
  bool own = title.has_value();
  tick(ui, "in own words", "dialog/own_title", own);
  if (own != title.has_value()) title = own ? std::optional<std::string>("") : std::nullopt;
  if (title) {
    ImGui::SetNextItemWidth(ui.px(230));
    std::string field = ui.state.box_text.encode(*title);
    if (ImGui::InputText("##title", &field)) title = ui.state.box_text.decode(field);
    ui.name_item("dialog/title");
  }
  if (!title) end_row();
}

}  // namespace

void figure_kind_rows(Ui& ui) {
  const FigureKind kind = ui.state.dialog.exporting.figure.kind;
  for (const FigureChoice& one : figure_choices(ui)) {
    const bool clicked = ImGui::RadioButton(one.name.c_str(), kind == one.kind);
    mark_ticked(clicked);
    ui.name_item("dialog/what/" + std::to_string(static_cast<int>(one.kind)));
    if (clicked) choose_figure(ui, one.kind);
  }
}

void figure_option_rows(Ui& ui) {
  format_row(ui);
  size_rows(ui);
  palette_row(ui);
  range_row(ui);
  drawn_rows(ui);
  title_row(ui);
}

}  // namespace lab
