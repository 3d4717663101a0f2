#pragma once

#include <string>

#include "app/figure/figure_options.h"

namespace lab {

/// What the export dialog describes.
struct ExportState {
  FigureOptions figure;         ///< head, selection and pins are those of the window
  std::string ending = ".png";  ///< of the format
  bool marks = false;           ///< pins and the selected cell are drawn
};

}  // namespace lab
