#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/document/commands/command_fields.h"
#include "app/document/commands/edited_places.h"
#include "core/matrix.h"

// Commands on numbers that a stage computes, and on trained models; see command.h.

namespace lab {

struct Document;

/// Switches an edit off, so that it has no effect but stays in the document, or on again: the mix
/// of a head or overrides of a stage; in a trained model also a patch of a stage, overrides of the
/// stream, or the edits of a matrix of weights.
struct SwitchEdit {
  std::string what;  ///< "mix", "stream", or the name of a stage or a matrix
  int head = 0;      ///< where it is about one, from 0
  bool on = true;

  static constexpr std::string_view kName = "switch_edit";
  static constexpr ModelComponent kComponent = ModelComponent::kOverrides;
  static void fields(auto& command, auto&& visit) {
    visit("what", command.what);
    visit("head", HeadNumber(command.head));
    visit("on", command.on);
  }
};
/// Fails when there is no such head, or `what` is neither "mix" nor a stage; in a layer of a model
/// see apply_in_layer().
Expected<Document> reduce(const Document& document, const SwitchEdit& command);

/// Goes to a step of a model that is trained here, see at_step() of training_document.h.
struct TrainTo {
  int branch = 0;  ///< of the run, from 0
  int step = 0;

  static constexpr std::string_view kName = "train_to";
  static constexpr ModelComponent kComponent = ModelComponent::kTraining;
  static void fields(auto& command, auto&& visit) {
    visit("branch", command.branch);
    visit("step", command.step);
  }
};
/// Always fails: only models have steps, and apply_in_layer() handles theirs.
Expected<Document> reduce(const Document& document, const TrainTo& command);

/// Replaces a number that the stage computes; −∞ is allowed in scores.
struct SetOverride {
  StageCell cell;
  float value = 0;

  static constexpr std::string_view kName = "set_override";
  static constexpr ModelComponent kComponent = ModelComponent::kOverrides;
  static void fields(auto& command, auto&& visit) {
    visit(command.cell);
    visit("value", command.value);
  }
};
/// Fails when there is no such cell, it is an input, or the stage cannot hold the value.
Expected<Document> reduce(const Document& document, const SetOverride& command);

struct RemoveOverride {
  StageCell cell;

  static constexpr std::string_view kName = "remove_override";
  static constexpr ModelComponent kComponent = ModelComponent::kOverrides;
  static void fields(auto& command, auto&& visit) { visit(command.cell); }
};
/// Fails when there is no such cell; without an override there nothing changes.
Expected<Document> reduce(const Document& document, const RemoveOverride& command);

/// Several overrides at once, such as all of a head's output: `values` [rows × cols] from `cell`
/// on. In a layer of a trained model, all of a head's output or weights become a patch of the head.
struct SetOverrides {
  StageCell cell;
  attention::Matrix values;

  static constexpr std::string_view kName = "set_overrides";
  static constexpr ModelComponent kComponent = ModelComponent::kOverrides;
  static void fields(auto& command, auto&& visit) {
    visit(command.cell);
    visit("values", command.values);
  }
};
/// Fails as for SetOverride, and for no values or more than kLargestBlock.
Expected<Document> reduce(const Document& document, const SetOverrides& command);

/// Removes the overrides of `rows` × `cols` cells from `cell` on.
struct RemoveOverrides {
  StageCell cell;
  int rows = 1;
  int cols = 1;

  static constexpr std::string_view kName = "remove_overrides";
  static constexpr ModelComponent kComponent = ModelComponent::kOverrides;
  static void fields(auto& command, auto&& visit) {
    visit(command.cell);
    visit("rows", command.rows);
    visit("cols", command.cols);
  }
};
/// Fails when not all of these cells exist.
Expected<Document> reduce(const Document& document, const RemoveOverrides& command);

struct ClearOverrides {
  static constexpr std::string_view kName = "clear_overrides";
  static constexpr ModelComponent kComponent = ModelComponent::kOverrides;
  static void fields(auto& /*command*/, auto&& /*visit*/) {}
};
/// Those that are detached are forgotten too.
Expected<Document> reduce(const Document& document, const ClearOverrides& command);

}  // namespace lab
