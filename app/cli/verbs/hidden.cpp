// The verbs that packages and shells call; the help does not list them.

#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/help.h"
#include "app/cli/reference/reference.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"

namespace lab::cli {

namespace {

Expected<void> print_completion(const std::string& shell) {
  if (const auto script = completion_of(shell)) return files::write_bytes("-", *script);
  return fail(ErrorType::kUsage,
              "there are completions for bash, zsh and fish, but not for " + in_quotes(shell));
}

// A name per line, after a tab what it is.
Expected<void> print_names(const std::string& what, const VerbRun& run) {
  const auto names = names_of(what, run.kept());
  if (!names) return fail(ErrorType::kUsage, "there is no list of " + in_quotes(what));
  std::string text;
  for (const Name& name : *names)
    text += name.name + (name.title.empty() ? "" : "\t" + name.title) + "\n";
  return files::write_bytes("-", text);
}

}  // namespace

Action declare_man(CLI::App& app) {
  set_help(app, "Prints the man page, in roff.", "man", "To read it: attention-lab man | man -l -");
  return [](VerbRun&) { return files::write_bytes("-", man_page()); };
}

Action declare_completions(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  set_help(app, "Prints what makes a shell complete verbs, options and names.", "completions SHELL",
           "For example: attention-lab completions bash > "
           "~/.local/share/bash-completion/completions/attention-lab");
  app.add_option("SHELL", *shell, "bash, zsh or fish")->type_name("")->required();
  return [shell](VerbRun&) { return print_completion(*shell); };
}

Action declare_complete(CLI::App& app) {
  const auto what = std::make_shared<std::string>();
  set_help(app, "Lists names, one per line, with what they are after a tab.", "complete WHAT",
           "The completions of shells call it.");
  app.add_option("WHAT", *what, "such as examples, lessons, models or stages")
      ->type_name("")
      ->required();
  return [what](VerbRun& run) { return print_names(*what, run); };
}

}  // namespace lab::cli
