#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"

namespace lab::cli {

namespace {

Expected<void> list_examples(bool as_json) {
  TextTable table({Side::kLeft});
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const files::ExampleInfo& example : files::examples()) {
    table.add({example.name, example.title});
    list.push_back({{"name", example.name}, {"title", example.title}});
  }
  if (list.empty()) {
    return fail(ErrorType::kFailed,
                "cannot find the built-in examples; set ATTENTION_LAB_ASSETS to the folder that "
                "contains examples/");
  }
  return files::write_bytes("-", as_json ? list.dump() + "\n" : table.text());
}

}  // namespace

Action declare_examples(CLI::App& app) {
  set_help(app, "Lists the built-in examples by name and title.", "examples [--json]",
           "Use the name as IN with any verb: attention-lab check refer");
  const auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json, "write JSON");
  return [as_json](VerbRun&) { return list_examples(*as_json); };
}

}  // namespace lab::cli
