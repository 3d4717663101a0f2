#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/cli/cli.h"
#include "app/document/document.h"
#include "app/files/open.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// What a verb finds when it runs, and what it leaves behind.
struct VerbRun {
  const DisplayVerbs& display;
  std::string record_path;     ///< --record; empty: not asked for
  std::string stats_path;      ///< --stats; empty: not asked for
  std::string record;          ///< the commands that the verb applied, one JSON object a line
  bool files_written = false;  ///< true when the verb sees to both files itself
};

/// Tells the person something that is no error: one line on standard error.
void tell(const std::string& message);

/// What IN names (see open_whole); tells what a person should know of it.
Expected<files::Opened> open_whole_input(const std::string& source,
                                         const files::MultiheadChoice& choice = {});
/// The same for those who need the document alone.
Expected<Document> open_input(const std::string& source, const files::MultiheadChoice& choice = {});

/// The place among `labels` that `text` names (see find_label); tells when there are several.
Expected<attention::Index> find_and_tell(const std::vector<std::string>& labels,
                                         const std::string& text, const std::string& option);

/// What a verb does once its arguments are read.
using Action = std::function<Expected<void>(VerbRun&)>;

/// One word of the command line. `declare` adds its options to a parser and returns the action
/// that uses them.
struct Verb {
  std::string_view name;
  std::string_view arguments;  ///< as the usage line shows them
  std::string_view summary;    ///< one line, for the list of verbs
  Action (*declare)(CLI::App& app);
};

/// Every verb, in the order of the help text.
std::span<const Verb> verbs();
/// The verb of that name, or null.
const Verb* find_verb(std::string_view name);

// One function per verb, in a file of its own: declares its options and returns what runs it.

/// Runs commands on a session.
Action declare_apply(CLI::App& app);
/// Compares an answer with the right one.
Action declare_check(CLI::App& app);
/// Computes the answer to a problem.
Action declare_compute(CLI::App& app);
/// Converts between file formats.
Action declare_convert(CLI::App& app);
/// Lists the built-in examples.
Action declare_examples(CLI::App& app);
/// Explains a cell.
Action declare_explain(CLI::App& app);
/// Writes figures and numbers.
Action declare_export(CLI::App& app);
/// Imports a matrix or word vectors.
Action declare_import(CLI::App& app);
/// Checks a lesson or prints its worksheet.
Action declare_lesson(CLI::App& app);
/// Lists the built-in lessons.
Action declare_lessons(CLI::App& app);
/// Draws the window off screen.
Action declare_screenshot(CLI::App& app);
/// Opens the window; used when no verb is given.
Action declare_window(CLI::App& app);

}  // namespace lab::cli
