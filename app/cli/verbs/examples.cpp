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
                "cannot find the built-in examples; set ATTENTION_LAB_ASSETS to the folder that "
                "contains examples/");
  }
  return files::write_bytes("-", text);
}

}  // namespace

Action declare_examples(CLI::App& app) {
  set_help(app, "Lists the built-in examples by name and title.", "examples",
           "Use the name as IN with any verb: attention-lab check refer");
  return [](VerbRun&) { return list_examples(); };
}

}  // namespace lab::cli
