#pragma once

#include "app/cli/explanation.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// Which number a verb is about, as it is entered: a stage, a head, and the tokens or numbers of a
/// row and a column.
struct LocationArguments {
  std::string stage = "weights";
  std::string head, row, column;
};

/// Declares --stage, --head, --row and --col; the last two are required.
void add_location_options(CLI::App& app, LocationArguments& arguments);

/// The location that is named; prints a note where a token occurs several times. Fails with kUsage
/// when there is no such stage, head, row or column.
Expected<CellLocation> find_location(const LocationArguments& arguments, const Document& document,
                                     const attention::Trace& trace);

}  // namespace lab::cli
