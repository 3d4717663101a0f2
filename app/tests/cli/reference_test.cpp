// The man page and the completions of shells have everything that the help has.

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/reference/option_table.h"
#include "app/cli/verb.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::StartsWith;

// The options that `help` lists. A line names them first: "  -o,--output OUT", or, as newer
// versions of CLI11 write it, "  -o,     --output OUT" and, without a short name, " --json".
std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> options;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = line.find_first_not_of(' ');
    if (at != 2 && at != 10) continue;
    while (at < line.size() && line[at] == '-') {
      const std::size_t end = std::min(line.find_first_of(" ,=", at), line.size());
      options.push_back(line.substr(at, end - at));
      at = end < line.size() && line[end] == ',' ? line.find_first_not_of(" ,", end) : line.size();
    }
  }
  return options;
}

std::string roff_of(std::string text) {
  for (std::size_t at = text.find('-'); at != text.npos; at = text.find('-', at + 2))
    text.insert(at, "\\");
  return text;
}

// The part of `page` about a verb.
std::string man_section(const std::string& page, const std::string& verb) {
  const std::string title = ".SS \\fBattention\\-lab " + verb + "\\fR\n";
  const std::size_t start = page.find(title);
  if (start == page.npos) return {};
  return page.substr(start, page.find("\n.S", start + title.size()) - start);
}

std::string fish_name(const std::string& option) {
  return option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1);
}

// The lines of a script that are about one verb.
std::string lines_with(const std::string& script, const std::string& part) {
  std::string found;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);)
    if (line.find(part) != line.npos) found += line + "\n";
  return found;
}

std::string bash_options(const std::string& script, const std::string& verb) {
  const std::size_t start = script.find("\n    " + verb + ")\n");
  return start == script.npos ? "" : script.substr(start, script.find("esac", start) - start) + " ";
}

std::string zsh_options(const std::string& script, const std::string& verb) {
  const std::size_t start = script.find("\n      " + verb + ") _arguments");
  return start == script.npos ? "" : script.substr(start, script.find(" ;;\n", start) - start);
}

TEST(Reference, HasEveryVerbAndEveryOptionOfTheHelp) {
  const std::string man = run({"man"}).out, bash = run({"completions", "bash"}).out,
                    zsh = run({"completions", "zsh"}).out, fish = run({"completions", "fish"}).out;
  for (const Verb& verb : verbs()) {
    const std::string name(verb.name);
    const std::vector<std::string> options = options_in(run({name, "--help"}).out);
    EXPECT_GE(options.size(), 3u) << name;  // --help, --record, --stats
    const std::string page = man_section(man, name);
    const std::string fish_lines = lines_with(fish, "'__attention_lab_verb " + name + "'");
    for (const std::string& option : options) {
      SCOPED_TRACE(name + " " + option);
      const bool written_once =
          option == "-h" || option == "--help" || option == "--record" || option == "--stats";
      EXPECT_THAT(written_once ? man : page, HasSubstr("\\fB" + roff_of(option) + "\\fR"));
      EXPECT_THAT(bash_options(bash, name), HasSubstr(" " + option + " "));
      EXPECT_THAT(zsh_options(zsh, name), HasSubstr(option));
      EXPECT_THAT(fish_lines, HasSubstr(fish_name(option) + " "));
    }
  }
  for (const std::string& option : options_in(run({"--help"}).out))
    EXPECT_THAT(man, HasSubstr("\\fB" + roff_of(option) + "\\fR"));
}

TEST(Reference, ManPageHasNoLineThatRoffTakesForAnUnknownRequest) {
  std::istringstream lines(run({"man"}).out);
  const std::vector<std::string> known = {".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi"};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('.') || line.starts_with('\'')) {
      EXPECT_THAT(known, Contains(line.substr(0, 3))) << line;
    }
}

TEST(Reference, ListsTheNamesThatEveryOptionTakes) {
  for (const VerbRow& verb : verb_rows()) {
    for (const OptionRow& row : verb.rows) {
      const std::string name = values_name(row.values);
      if (name.empty() || name == "presets") continue;
      const Outcome outcome = run({"complete", name});
      EXPECT_EQ(outcome.code, 0) << name;
      EXPECT_NE(outcome.out, "") << name;
    }
  }
  EXPECT_THAT(run({"complete", "examples"}).out, StartsWith("refer\tWhat does “it” refer to?\n"));
  EXPECT_THAT(run({"complete", "lessons"}).out, HasSubstr("cat-sat-by-hand\t"));
  EXPECT_THAT(run({"complete", "models"}).out, HasSubstr("words\t"));
  EXPECT_THAT(run({"complete", "stages"}).out, HasSubstr("scaled_scores\n"));
}

// An option of two verbs has the same short name in both, and takes a value in both or in neither.
TEST(Reference, AnOptionHasTheSameNamesInEveryVerb) {
  std::map<std::string, std::vector<std::string>> names;
  std::map<std::string, bool> takes_value;
  for (const VerbRow& verb : verb_rows()) {
    for (OptionRow row : verb.options()) {
      std::erase(row.names, "--worksheet");  // what -o writes, in the one verb that has it
      std::ranges::sort(row.names);
      for (const std::string& name : row.names) {
        EXPECT_EQ(names.try_emplace(name, row.names).first->second, row.names) << verb.name;
        EXPECT_EQ(takes_value.try_emplace(name, row.takes_value()).first->second, row.takes_value())
            << verb.name << " " << name;
      }
    }
  }
  EXPECT_THAT(names["-o"], ElementsAre("--output", "-o"));
}

TEST(Reference, EveryVerbThatPrintsATableWritesJsonToo) {
  for (const VerbRow& verb : verb_rows()) {
    const std::vector<std::string> tables = {"examples", "lessons",   "models",  "model",
                                             "predict",  "attribute", "explain", "tokenize"};
    if (std::ranges::find(tables, verb.name) == tables.end()) continue;
    EXPECT_THAT(verb.options(), Contains(Field(&OptionRow::names, Contains("--json"))))
        << verb.name;
  }
  for (const char* const verb : {"examples", "lessons"}) {
    const auto list = nlohmann::json::parse(run({verb, "--json"}).out);
    ASSERT_GT(list.size(), 3) << verb;
    EXPECT_THAT(run({verb}).out, HasSubstr(list.at(0).at("title").get<std::string>()));
  }
}

TEST(Reference, RefusesAnotherShellAndAnotherList) {
  EXPECT_EQ(run({"completions", "csh"}).code, 2);
  EXPECT_EQ(run({"complete", "colours"}).code, 2);
}

}  // namespace
}  // namespace lab::test
