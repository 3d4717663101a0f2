#pragma once

#include <string>

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

}  // namespace lab::cli
