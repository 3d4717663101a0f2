#include "app/view/cards/stage_card.h"

#include <imgui_stdlib.h>

#include "app/base/typed_number.h"
#include "app/base/wording.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Stage;

constexpr float kEndWidth = 78;
constexpr float kMenuBelow = 14;  // the menu opens this far below the top of the bar

void ends_item(Ui& ui, Stage stage, const char* name, const std::string& words, RangeEnds ends) {
  const RangeChoice now = ui.state.inspection.ranges.of(stage);
  const std::string id = range_menu_of(stage) + "/" + name;
  if (!menu_item(ui, id, words, {}, now.ends == ends)) return;
  choose_range(ui, stage, {ends, now.spread});
  // Its ends can be typed at once.
  if (ends == RangeEnds::kFixed) ui.state.requests.ask(request::OpenPopup{range_menu_of(stage)});
}

void spread_item(Ui& ui, Stage stage, const char* name, const std::string& words,
                 figure::Spread spread) {
  const RangeChoice now = ui.state.inspection.ranges.of(stage);
  const std::string id = range_menu_of(stage) + "/" + name;
  if (menu_item(ui, id, words, {}, now.spread == spread))
    choose_range(ui, stage, {now.ends, spread});
}

bool end_field(Ui& ui, const std::string& name, std::string& text) {
  ImGui::SetNextItemWidth(ui.px(kEndWidth));
  const bool changed = ImGui::InputText(("##" + name).c_str(), &text);
  ui.name_item(name);
  return changed;
}

// The ends of a fixed range, which apply as soon as the first is below the second.
void end_fields(Ui& ui, Stage stage) {
  MapRanges& ranges = ui.state.inspection.ranges;
  if (ranges.of(stage).ends != RangeEnds::kFixed) return;
  RangeFields& fields = ranges.fields;
  if (ImGui::IsWindowAppearing()) {
    const figure::Range now = shown_range(ui, stage);
    fields = {shortest(now.lo), shortest(now.hi), now, false};
  }
  const std::string id = range_menu_of(stage);
  const bool low = end_field(ui, id + "/lo", fields.lo);
  ImGui::SameLine(0, ui.px(6));
  ImGui::TextUnformatted(tr("to##a number").c_str());
  ImGui::SameLine(0, ui.px(6));
  const bool high = end_field(ui, id + "/hi", fields.hi);
  const auto lo = parse_typed_number(fields.lo), hi = parse_typed_number(fields.hi);
  const bool valid = lo && hi && std::isfinite(*lo) && std::isfinite(*hi) && *lo < *hi;
  if ((low || high) && valid) fix_range(ui, stage, *lo, *hi);
  fields.typed = fields.typed || ((low || high) && valid);
  if (fields.typed && compat::key_pressed(Key::kEscape, false))
    fix_range(ui, stage, fields.before.lo, fields.before.hi);
  if (valid) return;
  ImGui::TextDisabled("%s", tr("two numbers, the smaller one first").c_str());
  ui.name_item(id + "/problem");
}

void scope_items(Ui& ui, Stage stage) {
  const MapRanges& ranges = ui.state.inspection.ranges;
  const std::string id = range_menu_of(stage);
  if (menu_item(ui, id + "/all", tr("Use for all maps"))) choose_all_ranges(ui, ranges.of(stage));
  if (menu_item(ui, id + "/follow", tr("As all other maps"), {}, false, ranges.own.contains(stage)))
    follow_all_ranges(ui, stage);
}

}  // namespace

std::string range_menu_of(Stage stage) { return "range/" + std::string(stage_name(stage)); }

void range_menu(Ui& ui, const Rect& bar, Stage stage) {
  const std::string id = range_menu_of(stage);
  if (pointer_area(ui, id, bar)) open_popup(id);
  tooltip(ui, tr("Colour range…"));
  open_requested_popup(ui, id);
  if (!begin_popup(ui, id, {bar.x, bar.y, bar.w, ui.px(kMenuBelow)})) return;
  ImGui::TextDisabled("%s", tr("Colours of {}", {explain::stage_title(stage)}).c_str());
  const bool weights = attention::holds_weights(stage);
  ends_item(ui, stage, "automatic",
            weights ? tr("automatic: 0 to 1, or to a maximum below ½")
                    : tr("automatic: to the maximum of the map"),
            RangeEnds::kAutomatic);
  if (is_per_head(stage))
    ends_item(ui, stage, "shared", tr("shared by all heads: to their maximum"), RangeEnds::kShared);
  ends_item(ui, stage, "robust", tr("robust 2–98 %"), RangeEnds::kRobust);
  // Ends that are fixed are those of the numbers.
  if (!ui.state.sensitivity.on) {
    ends_item(ui, stage, "fixed", tr("fixed"), RangeEnds::kFixed);
    end_fields(ui, stage);
  }
  ImGui::Separator();
  spread_item(ui, stage, "linear", tr("linear"), figure::Spread::kLinear);
  spread_item(ui, stage, "sqrt", tr("square root"), figure::Spread::kSquareRoot);
  spread_item(ui, stage, "log", tr("logarithmic"), figure::Spread::kLogarithmic);
  ImGui::Separator();
  scope_items(ui, stage);
  end_popup();
}

}  // namespace lab::view
