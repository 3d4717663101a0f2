#pragma once

#include <string>

#include "app/document/commands/command.h"
#include "app/document/document.h"

namespace lab::cli {

/// A number to sweep, from the command line.
struct SweepRequest {
  Command command;  ///< the command that sets the number; has_number(command) is true
  float from = 0, to = 1;
};

/// Help text of --sweep.
inline constexpr const char* kSweepHelp =
    "change one number from A to B and back: temperature, dropout,\n"
    "score_cap, rotary_base, epsilon, scale[HEAD], a cell of a matrix,\n"
    "W_Q[HEAD,ROW,COL], X[ROW,COL], W_O[ROW,COL], b_Q[HEAD,COL], or of\n"
    "a stage, scores[HEAD,ROW,COL], which overrides the computed value;\n"
    "rows and columns by token, by name or by number from 0";

/// Parses "W_Q[1,0,3]=-2..2", "scores[2,it,animal]=0..8" or "temperature=0.2..4". Fails with kUsage
/// and a message that says what was expected; prints a note if a token appears several times. Does
/// not check that the values are valid for the document: apply() does.
Expected<SweepRequest> parse_sweep(const std::string& text, const Document& document);

}  // namespace lab::cli
