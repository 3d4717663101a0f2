#pragma once

#include <string>

#include "app/files/import/import_file.h"

namespace lab::view {

/// Something that was read and fits only if the user agrees to a change.
struct ImportQuestion {
  std::string name;  ///< of the file
  MatrixRef place;   ///< of a matrix
  files::Imported content;
};

}  // namespace lab::view
