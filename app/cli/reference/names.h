#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.h"

namespace lab::cli {

/// A name that an option or argument takes, and what a shell shows beside it.
struct Name {
  std::string name;
  std::string title;
};

/// The names that `what`, a values_name(), stands for, in the order of their lists; nothing for
/// another word. Presets are those that `kept` has.
std::optional<std::vector<Name>> names_of(std::string_view what, const KeptByWindow& kept);

}  // namespace lab::cli
