#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/document/model/layer_name.h"

// Heads of a document, whether it is a layer made by hand, whose heads all have HeadRef::at {}, or
// a trained model, of which any layer can be asked about.

namespace lab {

/// True when the document has that head.
bool has_head(const Document& document, const HeadRef& head);

/// What is done to the output of `head`. Precondition: the document has that head.
attention::HeadMix head_mix(const Document& document, const HeadRef& head);

/// True when nothing of `head` reaches W_O: it is muted, scaled by 0, or others are solo.
bool is_silent(const Document& document, const HeadRef& head);

/// True when numbers of `head` are overridden or patched.
bool is_overridden(const Document& document, const HeadRef& head);

/// What replaces the whole output of `head`, of a trained model; null when nothing does.
const attention::network::HeadPatch* output_patch(const Document& document, const HeadRef& head);

/// The number of the first head in names and options: heads of trained models count from 0, as the
/// literature names them, those of layers made by hand from 1.
int first_head_number(const Document& document);

/// What `head` is called within a sentence: "head 2", of a trained model "L9H3".
std::string head_in_text(const Document& document, const HeadRef& head);
/// The name of the first of `heads`, and how many there are besides: "L9H3 and 2 more".
/// Precondition: there is one.
std::string heads_in_text(const Document& document, const std::vector<HeadRef>& heads);

}  // namespace lab
