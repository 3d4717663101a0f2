#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/available_memory.h"
#include "app/files/io/bytes.h"
#include "app/files/model/model_list.h"

namespace lab::cli {

namespace {

// What stands beside a model's name.
std::string details(const files::ModelInfo& model) {
  if (!model.problem.empty()) return "cannot be opened: " + model.problem;
  return model.built_in ? "built in" : model.folder;
}

Expected<void> list_all_models(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  TextTable table({Side::kLeft, Side::kLeft, Side::kRight});
  for (const files::ModelInfo& model : files::list_models()) {
    list.push_back({{"name", model.name},
                    {"folder", model.folder},
                    {"built_in", model.built_in},
                    {"store", model.store},
                    {"family", model.family},
                    {"size", model.size}});
    if (!model.problem.empty()) list.back()["problem"] = model.problem;
    table.add({model.name, model.family, model.size > 0 ? bytes_text(model.size) : std::string(),
               details(model)});
  }
  if (list.empty() && !json)
    print_note(
        "no models; give a GGUF file, or a folder with config.json, model.safetensors and "
        "tokenizer.json");
  return files::write_bytes("-", json ? list.dump() + "\n" : table.text());
}

}  // namespace

Action declare_models(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  set_help(
      app,
      "Lists the built-in models and those that Hugging Face, Ollama, LM Studio and llama.cpp\n"
      "keep on this machine, with family and size. Each can be used by its name.",
      "models [--json]",
      "They are looked for in $HF_HUB_CACHE or $HF_HOME/hub, $OLLAMA_MODELS, $LLAMA_CACHE, where\n"
      "these programs keep them otherwise, and in the folders of $ATTENTION_LAB_MODELS, with\n"
      "colons between them. Nothing is downloaded.");
  app.add_flag("--json", *json, "write JSON");
  return [json](VerbRun&) { return list_all_models(*json); };
}

}  // namespace lab::cli
