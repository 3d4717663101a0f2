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

// One of these stands in each verb's file; `declare_window` is for when there is no verb.
Action declare_apply(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_compute(CLI::App& app);
Action declare_convert(CLI::App& app);
Action declare_examples(CLI::App& app);
Action declare_explain(CLI::App& app);
Action declare_export(CLI::App& app);
Action declare_import(CLI::App& app);
Action declare_lesson(CLI::App& app);
Action declare_lessons(CLI::App& app);
Action declare_screenshot(CLI::App& app);
Action declare_window(CLI::App& app);

}  // namespace lab::cli
