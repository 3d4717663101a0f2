#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/session/session_view.h"

namespace lab::files {

/// What the tensors of a file are called and how they lie.
enum class TensorLayout {
  kProblem,   ///< as problem_tensors() gives them
  kMultihead  ///< as multihead_tensors() does
};

/// The layout of that name, "problem" or "multihead", or nothing.
std::optional<TensorLayout> tensor_layout_from_name(std::string_view name);

/// A document as the bytes of a file.
struct WrittenDocument {
  std::string bytes;
  std::string lost;  ///< what such a file does not keep of this document, one sentence; empty: all
                     ///< is kept
};

/// True for endings of files that hold a whole document: .json, .safetensors, .npz.
bool is_document_ending(std::string_view ending);

/// `document` as the file that `ending` names: .safetensors or .npz with tensors in that layout,
/// anything else a session, which keeps everything and `view` too. Fails with kBadInput where the
/// layout has no room for it.
Expected<WrittenDocument> write_document(const Document& document, std::string_view ending,
                                         TensorLayout layout = TensorLayout::kProblem,
                                         const std::optional<SessionView>& view = std::nullopt);

}  // namespace lab::files
