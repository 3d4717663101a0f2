#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure_options.h"

namespace lab::view {

/// What the export dialog creates.
enum class ExportMode {
  kFigure,   ///< a figure, or the page
  kNumbers,  ///< the numbers of one stage or of all
  kFolder,   ///< a file for every stage of every head
  kMotion,   ///< an animation of the figure
};
inline constexpr int kExportModes = 4;

/// What changes in an animation.
enum class Motion {
  kWalk,         ///< from stage to stage
  kNumber,       ///< the number under the Edit card's cursor
  kCell,         ///< the selected cell of a stage, overridden
  kTemperature,  ///< from a low one to a high one
  kHeadScale,    ///< of the focused head
  kLastEdit,     ///< from the state that undo leads to, to the current one
  kStates,       ///< from A to B
  kTraining,     ///< the kept steps of the training
};

/// How it changes.
struct MotionState {
  Motion what = Motion::kWalk;
  float from = 0, to = 1;  ///< the limits of a number that changes
  double seconds = 1.5;    ///< from one limit to the other, or the time that each stage is shown
  bool back = true;        ///< and back again
  double shown = 0.5;      ///< the moment in the preview, 0 is the first and 1 the last
  bool operator==(const MotionState&) const = default;
};

/// What a figure of a whole trained model shows.
enum class WholeModel {
  kNone,       ///< unset: the figure is of one layer
  kAttention,  ///< the weights of all layers × heads
  kEffect,     ///< how the answer changes without each head
  kWritten,    ///< what each head writes to the answer
  kPatched,    ///< how the answer changes with each head as in A
  kEntropy,    ///< of the weights of each head
  kReadOut,    ///< what would be read out after each layer at each token
  kNext,       ///< the likeliest next tokens
  kCurves,     ///< of the training
};

/// The choices in the export dialog.
struct ExportState {
  ExportMode mode = ExportMode::kFigure;
  std::array<std::string, kExportModes> endings{".png", ".csv", ".svg",
                                                ".webp"};   ///< of the format of each mode
  std::array<std::vector<std::string>, kExportModes> also;  ///< of the other files of each mode
  figure::FigureOptions figure;          ///< head, selection and pins are those of the window
  WholeModel whole = WholeModel::kNone;  ///< in place of `figure`'s kind and stage
  std::optional<bool> dark;              ///< unset: as the window
  bool marks = false;                    ///< pins and the selected cell are drawn
  std::string queries, keys;             ///< the tokens to show, as they are typed; empty: all
  MotionState motion;                    ///< of kMotion
  bool all_heads = false;                ///< for kNumbers: every head, not only the focused one
  bool all_stages = false;               ///< for kNumbers: every stage, not only figure.stage
  bool all_sentences = false;            ///< of a batch: a file for each, where that is offered

  bool operator==(const ExportState&) const = default;

  /// The ending of the files that the mode creates, with the dot.
  std::string& ending() { return endings[static_cast<std::size_t>(mode)]; }
  /// The same for reading.
  const std::string& ending() const { return endings[static_cast<std::size_t>(mode)]; }
  /// The endings of the other files.
  std::vector<std::string>& others() { return also[static_cast<std::size_t>(mode)]; }
  /// The same for reading.
  const std::vector<std::string>& others() const { return also[static_cast<std::size_t>(mode)]; }
};

/// The type of figure that the dialog shows because the window shows a difference, and the chosen
/// type in whose place it is.
struct ShownFigure {
  figure::FigureType shown, chosen;
};

/// Choices that the user named.
struct ExportPreset {
  std::string name;
  ExportState choices;
  bool operator==(const ExportPreset&) const = default;
};

/// What the export dialog keeps between runs of the window.
struct ExportMemory {
  ExportState choices;
  std::vector<ExportPreset> presets;  ///< by name
  std::string folder;                 ///< where the last files went; empty: beside the session
  bool operator==(const ExportMemory&) const = default;
};

}  // namespace lab::view
