#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/session/session_view.h"

namespace lab::files {

/// The names and shapes of the tensors in a file.
enum class TensorLayout {
  kProblem,   ///< as problem_tensors() returns them
  kMultihead  ///< as multihead_tensors() does
};

/// The layout of that name, "problem" or "multihead", or nothing.
std::optional<TensorLayout> tensor_layout_from_name(std::string_view name);

/// A document encoded as a file.
struct WrittenDocument {
  std::string bytes;
  std::string lost;  ///< what is lost in such a file, one sentence; empty: nothing
};

/// True for the endings of files that hold a whole document: .json, .safetensors, .npz.
bool is_document_ending(std::string_view ending);

/// `document` encoded for a file with that `ending`: .safetensors or .npz with tensors in that
/// layout, anything else as a session, which keeps everything including `view`. Fails with
/// kBadInput when the layout cannot hold the document.
Expected<WrittenDocument> write_document(const Document& document, std::string_view ending,
                                         TensorLayout layout = TensorLayout::kProblem,
                                         const std::optional<SessionView>& view = std::nullopt);

}  // namespace lab::files
