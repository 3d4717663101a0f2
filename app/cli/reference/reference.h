#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.h"

// What the program reports to shells and manuals about itself.

namespace CLI {
class App;
}

namespace lab::cli {

/// "attention-lab 0.1.0".
std::string program_version();

/// What --version prints: the version with the instruction set in use and the library of large
/// products, then what the program was built with and for, and the versions of its libraries.
std::string version_text();

/// Adds --version, which prints version_text().
void add_version_flag(CLI::App& app);

/// What makes bash complete the verbs and options of attention-lab, and the names that they take.
std::string bash_completion();
/// The same for zsh.
std::string zsh_completion();
/// The same for fish.
std::string fish_completion();

/// One of them by the name of its shell; nothing for other shells.
std::optional<std::string> completion_of(std::string_view shell);

/// The man page attention-lab(1) in roff, UTF-8, made from verb_rows().
std::string man_page();

/// A name that an option or argument takes, and what a shell shows beside it.
struct Name {
  std::string name;
  std::string title;
};

/// The names that `what`, a values_name(), stands for, in the order of their lists; nothing for
/// another word. Presets are those that `kept` has.
std::optional<std::vector<Name>> names_of(std::string_view what, const KeptByWindow& kept);

}  // namespace lab::cli
