#pragma once

#include <string>
#include <vector>

#include "app/view/export/export_files.h"
#include "app/view/state/ui.h"

// A file for each sentence of a batch.

namespace lab::view {

/// True when what is chosen can be made of every sentence: a figure that is not of one cell or of
/// two states, or numbers.
bool offers_all_sentences(const Ui& ui);
/// True when it is offered and chosen.
bool exports_all_sentences(const Ui& ui);
/// The row that chooses it, where it is offered.
void sentences_row(Ui& ui);

/// The name of the file of each sentence: "weights-1.svg", "weights-2.svg" … for "weights.svg".
std::vector<std::string> sentence_paths(const Ui& ui, const std::string& path);
/// What makes the file of each. Tokens and marks are chosen for one sentence and left out.
std::vector<ExportMaker> sentence_makers(const Ui& ui);

}  // namespace lab::view
