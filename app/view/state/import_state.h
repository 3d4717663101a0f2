#pragma once

#include <string>

#include "app/files/import/import_file.h"

namespace lab::view {

/// An import that only fits if the user agrees to a change.
struct ImportQuestion {
  std::string name;  ///< of the file
  MatrixRef place;   ///< where a matrix goes
  files::Imported content;
};

}  // namespace lab::view
