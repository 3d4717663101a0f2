#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "app/document/variant_names.h"
#include "app/translation/words.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

using attention::Config;
using attention::Positions;

constexpr const char* kVariantsMenu = "menu/Variants";
constexpr float kVariantsWidth = 348, kControlWidth = 158, kVariantRowHeight = 30,
                kVariantHeight = 24;

std::string name_of(const std::string& name) { return "variant/" + name; }
void name_item(Ui& ui, const std::string& name) { ui.name_item(name_of(name)); }

// The heading of a group, below a line unless it is the first.
void heading(Ui& ui, const std::string& text, bool first = false) {
  ImGui::Dummy({ui.px(kVariantsWidth), ui.px(first ? 0 : 4)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!first) fill_rect(ui, {at.x, at.y - ui.px(3), ui.px(kVariantsWidth), 1}, ui.theme.line);
  draw_text(ui, ui.fonts.bold, {at.x, at.y, ui.px(kVariantsWidth), ui.px(kVariantRowHeight)}, text,
            ui.theme.text);
  compat::move_cursor_below({at.x, at.y + ui.px(kVariantRowHeight)});
}

// A line: its label at the left, and the control drawn by `control` at the right.
template <typename Control>
void line(Ui& ui, const std::string& label, Control control) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Rect row{at.x, at.y, ui.px(kVariantsWidth), ui.px(kVariantRowHeight)};
  const float above = std::floor(ui.px(kVariantRowHeight - kVariantHeight) / 2);
  Rect bounds = row.cut_right(ui.px(kControlWidth));
  bounds = {bounds.x, bounds.y + above, bounds.w, ui.px(kVariantHeight)};
  draw_text(ui, ui.fonts.text, row, label, ui.theme.text);
  ImGui::SetCursorScreenPos(bounds.min());
  ImGui::SetNextItemWidth(bounds.w);
  control(bounds);
  compat::move_cursor_below({at.x, at.y + ui.px(kVariantRowHeight)});
}

// A control without a label of its own.
std::string hidden(const std::string& name) { return "##" + name; }

template <typename Make>
void switch_line(Ui& ui, const std::string& label, const std::string& name, bool on, Make make) {
  line(ui, label, [&](Rect bounds) {
    const std::string text = on ? tr("on") : tr("off");
    bounds = bounds.cut_right(value_button_width(ui, {tr("on"), tr("off")}, false));
    if (value_button(ui, name_of(name), bounds, text, false)) ui.queue(intent::Apply{make(!on)});
  });
}

// The lines of all switches below that heading.
void switch_lines(Ui& ui, const Config& config, VariantGroup group) {
  for_each_switch(group, [&](const LayerSwitch& record, auto command) {
    switch_line(ui, tr(record.words), record.name, config.*record.on, command);
  });
}

// "0 = off", after the label of a row whose control starts at `control`.
void zero_is_off(Ui& ui, const std::string& label, const Rect& control) {
  const float row = control.right() - ui.px(kVariantsWidth);
  const float start = row + text_width(ui, ui.fonts.text, label) + ui.px(8);
  draw_text(ui, ui.fonts.small, {start, control.y, control.x - start, control.h}, tr("0 = off"),
            ui.theme.dim);
}

// Applies a field of numbers that was just drawn: what is typed shows at once, and leaving the
// field makes it one step. (Newer versions of ImGui let no such field wait for Enter.)
void apply_typed(Ui& ui, bool changed, Command command) {
  if (changed) ui.queue(intent::Preview{std::move(command)});
  if (ImGui::IsItemDeactivated()) ui.queue(intent::Commit{});
}

// A non-negative whole number; 0 turns it off.
template <typename Make>
void count_line(Ui& ui, const std::string& label, const std::string& name, int value, Make make) {
  line(ui, label, [&](const Rect& bounds) {
    zero_is_off(ui, label, bounds);
    const bool changed = ImGui::InputInt(hidden(name).c_str(), &value, 1, 8);
    apply_typed(ui, changed, make(std::max(value, 0)));
    name_item(ui, name);
  });
}

// One of several choices, in a drop-down list.
template <typename Choices, typename Text, typename Make>
void choice_line(Ui& ui, const std::string& label, const std::string& name, const Choices& choices,
                 const auto& now, Text text, Make make) {
  line(ui, label, [&](Rect bounds) {
    const std::string id = name_of(name), shown = tr(text(now));
    std::vector<std::string> texts;
    texts.reserve(std::size(choices));
    for (const auto& choice : choices) texts.push_back(tr(text(choice)));
    bounds = bounds.cut_right(value_button_width(ui, texts, true));
    if (value_button(ui, id, bounds, shown, true)) open_popup(id);
    if (!begin_popup(ui, id, bounds)) return;
    for (const auto& choice : choices) {
      const std::string item(text(choice));
      if (menu_item(ui, std::string(id).append("/").append(item), tr(item), {}, choice == now))
        ui.queue(intent::Apply{make(choice)});
    }
    end_popup();
  });
}

void mask_lines(Ui& ui, const Config& config) {
  switch_line(ui, tr("Causal mask"), "causal", config.mask.causal,
              [](bool on) { return SetMask{on}; });
  count_line(ui, tr("Only the first keys"), "key_count", config.mask.key_count,
             [](int count) { return SetMask{.key_count = count}; });
  count_line(ui, tr("Window of keys"), "window", config.mask.window,
             [](int window) { return SetMask{.window = window}; });
}

