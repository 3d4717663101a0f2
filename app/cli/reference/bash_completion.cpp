#include <algorithm>

#include "app/cli/reference/option_table.h"
#include "app/cli/reference/reference.h"

namespace lab::cli {
namespace {

std::string bash_values(Values values) {
  switch (values) {
    case Values::kNothing:
      return "nothing";
    case Values::kFiles:
      return "files";
    case Values::kFolders:
      return "folders";
    default:
      return values_name(values);
  }
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// The section of the function that knows one verb: its options, which of them take a value and
// which, and its arguments.
std::string bash_case(const VerbRow& verb) {
  std::string options, values, arguments;
  for (const OptionRow& row : verb.options()) {
    options += " " + joined(row.names, " ");
    if (row.takes_value())
      values += "        " + joined(row.names, "|") + ") echo " + bash_values(row.values) + " ;;\n";
  }
  for (const OptionRow& row : verb.arguments()) arguments += " " + bash_values(row.values);
  const std::string name = verb.name.empty() ? "''" : verb.name;
  return "    " + name + ")\n      case $2 in\n        options) echo" + options +
         " ;;\n        arguments) echo" + arguments + " ;;\n" + values + "      esac ;;\n";
}

std::string verb_names(const std::vector<VerbRow>& rows) {
  std::string names;
  for (const VerbRow& verb : rows)
    names += (names.empty() || verb.name.empty() ? "" : " ") + verb.name;
  return names;
}

constexpr const char* kBashFunctions = R"bash(
# Adds what the program lists under the name $2.
_attention_lab_names() {
  local name
  while IFS=$'\t' read -r name _; do
    [[ $name == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$name")")
  done < <("$1" complete "$2" 2>/dev/null)
}

# Adds values of the kind $2.
_attention_lab_values() {
  case $2 in
    '' | nothing) ;;
    files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
    folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
    inputs | models | lessons | openable | tokenizers)
      _attention_lab_names "$1" "$2"
      _attention_lab_values "$1" files ;;
    *) _attention_lab_names "$1" "$2" ;;
  esac
}

_attention_lab() {
  local IFS=$' \t\n' cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local program=${COMP_WORDS[0]} verb= first=1 count=0 kind word i
  COMPREPLY=()
  # Readline makes a word of the sign in --option=value.
  if [[ $cur == = ]]; then cur=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD > 1)) && [[ " $_attention_lab_verbs " == *" ${COMP_WORDS[1]} "* ]]; then
    verb=${COMP_WORDS[1]} first=2
  fi
  kind=$([[ $before == -* ]] && _attention_lab_table "$verb" "$before")
  IFS=$'\n'
  if [[ $kind ]]; then
    _attention_lab_values "$program" "$kind"
    return
  fi
  if [[ $cur == -* ]]; then
    IFS=' '
    COMPREPLY=($(compgen -W "$(_attention_lab_table "$verb" options)" -- "$cur"))
    return
  fi
  for ((i = first; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -?* ]]; then
      [[ $(_attention_lab_table "$verb" "$word") ]] && ((i++))
    elif [[ $word != = ]]; then
      ((count++))
    fi
  done
  IFS=' '
  local kinds=($(_attention_lab_table "$verb" arguments))
  [[ $verb || $COMP_CWORD -gt 1 ]] || COMPREPLY=($(compgen -W "$_attention_lab_verbs" -- "$cur"))
  IFS=$'\n'
  _attention_lab_values "$program" "${kinds[count]}"
}

complete -F _attention_lab attention-lab
)bash";

}  // namespace

std::string bash_completion() {
  const std::vector<VerbRow> rows = verb_rows();
  std::string text =
      "# bash completion for attention-lab, printed by: attention-lab completions bash\n\n"
      "_attention_lab_verbs='" +
      verb_names(rows) +
      "'\n\n# Of the verb $1: its options, the kinds of its arguments, or the kind of values of an "
      "option.\n"
      "_attention_lab_table() {\n  case $1 in\n";
  for (const VerbRow& verb : rows) text += bash_case(verb);
  return text + "  esac\n}\n" + kBashFunctions;
}

}  // namespace lab::cli
