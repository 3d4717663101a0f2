#include "app/translation/words.h"
#include "app/view/cards/thumbnail.h"
#include "app/view/maps/heads.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kSide = 18, kSwitchGap = 3;

struct HeadSwitch {
  const char* name;
  const char* letter;
  const char* help;
  bool attention::HeadMix::*on;
  void (*toggle)(Ui& ui, int head);
};

constexpr HeadSwitch kSolo{"solo", "S", tr_later("Solo: only this head goes into the output   S"),
                           &attention::HeadMix::solo, toggle_solo};
constexpr HeadSwitch kMute{"mute", "M",
                           tr_later("Mute: nothing of this head goes into the output   M"),
                           &attention::HeadMix::mute, toggle_mute};

// Cut off the title when it is visible; can be clicked and found by name even when it is not.
void head_switch(Ui& ui, Rect& title, Rect& places, int head, const HeadSwitch& what,
                 bool pointed_at) {
  const Rect cut = places.cut_right(ui.px(kSide));
  const Rect place{cut.x, title.y + ui.px(1), ui.px(kSide), ui.px(kSide)};
  places.cut_right(ui.px(kSwitchGap));
  const std::string id = "head/" + std::to_string(head + 1) + "/" + what.name;
  if (click_area(ui, id, place)) what.toggle(ui, head);
  tooltip(ui, tr(what.help));
  const bool on = head_mix(ui, head).*what.on;
  if (!on && !pointed_at) return;
  title.w = places.right() - title.x;
  const figure::Rgb quiet = ImGui::IsItemHovered() ? ui.theme.button_hover : ui.theme.button;
  fill_rect(ui, place, on ? ui.theme.accent : quiet, ui.px(4));
  draw_text(ui, ui.fonts.small, place, what.letter, on ? ui.theme.on_accent : ui.theme.dim,
            TextAlign::kCentre);
}

}  // namespace

void head_switches(Ui& ui, Rect& title, int head, bool pointed_at) {
  Rect places = title;
  head_switch(ui, title, places, head, kSolo, pointed_at);
  head_switch(ui, title, places, head, kMute, pointed_at);
}

}  // namespace lab::view
