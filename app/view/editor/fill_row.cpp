#include <imgui.h>

#include <algorithm>
#include <array>
#include <span>

#include "app/translation/words.h"
#include "app/view/editor/fills.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::FillType;

constexpr const char* kFillMenu = "fills";
constexpr float kFillFieldWidth = 110;
constexpr float kMenuMark = 17;  // at the right of the button, kept free of its name

template <FillType type>
void fill_with_button(Ui& ui) {
  fill_cells(ui, type);
}

struct FillButton {
  const char* id;
  const char* label;
  const char* help;
  void (*run)(Ui&);
};
constexpr std::array kNumberFills{
    FillButton{"fill/zero", tr_later("Zero"), tr_later("0 in every cell"),
               fill_with_button<FillType::kZero>},
    FillButton{"fill/identity", tr_later("Identity"), tr_later("1 on the diagonal, else 0"),
               fill_with_button<FillType::kIdentity>},
    FillButton{"fill/xavier", tr_later("Xavier"),
               tr_later("Random in ±√(6 / (rows + columns)); new ones each time"),
               fill_with_button<FillType::kXavier>},
};
constexpr std::array kMaskFills{
    FillButton{"fill/zero", tr_later("Forbid"), tr_later("No query may attend to any key"),
               fill_with_button<FillType::kZero>},
    FillButton{"fill/allow", tr_later("Allow"), tr_later("Every query may attend to every key"),
               allow_pairs},
    FillButton{"fill/identity", tr_later("Diagonal"),
               tr_later("Each query may only attend to its own position"),
               fill_with_button<FillType::kIdentity>},
    FillButton{"fill/reset", tr_later("Reset"),
               tr_later("Removes the painted mask; the mask's rules stay"), reset_mask},
};

void fill_items(Ui& ui) {
  struct Item {
    const char* id;
    const char* name;
    FillType type;
  };
  constexpr std::array kItems{
      Item{"fills/zero", tr_later("Zeros"), FillType::kZero},
      Item{"fills/identity", tr_later("Identity"), FillType::kIdentity},
      Item{"fills/normal", tr_later("Normal, deviation 1"), FillType::kNormal},
      Item{"fills/xavier", tr_later("Xavier, ±√(6 / (rows + columns))"), FillType::kXavier},
  };
  for (const Item& item : kItems) {
    if (menu_item(ui, item.id, tr(item.name))) fill_cells(ui, item.type);
  }
  if (menu_item(ui, "fills/transpose", tr("Transpose"), {}, false, can_transpose(ui)))
    transpose_cells(ui);
  if (menu_item(ui, "fills/normalise", tr("Normalise rows"))) normalise_cells(ui);
}

// As wide as the longer of the two.
float label_width(const Ui& ui) {
  const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  return std::max(width(tr("Next seed")), width(tr("Factor"))) + ui.px(24);
}

void label(Ui& ui, const std::string& text) {
  ImGui::AlignTextToFramePadding();
  write_text(ui, text);
  ImGui::SameLine(label_width(ui));
  ImGui::SetNextItemWidth(ui.px(kFillFieldWidth));
}

void fill_fields(Ui& ui) {
  EditState& edit = ui.state.edit;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(6), ui.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  label(ui, tr("Next seed"));
  const std::uint64_t step = 1;
  ImGui::InputScalar("##seed", ImGuiDataType_U64, &edit.fill_seed, &step);
  ui.name_item("fills/seed");
  label(ui, tr("Factor"));
  ImGui::InputFloat("##factor", &edit.fill_factor, 0, 0, "%g");
  ui.name_item("fills/factor");
  ImGui::SameLine();
  if (ImGui::Button(tr("Scale##multiply").c_str())) {
    scale_cells(ui);
    ImGui::CloseCurrentPopup();
  }
  ui.name_item("fills/scale");
  ImGui::PopStyleVar(2);
}

void fill_menu(Ui& ui, const Rect& anchor) {
  open_requested_popup(ui, kFillMenu);
  if (!begin_popup(ui, kFillMenu, anchor)) return;
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  write_text(ui, fill_target_text(ui));
  ImGui::PopStyleColor();
  fill_items(ui);
  ImGui::Separator();
  fill_fields(ui);
  end_popup();
}

void menu_button(Ui& ui, const Rect& bounds) {
  if (button(ui, "button/fills", bounds, "")) open_popup(kFillMenu);
  Rect words = bounds;
  words.cut_right(ui.px(kMenuMark));
  draw_text(ui, fitting_font(ui, tr("Fill"), words.w), words, tr("Fill"), ui.theme.text,
            TextAlign::kCentre);
  draw_menu_mark(ui, {bounds.right() - ui.px(14), bounds.y + bounds.h / 2});
  tooltip(ui, tr("Every way to fill the matrix, or the selected block of it"));
  fill_menu(ui, bounds);
}

}  // namespace

void fill_row(Ui& ui, Rect row) {
  const bool numbers = holds_numbers(ui);
  const std::span<const FillButton> fills =
      numbers ? std::span<const FillButton>(kNumberFills) : std::span<const FillButton>(kMaskFills);
  const float gap = ui.px(6), width = std::floor((row.w - gap * 3) / 4);
  for (const FillButton& fill : fills) {
    if (button(ui, fill.id, row.cut_left(width), tr(fill.label))) fill.run(ui);
    tooltip(ui, tr(fill.help));
    row.cut_left(gap);
  }
  if (numbers) menu_button(ui, row.cut_left(width));
}

}  // namespace lab::view
