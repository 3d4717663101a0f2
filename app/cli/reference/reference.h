#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.h"

// What the program reports to shells and manuals about itself.

namespace lab::cli {

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
