#include "app/base/strings.h"
#include "app/cli/reference/option_table.h"
#include "app/cli/reference/reference.h"

namespace lab::cli {
namespace {

// In single quotes, in a specification of _arguments: [text] and its colons are escaped.
std::string zsh_text(std::string text) {
  replace_all(text, "\\", "\\\\");
  replace_all(text, "[", "\\[");
  replace_all(text, "]", "\\]");
  replace_all(text, ":", "\\:");
  replace_all(text, "'", "'\\''");
  return text;
}

std::string zsh_action(Values values) {
  switch (values) {
    case Values::kNothing:
      return " ";
    case Values::kFiles:
      return "_files";
    case Values::kFolders:
      return "_files -/";
    case Values::kInputs:
    case Values::kModels:
    case Values::kLessons:
    case Values::kOpenable:
    case Values::kTokenizers:
      return " _attention_lab_sources " + values_name(values);
    default:
      return " _attention_lab_names " + values_name(values);
  }
}

// '(-o --output)'{-o,--output}'[text]:OUT:_files'
std::string zsh_option(const OptionRow& row) {
  std::string names, list;
  for (const std::string& name : row.names) {
    names += (names.empty() ? "" : " ") + name;
    list +=
        (list.empty() ? "" : ",") + name + (row.takes_value() && name.starts_with("--") ? "=" : "");
  }
  if (row.names.size() > 1) list = "{" + list + "}";
  const std::string value =
      row.takes_value() ? ":" + zsh_text(row.type) + ":" + zsh_action(row.values) : "";
  return "'(" + names + ")'" + list + "'[" + zsh_text(row.text) + "]" + value + "'";
}

std::string zsh_specifications(const VerbRow& verb) {
  std::string text;
  for (const OptionRow& row : verb.options()) text += " \\\n        " + zsh_option(row);
  for (const OptionRow& row : verb.arguments())
    text += " \\\n        ':" + zsh_text(row.names.front()) + ":" +
            (verb.name.empty() ? " _attention_lab_first" : zsh_action(row.values)) + "'";
  return text;
}

constexpr const char* kZshFunctions = R"zsh(
# What the program lists under the name $1.
_attention_lab_names() {
  local -a names
  names=(${(f)"$(_call_program names $attention_lab complete $1 2>/dev/null | sed 's/:/\\:/g;s/\t/:/')"})
  _describe -t $1 $1 names
}

_attention_lab_sources() {
  _alternative "names:name: _attention_lab_names $1" 'files:file:_files'
}

_attention_lab_first() {
  _alternative 'verbs:verb:_attention_lab_verbs' 'names:name: _attention_lab_names openable' \
    'files:file:_files'
}
)zsh";

}  // namespace

std::string zsh_completion() {
  const std::vector<VerbRow> rows = verb_rows();
  std::string verb_list, cases;
  for (const VerbRow& verb : rows) {
    if (verb.name.empty()) continue;
    verb_list += "    '" + verb.name + ":" + zsh_text(verb.summary) + "'\n";
    cases += "      " + verb.name + ") _arguments" + zsh_specifications(verb) + " ;;\n";
  }
  return "#compdef attention-lab\n# Printed by: attention-lab completions zsh\n" +
         std::string(kZshFunctions) + "\n_attention_lab_verbs() {\n  local -a verbs\n  verbs=(\n" +
         verb_list +
         "  )\n  _describe -t verbs verb verbs\n}\n\n_attention_lab() {\n"
         "  local attention_lab=$words[1]\n"
         "  if (( CURRENT > 2 )); then\n    local verb=$words[2]\n    case $verb in\n" +
         [&] {
           std::string names;
           for (const VerbRow& verb : rows)
             if (!verb.name.empty()) names += (names.empty() ? "" : "|") + verb.name;
           return "      " + names +
                  ") shift words; (( CURRENT-- )) ;;\n      *) verb= ;;\n    esac\n"
                  "    case $verb in\n";
         }() +
         cases + "    esac\n    [[ -n $verb ]] && return\n  fi\n  _arguments" +
         zsh_specifications(rows.front()) + "\n}\n\n_attention_lab \"$@\"\n";
}

}  // namespace lab::cli
