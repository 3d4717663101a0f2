#include "app/cli/reference/reference.h"

#include <CLI/CLI.hpp>

#include "core/numerics/kernels.h"

#if defined(__clang__)
#define LAB_COMPILER "Clang " __clang_version__
#else
#define LAB_COMPILER "GCC " __VERSION__
#endif

namespace lab::cli {

std::string program_version() { return "attention-lab " ATTENTION_LAB_VERSION; }

std::string version_text() {
  return program_version() + " (" + attention::kernels().instruction_set + ", " +
         attention::product_library() +
         ")\nbuilt with " LAB_COMPILER " for " ATTENTION_LAB_TARGET
         "\nlibraries: " ATTENTION_LAB_LIBRARIES;
}

void add_version_flag(CLI::App& app) {
  app.set_version_flag(
      "--version", version_text,
      "print the version, the instruction set in use and what\nthe program was built with");
}

}  // namespace lab::cli
