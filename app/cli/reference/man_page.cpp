#include "app/cli/reference/reference.h"

#include <sstream>

#include "app/cli/help.h"
#include "app/cli/reference/option_table.h"

namespace lab::cli {
namespace {

// Text as roff prints it: no hyphen becomes typographic, and no line is taken for a request.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\'')
      escaped += "\\(aq";
    else if (c == '`')
      escaped += "\\(ga";
    else if (c == '^')
      escaped += "\\(ha";
    else if (c == '~')
      escaped += "\\(ti";
    else
      escaped += c;
  }
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// Paragraphs are filled; lines that begin with blanks are kept as they are.
std::string paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string page;
  bool kept = false;
  for (std::string line; std::getline(lines, line);) {
    const bool keep = line.starts_with("  ") || line.starts_with("attention-lab ");
    if (keep != kept) page += keep ? ".PP\n.nf\n" : ".fi\n.PP\n";
    kept = keep;
    page += line.empty() ? ".PP\n" : roff(line) + "\n";
  }
  return page + (kept ? ".fi\n" : "");
}

// "-o, --output OUT".
std::string heading_of(const OptionRow& row) {
  if (row.argument) return italic(row.names.front());
  std::string heading;
  for (const std::string& name : row.names) heading += (heading.empty() ? "" : ", ") + bold(name);
  return row.takes_value() ? heading + " " + italic(row.type) : heading;
}

std::string entry(const std::string& heading, const std::string& text) {
  return ".TP\n" + heading + "\n" + roff(text) + "\n";
}

std::string entries(const std::vector<OptionRow>& rows) {
  std::string page;
  for (const OptionRow& row : rows) page += entry(heading_of(row), row.text);
  return page;
}

// Those that every verb has are written once.
std::vector<OptionRow> separate_options(const VerbRow& verb) {
  std::vector<OptionRow> options = verb.options();
  if (verb.name.empty()) return options;
  std::erase_if(options, [](const OptionRow& row) {
    return row.group == kCommonGroup || row.names.back() == "--help";
  });
  return options;
}

std::string section_of(const VerbRow& verb) {
  return ".SS " + bold("attention-lab " + verb.name) + "\n" + paragraphs(verb.about) +
         ".PP\n.nf\n" + roff(verb.usage) + ".fi\n" + entries(verb.arguments()) +
         entries(separate_options(verb)) + ".PP\n" + paragraphs(verb.closing);
}

std::string commands(const std::vector<VerbRow>& rows) {
  std::string page;
  for (const VerbRow& verb : rows)
    if (!verb.name.empty()) page += entry(bold(verb.name), verb.summary);
  return page;
}

std::string environment() {
  return ".SH ENVIRONMENT\n" +
         entry(bold("ATTENTION_LAB_ASSETS"),
               "the folder of the examples, lessons and built-in models") +
         entry(bold("ATTENTION_LAB_PAGE"), "the file of the page that computes") +
         entry(bold("XDG_CONFIG_HOME"),
               "where attention-lab/settings.json is kept, else ~/.config") +
         entry(bold("XDG_STATE_HOME"),
               "where attention-lab/ keeps what a crash must not lose, else ~/.local/state") +
         entry(bold("HF_HUB_CACHE") + ", " + bold("HF_HOME"),
               "where models are looked for by name") +
         entry(bold("OLLAMA_MODELS") + ", " + bold("LLAMA_CACHE"), "the same") +
         entry(bold("ATTENTION_LAB_MODELS"), "folders with models, with colons between them") +
         entry(bold("SOURCE_DATE_EPOCH"), "the date that figures state");
}

}  // namespace

std::string man_page() {
  const std::vector<VerbRow> rows = verb_rows();
  std::string page = ".TH ATTENTION\\-LAB 1 \"\" \"" + program_version() +
                     "\" \"User Commands\"\n.SH NAME\nattention\\-lab \\- multi\\-head attention "
                     "with real, editable numbers\n.SH SYNOPSIS\n.nf\n" +
                     roff(rows.front().usage) + ".fi\n.SH DESCRIPTION\n" +
                     paragraphs(rows.front().about) + ".PP\n" + paragraphs(rows.front().closing) +
                     ".SH COMMANDS\n" + commands(rows) + ".SH OPTIONS\n" +
                     entries(rows.front().arguments()) + entries(separate_options(rows.front())) +
                     ".SH THE COMMANDS ONE BY ONE\n";
  for (const VerbRow& verb : rows)
    if (!verb.name.empty()) page += section_of(verb);
  return page + environment() + ".SH EXIT STATUS\n" + paragraphs(exit_codes_text()) +
         ".SH SEE ALSO\nThe guide in the window\\(aqs menu Help.\n";
}

}  // namespace lab::cli
