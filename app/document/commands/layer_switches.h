#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "app/base/error.h"
#include "app/document/commands/command_fields.h"
#include "app/translation/words.h"
#include "core/config.h"

// The switches and numbers of the layer, a record each, from which their commands, the names of
// their steps and their lines in the menu of variants follow. See command.h.

namespace lab {

/// The heading below which the menu of variants has a switch. Files list switches group by group.
enum class VariantGroup {
  kNone,  ///< it is elsewhere, in the window and in files, which then read and write it themselves
  kHeads,
  kOutput
};

/// A switch of the layer. That of a norm also sets its epsilon.
struct LayerSwitch {
  std::string_view command;  ///< the name in its JSON line
  const char* name;          ///< in sessions and problem files, and of its widget
  bool attention::Config::*on;
  float attention::Config::*epsilon = nullptr;  ///< of a norm
  const char* epsilon_name = nullptr;           ///< in these files
  /// The names of the steps that set it; of a norm, one with a placeholder for what is set.
  const char* step_on = nullptr;
  const char* step_off = nullptr;
  VariantGroup group = VariantGroup::kNone;
  const char* words = "";  ///< in the menu of variants, to be translated
};

/// A number of the layer.
struct LayerNumber {
  std::string_view command;  ///< the name in its JSON line
  float attention::Config::*member;
  Expected<void> (*check)(float value);  ///< fails when the number cannot be used
  const char* step;                      ///< the name of the step that sets it, with a place for it
  const char* step_zero = nullptr;       ///< the name of one that sets 0; null: as the others
  const char* moving;                    ///< what it is called in an animation, to be translated
};

/// Fails when there can be no such temperature.
Expected<void> check_temperature(float value);
/// Fails when `value` cannot be typed: NaN, infinite, or beyond ±kLargestCell.
Expected<void> check_value(float value);

inline constexpr LayerSwitch kScaleSwitch{.command = "set_scale",
                                          .name = "scale",
                                          .on = &attention::Config::scale,
                                          .step_on = tr_later("Scale on"),
                                          .step_off = tr_later("Scale off")};
inline constexpr LayerSwitch kBiasesSwitch{.command = "set_biases",
                                           .name = "biases",
                                           .on = &attention::Config::biases,
                                           .step_on = tr_later("Biases on"),
                                           .step_off = tr_later("Biases off"),
                                           .group = VariantGroup::kHeads,
                                           .words = tr_later("Biases")};
inline constexpr LayerSwitch kResidualSwitch{.command = "set_residual",
                                             .name = "residual",
                                             .on = &attention::Config::residual,
                                             .step_on = tr_later("Residual on"),
                                             .step_off = tr_later("Residual off"),
                                             .group = VariantGroup::kOutput,
                                             .words = tr_later("Residual: X + output")};
inline constexpr LayerSwitch kLayerNormSwitch{.command = "set_layer_norm",
                                              .name = "layer_norm",
                                              .on = &attention::Config::layer_norm,
                                              .epsilon = &attention::Config::layer_norm_epsilon,
                                              .epsilon_name = "layer_norm_epsilon",
                                              .step_on = tr_later("Layer norm {}"),
                                              .group = VariantGroup::kOutput,
                                              .words = tr_later("Layer norm")};
/// The norm of each query and key.
inline constexpr LayerSwitch kHeadNormSwitch{.command = "set_head_norm",
                                             .name = "head_norm",
                                             .on = &attention::Config::head_norm,
                                             .epsilon = &attention::Config::head_norm_epsilon,
                                             .epsilon_name = "head_norm_epsilon",
                                             .step_on = tr_later("Norm of queries and keys {}"),
                                             .group = VariantGroup::kHeads,
                                             .words = tr_later("Norm of Q and K")};
/// The scores without a key.
inline constexpr LayerSwitch kSinkSwitch{.command = "set_sink",
                                         .name = "sink",
                                         .on = &attention::Config::sink,
                                         .step_on = tr_later("Attention sinks on"),
                                         .step_off = tr_later("Attention sinks off"),
                                         .group = VariantGroup::kHeads,
                                         .words = tr_later("Attention sinks")};
inline constexpr LayerNumber kTemperatureNumber{.command = "set_temperature",
                                                .member = &attention::Config::temperature,
                                                .check = check_temperature,
                                                .step = tr_later("Set temperature to {}"),
                                                .moving = tr_later("temperature")};
/// The cap of scaled scores; 0: none.
inline constexpr LayerNumber kScoreCapNumber{.command = "set_score_cap",
                                             .member = &attention::Config::score_cap,
                                             .check = check_value,
                                             .step = tr_later("Set cap of scores to {}"),
                                             .step_zero = tr_later("Cap of scores off"),
                                             .moving = tr_later("cap of scores")};

/// Sets a switch.
template <const LayerSwitch& kRecord>
struct SetSwitch {
  bool on = true;

  static constexpr const LayerSwitch& kSwitch = kRecord;
  static constexpr std::string_view kName = kRecord.command;
  static constexpr ModelComponent kComponent = ModelComponent::kSwitches;
  static void fields(auto& command, auto&& visit) { visit("on", command.on); }
};

/// Sets a norm.
template <const LayerSwitch& kRecord>
struct SetNorm {
  std::optional<bool> on = {};
  std::optional<float> epsilon = {};

  static constexpr const LayerSwitch& kSwitch = kRecord;
  static constexpr std::string_view kName = kRecord.command;
  static constexpr ModelComponent kComponent = ModelComponent::kSwitches;
  static void fields(auto& command, auto&& visit) {
    visit("on", command.on);
    visit("epsilon", command.epsilon);
  }
};

/// Sets a number.
template <const LayerNumber& kRecord>
struct SetNumber {
  float value = attention::Config{}.*kRecord.member;

  static constexpr std::string_view kName = kRecord.command;
  static constexpr ModelComponent kComponent = ModelComponent::kSwitches;
  static void fields(auto& command, auto&& visit) { visit("value", command.value); }
};

using SetScale = SetSwitch<kScaleSwitch>;
using SetBiases = SetSwitch<kBiasesSwitch>;
using SetResidual = SetSwitch<kResidualSwitch>;
using SetLayerNorm = SetNorm<kLayerNormSwitch>;
using SetHeadNorm = SetNorm<kHeadNormSwitch>;
using SetSink = SetSwitch<kSinkSwitch>;
using SetTemperature = SetNumber<kTemperatureNumber>;
using SetScoreCap = SetNumber<kScoreCapNumber>;

/// The commands of all of them, after others.
template <typename... Others>
using WithLayerSwitches = std::variant<Others..., SetScale, SetTemperature, SetBiases, SetResidual,
                                       SetLayerNorm, SetHeadNorm, SetScoreCap, SetSink>;

/// Calls visit(switch, command) for every switch of that group, in the order of their commands,
/// with the function that makes the command which sets it.
template <typename Visit>
void for_each_switch(VariantGroup group, Visit visit) {
  const auto visit_if_there = [&]<typename Set>(const Set*) {
    if constexpr (requires { Set::kSwitch; }) {
      if (Set::kSwitch.group == group) visit(Set::kSwitch, [](bool on) { return Set{on}; });
    }
  };
  [&]<typename... Sets>(const std::variant<Sets...>*) {
    (visit_if_there(static_cast<const Sets*>(nullptr)), ...);
  }(static_cast<const WithLayerSwitches<>*>(nullptr));
}

}  // namespace lab