void rotary_lines(Ui& ui, const Config& config) {
  line(ui, tr("Rotary base"), [&](const Rect&) {
    float base = config.rotary_base;
    const bool changed = ImGui::InputFloat("##rotary_base", &base, 0, 0, "%g");
    apply_typed(ui, changed, SetPositions{.base = base});
    name_item(ui, "rotary_base");
  });
  constexpr std::array kPairs{attention::RotaryPairs::kAdjacent, attention::RotaryPairs::kHalves};
  choice_line(ui, tr("Rotary pairs"), "rotary_pairs", kPairs, config.rotary_pairs,
              rotary_pairs_name,
              [](attention::RotaryPairs pairs) { return SetPositions{.pairs = pairs}; });
}

void position_lines(Ui& ui, const Config& config) {
  constexpr std::array kTypes{Positions::kNone, Positions::kSinusoidal, Positions::kLearned,
                              Positions::kRotary, Positions::kAlibi};
  choice_line(ui, tr("Kind"), "positions", kTypes, config.positions, positions_name,
              [](Positions type) { return SetPositions{.type = type}; });
  if (config.positions == Positions::kRotary) rotary_lines(ui, config);
}

void score_cap(Ui& ui, float cap) {
  const bool changed = ImGui::InputFloat("##score_cap", &cap, 0, 0, "%g");
  apply_typed(ui, changed, SetScoreCap{cap});
  name_item(ui, "score_cap");
}

void head_lines(Ui& ui, const Config& config) {
  std::vector<int> divisors;
  for (int count = 1; count <= config.n_heads; ++count) {
    if (config.n_heads % count == 0) divisors.push_back(count);
  }
  choice_line(
      ui, tr("Key and value heads"), "n_kv_heads", divisors, kv_head_count(config),
      [](int count) { return std::to_string(count); },
      [](int count) {
        return SetSize{SizeId::kKvHeads, count};
      });
  constexpr std::array kBuilds{attention::HeadBuild::kSeparate, attention::HeadBuild::kSplit};
  choice_line(ui, tr("Heads are built"), "head_build", kBuilds, config.head_build, head_build_name,
              [](attention::HeadBuild build) { return SetHeadBuild{build}; });
  switch_lines(ui, config, VariantGroup::kHeads);
  const std::string cap = tr("Cap of scores");
  line(ui, cap, [&](const Rect& bounds) {
    zero_is_off(ui, cap, bounds);
    score_cap(ui, config.score_cap);
  });
}

void dropout_rate(Ui& ui, float rate) {
  constexpr float kLargestRate = 0.95f;
  constexpr ImGuiSliderFlags kFlags = ImGuiSliderFlags_AlwaysClamp;
  const bool changed = ImGui::SliderFloat("##dropout_rate", &rate, 0, kLargestRate, "%.2f", kFlags);
  apply_typed(ui, changed, SetDropout{.rate = std::round(rate * 100) / 100});
  name_item(ui, "dropout_rate");
}

void dropout_seed(Ui& ui, std::uint64_t seed) {
  const std::uint64_t step = 1;
  const bool changed = ImGui::InputScalar("##dropout_seed", ImGuiDataType_U64, &seed, &step);
  apply_typed(ui, changed, SetDropout{.seed = seed});
  name_item(ui, "dropout_seed");
}

void dropout_lines(Ui& ui, const Config& config) {
  const std::string share = tr("Share to drop");
  line(ui, share, [&](const Rect& bounds) {
    zero_is_off(ui, share, bounds);
    dropout_rate(ui, config.dropout_rate);
  });
  line(ui, tr("Seed"), [&](const Rect&) { dropout_seed(ui, config.dropout_seed); });
}

void all_lines(Ui& ui, const Config& config) {
  heading(ui, tr("Mask"), true);
  mask_lines(ui, config);
  heading(ui, tr("Positions"));
  position_lines(ui, config);
  heading(ui, tr("Heads"));
  head_lines(ui, config);
  heading(ui, tr("Dropout of weights"));
  dropout_lines(ui, config);
  heading(ui, tr("Output"));
  switch_lines(ui, config, VariantGroup::kOutput);
}

void variants_menu(Ui& ui, const Rect& anchor) {
  open_requested_popup(ui, kVariantsMenu);
  if (!begin_popup(ui, kVariantsMenu, anchor)) return;
  const float padding = (ui.px(kVariantHeight) - ImGui::GetFontSize()) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), padding});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ui.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_GrabRounding, ui.px(4));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, {ui.px(4), 0});
  all_lines(ui, ui.edited().problem.config);
  ImGui::PopStyleVar(4);
  end_popup();
}

// True when no variant is switched on.
bool is_plain(Config config) {
  Config plain;
  plain.d_model = config.d_model;
  plain.n_heads = config.n_heads;
  plain.d_k = config.d_k;
  plain.d_v = config.d_v;
  plain.d_out = config.d_out;
  plain.scale = config.scale;
  plain.temperature = config.temperature;
  plain.mask.causal = config.mask.causal;
  return config == plain;
}

}  // namespace

void variants_button(Ui& ui, const Rect& heading) {
  const std::string label = tr("Variants…");
  const float width = button_width(ui, label);
  const Rect bounds{heading.right() - width, heading.y, width, heading.h};
  const bool plain = is_plain(ui.edited().problem.config);
  if (button(ui, "button/variants", bounds, label,
             plain ? ButtonLook::kQuiet : ButtonLook::kActive)) {
    open_popup(kVariantsMenu);
  }
  tooltip(ui, tr("Masks, positions, shared keys, dropout, residual, layer norm"));
  variants_menu(ui, bounds);
}

}  // namespace lab::view
