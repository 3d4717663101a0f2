#pragma once

#include <imgui.h>

#include "app/view/state/inspection.h"

namespace lab::view {

/// `part` made `factor` times smaller (below 1: larger) around the point `at` of the plot, in 0 … 1
/// of its sides. Never smaller than two cells of `shape` per side, never beyond the matrix.
files::MatrixPart zoomed(const files::MatrixPart& part, float factor, ImVec2 at,
                         attention::Shape shape);

/// `part` moved so that the matrix follows a drag by `by`, in 0 … 1 of the plot's sides.
files::MatrixPart panned(const files::MatrixPart& part, ImVec2 by);

/// `part` moved just far enough that the whole cell is visible.
files::MatrixPart showing(const files::MatrixPart& part, Cell cell, attention::Shape shape);

}  // namespace lab::view
