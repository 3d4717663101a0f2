#pragma once

#include <string>

#include "app/files/import/import_file.h"

namespace lab {

/// Something that was read and fits only if the user agrees to a change.
struct ImportQuestion {
  std::string name;  ///< of the file
  MatrixRef place;   ///< of a matrix
  Imported content;
};

}  // namespace lab
