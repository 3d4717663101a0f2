#pragma once

#include <array>
#include <string>

#include "app/figure/figure_options.h"

namespace lab {

/// What the export dialog makes.
enum class ExportMode {
  kPicture,  ///< a figure, or the page
  kNumbers,  ///< the numbers of one stage or of all
  kFolder,   ///< a file for every stage of every head
};
inline constexpr int kExportModes = 3;

/// What the export dialog describes.
struct ExportState {
  ExportMode mode = ExportMode::kPicture;
  std::array<std::string, kExportModes> endings{".png", ".csv", ".svg"};  ///< of each mode's format
  FigureOptions figure;     ///< head, selection and pins are those of the window
  bool marks = false;       ///< pins and the selected cell are drawn
  bool all_heads = false;   ///< of kNumbers: of every head, not of the focused one
  bool all_stages = false;  ///< of kNumbers: of every stage, not of figure.stage

  /// The ending of the files that the mode makes, with the dot.
  std::string& ending() { return endings[static_cast<std::size_t>(mode)]; }
  const std::string& ending() const { return endings[static_cast<std::size_t>(mode)]; }
};

}  // namespace lab
