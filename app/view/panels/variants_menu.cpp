#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/variant_names.h"
#include "app/view/panels/panels.h"
#include "app/view/popup.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::Config;
using attention::Positions;

constexpr const char* kMenu = "menu/Variants";
constexpr float kControlWidth = 150;

void name_item(Ui& ui, const std::string& name) { ui.name_item("variant/" + name); }

// Starts a line of the table: its label, then the place of its control.
void line(Ui& ui, const char* label) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(ui.px(kControlWidth));
}

// A control without a label of its own.
std::string hidden(const std::string& name) { return "##" + name; }

template <typename Make>
void switch_line(Ui& ui, const char* label, const std::string& name, bool on, Make make) {
  line(ui, label);
  if (ImGui::Checkbox(hidden(name).c_str(), &on)) ui.queue(intent::Apply{make(on)});
  name_item(ui, name);
}

// A whole number from 0; 0 turns it off.
template <typename Make>
void count_line(Ui& ui, const char* label, const std::string& name, int value, Make make) {
  line(ui, label);
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue;
  if (ImGui::InputInt(hidden(name).c_str(), &value, 1, 8, kFlags)) {
    ui.queue(intent::Apply{make(std::max(value, 0))});
  }
  name_item(ui, name);
}

// One of several, in a list that opens.
template <typename Choices, typename Text, typename Make>
void choice_line(Ui& ui, const char* label, const std::string& name, const Choices& choices,
                 const auto& now, Text text, Make make) {
  line(ui, label);
  const bool open = ImGui::BeginCombo(hidden(name).c_str(), std::string(text(now)).c_str());
  name_item(ui, name);
  if (!open) return;
  for (const auto& choice : choices) {
    const std::string shown(text(choice));
    std::string place = name;
    if (ImGui::Selectable(shown.c_str(), choice == now)) ui.queue(intent::Apply{make(choice)});
    name_item(ui, place.append("/").append(shown));
  }
  ImGui::EndCombo();
}

void mask_lines(Ui& ui, const Config& config) {
  switch_line(ui, "Causal mask", "causal", config.mask.causal, [](bool on) { return SetMask{on}; });
  count_line(ui, "Only the first keys", "key_count", config.mask.key_count,
             [](int count) { return SetMask{.key_count = count}; });
  count_line(ui, "Window of keys", "window", config.mask.window,
             [](int window) { return SetMask{.window = window}; });
}

void rotary_lines(Ui& ui, const Config& config) {
  line(ui, "Rotary base");
  float base = config.rotary_base;
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue;
  if (ImGui::InputFloat("##rotary_base", &base, 0, 0, "%g", kFlags)) {
    ui.queue(intent::Apply{SetPositions{.base = base}});
  }
  name_item(ui, "rotary_base");
  constexpr std::array kPairs{attention::RotaryPairs::kAdjacent, attention::RotaryPairs::kHalves};
  choice_line(ui, "Rotary pairs", "rotary_pairs", kPairs, config.rotary_pairs, rotary_pairs_name,
              [](attention::RotaryPairs pairs) { return SetPositions{.pairs = pairs}; });
}

void position_lines(Ui& ui, const Config& config) {
  constexpr std::array kKinds{Positions::kNone, Positions::kSinusoidal, Positions::kLearned,
                              Positions::kRotary, Positions::kAlibi};
  choice_line(ui, "Positions", "positions", kKinds, config.positions, positions_name,
              [](Positions kind) { return SetPositions{.kind = kind}; });
  if (config.positions == Positions::kRotary) rotary_lines(ui, config);
}

void head_lines(Ui& ui, const Config& config) {
  std::vector<int> divisors;
  for (int count = 1; count <= config.n_heads; ++count) {
    if (config.n_heads % count == 0) divisors.push_back(count);
  }
  choice_line(
      ui, "Key and value heads", "n_kv_heads", divisors, kv_head_count(config),
      [](int count) { return std::to_string(count); },
      [](int count) {
        return SetSize{SizeId::kKvHeads, count};
      });
  constexpr std::array kBuilds{attention::HeadBuild::kSeparate, attention::HeadBuild::kSplit};
  choice_line(ui, "Heads are built", "head_build", kBuilds, config.head_build, head_build_name,
              [](attention::HeadBuild build) { return SetHeadBuild{build}; });
  switch_line(ui, "Biases", "biases", config.biases, [](bool on) { return SetBiases{on}; });
}

void dropout_lines(Ui& ui, const Config& config) {
  constexpr float kLargestRate = 0.95f;
  line(ui, "Dropout");
  float rate = config.dropout_rate;
  constexpr ImGuiSliderFlags kFlags = ImGuiSliderFlags_AlwaysClamp;
  if (ImGui::SliderFloat("##dropout_rate", &rate, 0, kLargestRate, "%.2f", kFlags)) {
    ui.queue(intent::Preview{SetDropout{.rate = std::round(rate * 100) / 100}});
  }
  if (ImGui::IsItemDeactivated()) ui.queue(intent::Commit{"Set dropout"});
  name_item(ui, "dropout_rate");
  line(ui, "Dropout seed");
  std::uint64_t seed = config.dropout_seed;
  const std::uint64_t step = 1;
  constexpr ImGuiInputTextFlags kEnter = ImGuiInputTextFlags_EnterReturnsTrue;
  if (ImGui::InputScalar("##dropout_seed", ImGuiDataType_U64, &seed, &step, nullptr, nullptr,
                         kEnter)) {
    ui.queue(intent::Apply{SetDropout{.seed = seed}});
  }
  name_item(ui, "dropout_seed");
}

void output_lines(Ui& ui, const Config& config) {
  switch_line(ui, "Residual: X + output", "residual", config.residual,
              [](bool on) { return SetResidual{on}; });
  switch_line(ui, "Layer norm", "layer_norm", config.layer_norm,
              [](bool on) { return SetLayerNorm{on}; });
}

void variants_menu(Ui& ui, const Rect& anchor) {
  if (!begin_popup(ui, kMenu, anchor)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(6), ui.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  if (ImGui::BeginTable("variants", 2, ImGuiTableFlags_SizingFixedFit)) {
    const Config& config = ui.edited().problem.config;
    mask_lines(ui, config);
    position_lines(ui, config);
    head_lines(ui, config);
    dropout_lines(ui, config);
    output_lines(ui, config);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar(2);
  end_popup();
}

// The sizes alone, without any variant.
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
  constexpr std::string_view kLabel = "Variants…";
  const float width = button_width(ui, kLabel);
  const Rect place{heading.right() - width, heading.y, width, heading.h};
  const bool plain = is_plain(ui.edited().problem.config);
  if (button(ui, "button/variants", place, kLabel,
             plain ? ButtonLook::kQuiet : ButtonLook::kActive)) {
    open_popup(kMenu);
  }
  tooltip(ui, "Masks, positions, shared keys, dropout, residual, layer norm");
  variants_menu(ui, place);
}

}  // namespace lab
