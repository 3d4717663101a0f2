#pragma once

#include <string>
#include <vector>

#include "app/document/solving/free_choice.h"
#include "core/layer/trace.h"

namespace lab::cli {

// How the verb solve spells cells and what is free. All fail with kUsage, saying what was expected.

/// "weights[1,it,animal]=0.9", or without a head for stages that all heads share,
/// "output[it,3]=-1".
Expected<attention::TargetCell> parse_target(const std::string& text, const Document& document,
                                             const attention::Trace& trace);

/// The cells that "weights[1,it,animal]" or, a whole row, "weights[1,it]" keeps; those of a row
/// that nothing can move are left out.
Expected<std::vector<attention::TargetCell>> parse_kept(const std::string& text,
                                                        const Document& document,
                                                        const attention::Trace& trace);

/// "W_Q", "W_Q:2" for one head, "W_Q:2:0,3" for some of its rows; "X", "X:it,cat" for the vectors
/// of tokens, "W_O:5".
Expected<FreeChoice> parse_free(const std::string& text, const Document& document);

/// Gives the choices of a matrix a weight: "W_Q=2".
Expected<void> parse_weight(const std::string& text, std::vector<FreeChoice>& choices);

}  // namespace lab::cli
