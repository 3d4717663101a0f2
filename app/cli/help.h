#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace lab {

/// Gives `app` the product's layout of help texts: `about`, then the usage line
/// "attention-lab ARGUMENTS", then arguments and options, then `closing`.
void set_help(CLI::App& app, std::string_view about, std::string_view arguments,
              std::string_view closing);

/// What the help text of the whole program says after its options: verbs, examples, exit codes.
std::string program_closing();

}  // namespace lab
