#include <imgui.h>

#include <array>
#include <span>

#include "app/view/edit_block.h"
#include "app/view/fills.h"
#include "app/view/panels/panels.h"
#include "app/view/popup.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::FillKind;

constexpr const char* kMenu = "fills";
constexpr float kFieldWidth = 110;

template <FillKind kind>
void fill_with(Ui& ui) {
  fill_cells(ui, kind);
}

struct FillButton {
  const char* id;
  const char* label;
  const char* help;
  void (*run)(Ui&);
};
constexpr std::array kNumberFills{
    FillButton{"fill/zero", "Zero", "0 in every cell", fill_with<FillKind::kZero>},
    FillButton{"fill/identity", "Identity", "1 on the diagonal, else 0",
               fill_with<FillKind::kIdentity>},
    FillButton{"fill/xavier", "Xavier", "Random in ±√(6 / (rows + columns)); other ones each time",
               fill_with<FillKind::kXavier>},
};
constexpr std::array kMaskFills{
    FillButton{"fill/zero", "Forbid", "No query may look at any key", fill_with<FillKind::kZero>},
    FillButton{"fill/allow", "Allow", "Every query may look at every key", allow_pairs},
    FillButton{"fill/identity", "Diagonal", "Each query may look at its own position alone",
               fill_with<FillKind::kIdentity>},
    FillButton{"fill/reset", "Reset", "Takes the painted mask away; the mask's rules stay",
               reset_mask},
};

void fill_items(Ui& ui) {
  struct Item {
    const char* id;
    const char* name;
    FillKind kind;
  };
  constexpr std::array kItems{
      Item{"fills/zero", "Zeros", FillKind::kZero},
      Item{"fills/identity", "Identity", FillKind::kIdentity},
      Item{"fills/normal", "Normal, deviation 1", FillKind::kNormal},
      Item{"fills/xavier", "Xavier, ±√(6 / (rows + columns))", FillKind::kXavier},
  };
  for (const Item& item : kItems) {
    if (menu_item(ui, item.id, item.name)) fill_cells(ui, item.kind);
  }
  if (menu_item(ui, "fills/transpose", "Transpose", {}, false, can_transpose(ui)))
    transpose_cells(ui);
  if (menu_item(ui, "fills/normalise", "Normalise rows")) normalise_cells(ui);
}

void label(Ui& ui, const char* text) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text);
  ImGui::SameLine(ui.px(96));
  ImGui::SetNextItemWidth(ui.px(kFieldWidth));
}

void fill_fields(Ui& ui) {
  EditState& edit = ui.state.edit;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(6), ui.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  label(ui, "Next seed");
  const std::uint64_t step = 1;
  ImGui::InputScalar("##seed", ImGuiDataType_U64, &edit.fill_seed, &step);
  ui.name_item("fills/seed");
  label(ui, "Factor");
  ImGui::InputFloat("##factor", &edit.fill_factor, 0, 0, "%g");
  ui.name_item("fills/factor");
  ImGui::SameLine();
  if (ImGui::Button("Scale")) {
    scale_cells(ui);
    ImGui::CloseCurrentPopup();
  }
  ui.name_item("fills/scale");
  ImGui::PopStyleVar(2);
}

void fill_menu(Ui& ui, const Rect& anchor) {
  open_wanted_popup(ui, kMenu);
  if (!begin_popup(ui, kMenu, anchor)) return;
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  ImGui::TextUnformatted(fill_target_text(ui).c_str());
  ImGui::PopStyleColor();
  fill_items(ui);
  ImGui::Separator();
  fill_fields(ui);
  end_popup();
}

void menu_button(Ui& ui, const Rect& place) {
  if (button(ui, "button/fills", place, "Fill   ")) open_popup(kMenu);
  draw_menu_mark(ui, {place.right() - ui.px(14), place.y + place.h / 2});
  tooltip(ui, "Every way to fill the matrix, or the selected block of it");
  fill_menu(ui, place);
}

}  // namespace

void fill_row(Ui& ui, Rect row) {
  const bool numbers = holds_numbers(ui);
  const std::span<const FillButton> fills =
      numbers ? std::span<const FillButton>(kNumberFills) : std::span<const FillButton>(kMaskFills);
  const float gap = ui.px(6), width = std::floor((row.w - gap * 3) / 4);
  for (const FillButton& fill : fills) {
    if (button(ui, fill.id, row.cut_left(width), fill.label)) fill.run(ui);
    tooltip(ui, fill.help);
    row.cut_left(gap);
  }
  if (numbers) menu_button(ui, row.cut_left(width));
}

}  // namespace lab
