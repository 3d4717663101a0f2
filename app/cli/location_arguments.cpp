#include "app/cli/location_arguments.h"

#include <CLI/CLI.hpp>

#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/document/matrix_labels.h"

namespace lab::cli {

void add_location_options(CLI::App& app, LocationArguments& arguments) {
  app.add_option("--stage", arguments.stage, kStageHelp)->type_name("S");
  app.add_option(
         "--head", arguments.head,
         "the head, from 1 (1), or of a model from 0; ignored for\nstages common to all heads")
      ->type_name("N");
  app.add_option("--row", arguments.row, "the query token (the key token in K, V and rotated_K)")
      ->type_name("TOKEN")
      ->required();
  app.add_option("--col", arguments.column,
                 "the key token, or a feature where columns are features")
      ->type_name("TOKEN")
      ->required();
}

Expected<CellLocation> find_location(const LocationArguments& arguments, const Document& document,
                                     const attention::Trace& trace) {
  const auto stage = parse_stage(arguments.stage);
  if (!stage) return tl::make_unexpected(stage.error());
  if (auto there = check_stage(*stage, document); !there) return tl::make_unexpected(there.error());
  const auto head = attention::is_per_head(*stage) ? parse_head(arguments.head, document) : 0;
  if (!head) return tl::make_unexpected(head.error());
  const auto row = resolve_label(row_labels(document, *stage), arguments.row, "--row",
                                 row_texts(document, *stage));
  if (!row) return tl::make_unexpected(row.error());
  const attention::Index columns = stage_matrix(document.problem, trace, *stage, *head)->cols();
  const auto col = resolve_label(column_labels(document, *stage, columns), arguments.column,
                                 "--col", column_texts(document, *stage, columns));
  if (!col) return tl::make_unexpected(col.error());
  return CellLocation{*stage, *head, *row, *col};
}

}  // namespace lab::cli
