#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace lab::cli {

struct VerbRun;

/// Sets the layout of the help text of `app`: `about`, then the usage line
/// "attention-lab ARGUMENTS", then arguments and options, then `closing`.
void set_help(CLI::App& app, std::string_view about, std::string_view arguments,
              std::string_view closing);

/// Adds the argument IN, the input of most verbs.
void add_input(CLI::App& app, std::string& input);

/// The heading of the options that every verb has.
inline constexpr const char* kCommonGroup = "For every verb";
/// Adds the options that every verb has.
void add_common_options(CLI::App& app, VerbRun& run);

/// The usage lines that set_help() gave `app`, without "Usage: ".
std::string usage_lines(const CLI::App& app);

/// The help text of `app`, made by set_help.
std::string help_text(const CLI::App& app);

/// The end of the program's help text: verbs, examples and exit codes.
std::string program_closing();
/// The section of it that is about all verbs: what IN may be, examples.
std::string program_notes();
/// What each exit code means.
std::string exit_codes_text();

}  // namespace lab::cli
