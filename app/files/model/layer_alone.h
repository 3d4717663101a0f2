#pragma once

#include <string>

#include "app/document/document.h"

namespace lab::files {

/// A layer of a model as a separate document, which sessions and problem files hold.
struct LayerAlone {
  Document document;
  std::string lost;  ///< what of it such files do not keep, one sentence; empty: nothing
};

/// Makes one of `layer`, see layer_document(): every row of X belongs to the token at its position,
/// heads count from 1, and rotary frequencies become their base where they have one.
LayerAlone layer_alone(const Document& layer);

}  // namespace lab::files
