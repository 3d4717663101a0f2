#include "app/lessons/lesson_parts.h"

#include <array>

#include "app/base/named.h"

namespace lab::lessons {
namespace {

constexpr std::array<std::string_view, 8> kControls{
    "sentence", "embeddings", "weights", "mask", "sizes", "switches", "heads", "overrides"};
constexpr std::array<std::string_view, 7> kPanels{"edit",    "model", "heads", "tokens",
                                                  "explain", "row",   "head"};

Control control_of_matrix(MatrixId id) {
  switch (id) {
    case MatrixId::kX:
    case MatrixId::kXKv:
    case MatrixId::kPositionTable:
    case MatrixId::kPositionTableKv:
      return Control::kEmbeddings;
    case MatrixId::kMask:
    case MatrixId::kScoreBias:
      return Control::kMask;
    default:
      return Control::kWeights;
  }
}

struct Edited {
  Control operator()(const SetSentence&) const { return Control::kSentence; }
  Control operator()(const SetKvSentence&) const { return Control::kSentence; }
  Control operator()(const SetTokenMode&) const { return Control::kSentence; }
  Control operator()(const SetSize&) const { return Control::kSizes; }
  Control operator()(const SetHeadBuild&) const { return Control::kSizes; }
  Control operator()(const SetScale&) const { return Control::kSwitches; }
  Control operator()(const SetTemperature&) const { return Control::kSwitches; }
  Control operator()(const SetMask&) const { return Control::kMask; }
  Control operator()(const SetMaskCell&) const { return Control::kMask; }
  Control operator()(const FillMask&) const { return Control::kMask; }
  Control operator()(const SetBiasCell&) const { return Control::kMask; }
  Control operator()(const FillBias&) const { return Control::kMask; }
  Control operator()(const SetPositions&) const { return Control::kSwitches; }
  Control operator()(const SetBiases&) const { return Control::kSwitches; }
  Control operator()(const SetDropout&) const { return Control::kSwitches; }
  Control operator()(const SetResidual&) const { return Control::kSwitches; }
  Control operator()(const SetLayerNorm&) const { return Control::kSwitches; }
  Control operator()(const SetHeadMix&) const { return Control::kHeads; }
  Control operator()(const SetOverride&) const { return Control::kOverrides; }
  Control operator()(const RemoveOverride&) const { return Control::kOverrides; }
  Control operator()(const ClearOverrides&) const { return Control::kOverrides; }
  Control operator()(const SetCell& command) const { return control_of_matrix(command.matrix.id); }
  Control operator()(const SetBlock& command) const { return control_of_matrix(command.matrix.id); }
  Control operator()(const FillMatrix& command) const {
    return control_of_matrix(command.matrix.id);
  }
};

template <std::size_t size>
std::string joined(const std::array<std::string_view, size>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

std::string_view control_name(Control control) { return name_of_id(kControls, control); }

std::optional<Control> control_from_name(std::string_view name) {
  return id_from_name<Control>(kControls, name);
}

Control control_of(const Command& command) { return std::visit(Edited{}, command); }

std::string_view panel_name(Panel part) { return name_of_id(kPanels, part); }

std::optional<Panel> panel_from_name(std::string_view name) {
  return id_from_name<Panel>(kPanels, name);
}

std::string control_names() { return joined(kControls); }
std::string panel_names() { return joined(kPanels); }

}  // namespace lab::lessons
