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

/// What a verb gets when it runs, and what it returns besides its result.
struct VerbRun {
  const DisplayVerbs& display;
  std::string record_path;     ///< --record; empty if not set
  std::string stats_path;      ///< --stats; empty if not set
  std::string record;          ///< the commands that the verb applied, one JSON object per line
  bool files_written = false;  ///< true if the verb writes both files itself
  /// What the window keeps; the defaults where there is no window.
  KeptByWindow kept() const { return display.kept ? display.kept() : KeptByWindow(); }
};

/// Prints a message that is not an error as one line on standard error.
void print_note(const std::string& message);

/// Fails if `source` is not a built-in example, a lesson or an existing file, and suggests the most
/// likely correction. The error is kUsage if `source` looks like a misspelt verb, else kIo. "-" and
/// an empty name are accepted.
Expected<void> check_source(const std::string& source);

/// Opens IN (see open_whole) and prints any notes about it.
Expected<files::Opened> open_whole_input(const std::string& source,
                                         const files::MultiheadChoice& choice = {});
/// The same for verbs that need only the document.
Expected<Document> open_input(const std::string& source, const files::MultiheadChoice& choice = {});

/// Makes the files `outputs` by their numbers, and then writes them: none when one cannot be made.
Expected<void> write_outputs(const std::vector<std::string>& outputs,
                             const std::function<Expected<std::string>(std::size_t)>& bytes_of);

/// Finds the index that `text` names among `labels` (see find_label) and prints a note if another
/// index has the same label, or the number as its label.
Expected<attention::Index> resolve_label(const std::vector<std::string>& labels,
                                         const std::string& text, const std::string& option,
                                         const std::vector<std::string>& pieces = {});

/// Prints each mistake of the lesson at `path` with its line, and returns what the verb fails with.
Error lesson_mistakes(const std::string& path, const std::vector<lessons::LessonProblem>& problems);

/// Runs a verb after its arguments were parsed.
using Action = std::function<Expected<void>(VerbRun&)>;

/// One verb of the command line. `declare` adds its options to a parser and returns the action that
/// uses them.
struct Verb {
  std::string_view name;
  std::string_view arguments;  ///< for the usage line
  std::string_view summary;    ///< one line, for the list of verbs
  Action (*declare)(CLI::App& app);
};

/// All verbs that the help lists, in its order.
std::span<const Verb> verbs();
/// The verbs that packages and shells call: they print the man page and what a shell completes.
std::span<const Verb> hidden_verbs();
/// The verb with this name, hidden or not, or null.
const Verb* find_verb(std::string_view name);

// Each verb's file defines one of these: it declares the options and returns what runs the verb.

/// Runs commands on a session.
Action declare_apply(CLI::App& app);
/// Shows what a model's answer comes from.
Action declare_attribute(CLI::App& app);
/// Lists the names that an option or argument takes, for shells.
Action declare_complete(CLI::App& app);
/// Prints the completions of a shell.
Action declare_completions(CLI::App& app);
/// Prints the man page.
Action declare_man(CLI::App& app);
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
/// Makes a link that holds a session, and back.
Action declare_link(CLI::App& app);
/// Serves the page that computes on this machine.
Action declare_serve(CLI::App& app);
/// Draws the window off screen.
Action declare_screenshot(CLI::App& app);
/// Describes a model.
Action declare_model(CLI::App& app);
/// Lists the models that can be opened by name.
Action declare_models(CLI::App& app);
/// Downloads a model.
Action declare_get(CLI::App& app);
/// Prints what a model expects next.
Action declare_predict(CLI::App& app);
/// Shows which numbers move one number most.
Action declare_sensitivity(CLI::App& app);
/// Finds the smallest change that gives a number another value.
Action declare_solve(CLI::App& app);
/// Cuts text into the tokens of a tokenizer.json.
Action declare_tokenize(CLI::App& app);
/// Trains a small network.
Action declare_train(CLI::App& app);
/// Opens the window; used when no verb is given.
Action declare_window(CLI::App& app);

}  // namespace lab::cli
