#include "app/base/strings.h"
#include "app/cli/reference/option_table.h"
#include "app/cli/reference/reference.h"

namespace lab::cli {
namespace {

std::string fish_quoted(std::string text) {
  replace_all(text, "\\", "\\\\");
  replace_all(text, "'", "\\'");
  return "'" + text + "'";
}

// The program's names, and files where they are meant too.
std::string fish_values(Values values) {
  const std::string names = values_name(values);
  const std::string listed = names.empty() ? "" : " -a '(attention-lab complete " + names + ")'";
  switch (values) {
    case Values::kNothing:
      return " -x";
    case Values::kFiles:
      return " -r -F";
    case Values::kFolders:
      return " -x -a '(__fish_complete_directories)'";
    case Values::kInputs:
    case Values::kModels:
    case Values::kLessons:
    case Values::kOpenable:
    case Values::kTokenizers:
      return " -r -F" + listed;
    default:
      return " -x" + listed;
  }
}

// Of the options of a verb, and of its arguments, wherever they are.
std::string fish_lines(const VerbRow& verb) {
  const std::string line = "complete -c attention-lab -n '__attention_lab_verb " +
                           (verb.name.empty() ? std::string("\"\"") : verb.name) + "'";
  std::string text;
  for (const OptionRow& row : verb.options()) {
    text += line;
    for (const std::string& name : row.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    text +=
        (row.takes_value() ? fish_values(row.values) : "") + " -d " + fish_quoted(row.text) + "\n";
  }
  for (const OptionRow& row : verb.arguments())
    if (const std::string names = values_name(row.values); !names.empty())
      text.append(line).append(" -a '(attention-lab complete ").append(names).append(")'\n");
  return text;
}

}  // namespace

std::string fish_completion() {
  std::string text =
      "# Printed by: attention-lab completions fish\n\n"
      "# True where the verb is $argv[1]; with \"\", where there is none.\n"
      "function __attention_lab_verb\n"
      "    set -l words (commandline -opc)\n"
      "    set -l verb ''\n"
      "    contains -- \"$words[2]\" $__attention_lab_verbs; and set verb $words[2]\n"
      "    test \"$verb\" = \"$argv[1]\"\n"
      "end\n\n"
      "set -g __attention_lab_verbs";
  const std::vector<VerbRow> rows = verb_rows();
  std::string lines;
  for (const VerbRow& verb : rows) {
    if (!verb.name.empty()) {
      text += " " + verb.name;
      lines += "complete -c attention-lab -n 'test (count (commandline -opc)) -eq 1' -a " +
               verb.name + " -d " + fish_quoted(verb.summary) + "\n";
    }
    lines += fish_lines(verb);
  }
  return text + "\n\n" + lines;
}

std::optional<std::string> completion_of(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  return std::nullopt;
}

}  // namespace lab::cli
