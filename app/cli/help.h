#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace lab::cli {

/// Gives `app` the product's layout of help texts: `about`, then the usage line
/// "attention-lab ARGUMENTS", then arguments and options, then `closing`.
void set_help(CLI::App& app, std::string_view about, std::string_view arguments,
              std::string_view closing);

/// Adds the argument IN, which most verbs start from.
void add_input(CLI::App& app, std::string& input);

/// The help text of `app`, made by set_help.
std::string help_text(const CLI::App& app);

/// What the help text of the whole program says after its options: verbs, examples, exit codes.
std::string program_closing();

}  // namespace lab::cli
