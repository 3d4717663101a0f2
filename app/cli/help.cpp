#include "app/cli/help.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "app/base/strings.h"
#include "app/cli/verb.h"

namespace lab::cli {

namespace {

constexpr int kNameColumn = 30;
constexpr std::string_view kUsage = "Usage: ";

// Newer versions of CLI11 would break the lines of the text anew.
template <typename Formatter>
void keep_lines(Formatter& formatter) {
  if constexpr (requires { formatter.enable_footer_formatting(false); }) {
    formatter.enable_footer_formatting(false);
    formatter.enable_description_formatting(false);
  }
}

// CLI11's layout with a hand-written usage line.
class HelpLayout : public CLI::Formatter {
 public:
  explicit HelpLayout(std::string usage) : usage_(std::move(usage)) {
    label("Positionals", "Arguments");
    label("REQUIRED", "");
    column_width(kNameColumn);
    keep_lines(*this);
  }

  std::string make_description(const CLI::App* app) const override {
    return app->get_description() + "\n\n";
  }

  std::string make_usage(const CLI::App*, std::string) const override { return usage_; }

 private:
  std::string usage_;
};

}  // namespace

void set_help(CLI::App& app, std::string_view about, std::string_view arguments,
              std::string_view closing) {
  app.description(std::string(about));
  app.formatter(std::make_shared<HelpLayout>(std::string(kUsage) + "attention-lab " +
                                             std::string(arguments) + "\n"));
  app.footer(std::string(closing));
  app.set_help_flag("-h,--help", "show this help");
}

void add_input(CLI::App& app, std::string& input) {
  app.add_option(
         "IN", input,
         "a session, a figure with an embedded session, a problem,\na built-in example, or -")
      ->type_name("")
      ->required();
}

void add_common_options(CLI::App& app, VerbRun& run) {
  app.add_option("--record", run.record_path,
                 "record every applied command in FILE, one JSON object per line")
      ->type_name("FILE")
      ->group(kCommonGroup);
  app.add_option("--stats", run.stats_path,
                 "on exit, write the window's statistics to FILE as a JSON object")
      ->type_name("FILE")
      ->group(kCommonGroup);
}

std::string usage_lines(const CLI::App& app) {
  const auto* layout = dynamic_cast<const HelpLayout*>(app.get_formatter().get());
  if (layout == nullptr) return {};
  std::string lines = layout->make_usage(&app, "").substr(kUsage.size());
  replace_all(lines, "\n" + std::string(kUsage.size(), ' '), "\n");  // written below "Usage: "
  return lines;
}

std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  // CLI11 writes two empty lines between option groups; keep one.
  for (std::size_t at = text.find("\n\n\n"); at != text.npos; at = text.find("\n\n\n", at)) {
    text.erase(at, 1);
  }
  return text;
}

std::string program_closing() {
  std::ostringstream text;
  text << "Verbs (all but screenshot run without a display):\n";
  for (const Verb& verb : verbs()) {
    std::string heading = std::string(verb.name) + " " + std::string(verb.arguments);
    heading.resize(std::max<std::size_t>(heading.size() + 1, 42), ' ');
    text << "  " << heading << verb.summary << "\n";
  }
  text << "For details of a verb: attention-lab VERB --help\n\n"
       << program_notes() << "\n\n"
       << exit_codes_text();
  return text.str();
}

std::string program_notes() {
  return "IN is a session (.json), a figure with an embedded session (such as .png or .pdf),\n"
         "a problem or the weights of PyTorch's nn.MultiheadAttention (.safetensors, .npz),\n"
         "the name of a built-in example, or - for standard input. Heads are numbered from 1,\n"
         "token positions from 0. With --text, IN may also be a trained model: a folder with\n"
         "config.json, model.safetensors and tokenizer.json; or, without it, a session of one.\n"
         "Its layers and heads are numbered from 0.\n"
         "\n"
         "Try:\n"
         "  attention-lab examples\n"
         "  attention-lab explain refer --row it --col animal\n"
         "  attention-lab compute refer -o -\n"
         "  attention-lab export refer --head all -o weights.png";
}

std::string exit_codes_text() {
  return "Exit codes: 0 done, 1 failed while running, 2 wrong usage, 3 no display, 4 no OpenGL "
         "3.3,\n"
         "5 bad input, 6 reading or writing failed.";
}

}  // namespace lab::cli
