#include "app/cli/reference/option_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "app/cli/help.h"
#include "app/cli/reference/reference.h"
#include "app/cli/verb.h"

namespace lab::cli {
namespace {

// The values of options by their name, whichever verb has them; of others their type says it.
constexpr std::array kValuesByName = std::to_array<std::pair<std::string_view, Values>>({
    {"--stage", Values::kStages},
    {"--palette", Values::kPalettes},
    {"--theme", Values::kThemes},
    {"--language", Values::kLanguages},
    {"--preset", Values::kPresets},
    {"--against", Values::kInputs},
    {"--model", Values::kFolders},
    {"--with", Values::kLessons},
    {"IN", Values::kInputs},
    {"MODEL", Values::kModels},
    {"LESSON", Values::kLessons},
    {"TASK", Values::kTasks},
    {"COMMANDS", Values::kFiles},
});

Values values_of(std::string_view verb, const OptionRow& row) {
  if (row.argument && row.names.front() == "FILE") {
    if (verb.empty()) return Values::kOpenable;
    return verb == "tokenize" ? Values::kTokenizers : Values::kFiles;
  }
  for (const auto& [name, values] : kValuesByName)
    if (std::ranges::find(row.names, name) != row.names.end()) return values;
  if (row.type == "FOLDER") return Values::kFolders;
  const bool file = row.type == "FILE" || row.type.starts_with("OUT");
  return file ? Values::kFiles : Values::kNothing;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name()};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

OptionRow row_of(std::string_view verb, const CLI::Option& option) {
  OptionRow row{names_of(option), {}, one_line(option.get_description()), option.get_group()};
  row.argument = option.get_positional();
  row.required = option.get_required();
  row.hidden = row.group.empty();
  if (row.argument || option.get_items_expected_max() > 0) row.type = option.get_type_name();
  row.values = values_of(verb, row);
  return row;
}

VerbRow row_of(const Verb& verb) {
  CLI::App app;
  verb.declare(app);
  const DisplayVerbs none;
  VerbRun run{none, {}, {}, {}};
  add_common_options(app, run);
  if (verb.name.empty()) add_version_flag(app);
  VerbRow row{std::string(verb.name),
              std::string(verb.summary),
              app.get_description(),
              usage_lines(app),
              verb.name.empty() ? program_notes() : app.get_footer(),
              {}};
  for (const CLI::Option* option : app.get_options())
    row.rows.push_back(row_of(verb.name, *option));
  return row;
}

std::vector<OptionRow> rows_that(const VerbRow& verb, bool argument) {
  std::vector<OptionRow> chosen;
  for (const OptionRow& row : verb.rows)
    if (row.argument == argument && !row.hidden) chosen.push_back(row);
  return chosen;
}

}  // namespace

std::string values_name(Values values) {
  switch (values) {
    case Values::kExamples:
      return "examples";
    case Values::kInputs:
      return "inputs";
    case Values::kModels:
      return "models";
    case Values::kLessons:
      return "lessons";
    case Values::kOpenable:
      return "openable";
    case Values::kStages:
      return "stages";
    case Values::kPalettes:
      return "palettes";
    case Values::kThemes:
      return "themes";
    case Values::kLanguages:
      return "languages";
    case Values::kTasks:
      return "tasks";
    case Values::kTokenizers:
      return "tokenizers";
    case Values::kPresets:
      return "presets";
    case Values::kNothing:
    case Values::kFiles:
    case Values::kFolders:
      break;
  }
  return {};
}

std::vector<OptionRow> VerbRow::arguments() const { return rows_that(*this, true); }
std::vector<OptionRow> VerbRow::options() const { return rows_that(*this, false); }

std::vector<VerbRow> verb_rows() {
  std::vector<VerbRow> rows{row_of({"", "", "open the window", declare_window})};
  for (const Verb& verb : verbs()) rows.push_back(row_of(verb));
  return rows;
}

}  // namespace lab::cli
