#pragma once

#include <string>

#include "app/document/commands/command.h"
#include "app/document/document.h"

namespace lab::cli {

/// A number that moves, as it was written on the command line.
struct SweepRequest {
  Command command;  ///< sets the number: has_number(command)
  float from = 0, to = 1;
};

/// What the help says of the form.
inline constexpr const char* kSweepHelp =
    "one number from A to B and back: temperature, dropout,\n"
    "rotary_base, epsilon, scale[HEAD], a cell of a matrix,\n"
    "W_Q[HEAD,ROW,COL], X[ROW,COL], W_O[ROW,COL], b_Q[HEAD,COL], or of\n"
    "a stage, scores[HEAD,ROW,COL], in place of what is computed; rows\n"
    "and columns by token, by name or from 0";

/// Reads "W_Q[1,0,3]=-2..2", "scores[2,it,animal]=0..8" or "temperature=0.2..4". Fails with kUsage
/// saying what would have been right; tells when a token stands in several places. Whether the
/// values suit the document is for apply() to say.
Expected<SweepRequest> parse_sweep(const std::string& text, const Document& document);

}  // namespace lab::cli
