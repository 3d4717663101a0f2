#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/model/model_list.h"

namespace lab::cli {

namespace {

Expected<void> list_all_models(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  TextTable table({Side::kLeft});
  for (const files::ModelInfo& model : files::list_models()) {
    list.push_back({{"name", model.name}, {"folder", model.folder}, {"built_in", model.built_in}});
    if (!model.problem.empty()) list.back()["problem"] = model.problem;
    table.add({model.name, model.built_in          ? "built in"
                           : model.problem.empty() ? model.folder
                                                   : "cannot be opened: " + model.problem});
  }
  if (list.empty() && !json)
    print_note("no models; give a folder with config.json, model.safetensors and tokenizer.json");
  return files::write_bytes("-", json ? list.dump() + "\n" : table.text());
}

}  // namespace

Action declare_models(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  set_help(app,
           "Lists the built-in models and those in the cache of Hugging Face on this machine.\n"
           "Each can be used by its name.",
           "models [--json]",
           "The cache is $HF_HUB_CACHE, $HF_HOME/hub or ~/.cache/huggingface/hub. Nothing is\n"
           "downloaded.");
  app.add_flag("--json", *json, "write JSON");
  return [json](VerbRun&) { return list_all_models(*json); };
}

}  // namespace lab::cli
