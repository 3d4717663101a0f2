#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace lab::cli {

/// Sets the layout of the help text of `app`: `about`, then the usage line
/// "attention-lab ARGUMENTS", then arguments and options, then `closing`.
void set_help(CLI::App& app, std::string_view about, std::string_view arguments,
              std::string_view closing);

/// Adds the argument IN, the input of most verbs.
void add_input(CLI::App& app, std::string& input);

/// The help text of `app`, made by set_help.
std::string help_text(const CLI::App& app);

/// The end of the program's own help text: verbs, examples and exit codes.
std::string program_closing();

}  // namespace lab::cli
