#include <CLI/CLI.hpp>

#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"

namespace lab::cli {

namespace {

Expected<void> list_examples() {
  TextTable table({Side::kLeft});
  for (const files::ExampleInfo& example : files::examples())
    table.add({example.name, example.title});
  const std::string text = table.text();
  if (text.empty()) {
    return fail(ErrorKind::kFailed,
                "the built-in examples are not where they should be; set ATTENTION_LAB_ASSETS to "
                "the folder that holds examples/");
  }
  return files::write_bytes("-", text);
}

}  // namespace

Action declare_examples(CLI::App& app) {
  set_help(app, "Lists the built-in examples: the name to type, and the title.", "examples",
           "Any verb takes such a name for IN: attention-lab check refer");
  return [](VerbRun&) { return list_examples(); };
}

}  // namespace lab::cli
