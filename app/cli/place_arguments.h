#pragma once

#include "app/cli/explanation.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// Which number a verb is about, as it is given: a stage, a head, and the tokens or numbers of a
/// row and a column.
struct PlaceArguments {
  std::string stage = "weights";
  std::string head, row, column;
};

/// Declares --stage, --head, --row and --col; the last two are required.
void add_place_options(CLI::App& app, PlaceArguments& arguments);

/// The place that is named; prints a note where a token occurs several times. Fails with kUsage
/// when there is no such stage, head, row or column.
Expected<Place> find_place(const PlaceArguments& arguments, const Document& document,
                           const attention::Trace& trace);

}  // namespace lab::cli
