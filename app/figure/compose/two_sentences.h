#pragma once

#include <vector>

#include "app/document/words/paired_words.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/figure_source.h"

namespace lab::figure {

/// The maps of A, the kept state, and of B, whose sentences differ, each with its own labels; then
/// B − A, of the words that are in both, where there is such a difference. Precondition: there is a
/// kept state, with the stage and the head of the options. Throws std::out_of_range when A has none
/// of the chosen tokens.
std::vector<Panel> panels_of_two_sentences(const FigureSource& source, const PairedWords& words);

/// True when the third of these maps is there: the sentences share words, and the axes of the stage
/// that do not stand for words are equally long.
bool has_difference(const FigureSource& source, const PairedWords& words);

}  // namespace lab::figure
