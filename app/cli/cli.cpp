#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "app/base/bad_input.h"
#include "app/base/names.h"
#include "app/base/visible_text.h"
#include "app/cli/help.h"
#include "app/cli/lookup.h"
#include "app/cli/reference/reference.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"

namespace lab::cli {

namespace {

// The options that help.
const char* remedy_text(Remedy remedy) {
  switch (remedy) {
    case Remedy::kNone:
      break;
    case Remedy::kFolder:
      return "; give its new folder with --model DIR";
    case Remedy::kFolderOrOpen:
      return "; give the right folder with --model DIR, or go on with what is there with "
             "--changed-model";
  }
  return "";
}

// The only place where errors are printed.
int report(const Error& error) {
  print_note(error.message + remedy_text(error.remedy));
  return exit_code(error.type);
}

// Written even if the verb failed: the record then holds the commands applied before the failure.
Expected<void> write_run_files(const VerbRun& run) {
  if (run.files_written) return {};
  if (!run.record_path.empty()) {
    if (auto written = files::write_bytes(run.record_path, run.record); !written) return written;
  }
  if (run.stats_path.empty()) return {};
  return files::write_bytes(run.stats_path, "{}\n");
}

Expected<void> run_action(const Action& action, VerbRun& run) {
  const Expected<void> done = action(run);
  const Expected<void> written = write_run_files(run);
  return done ? written : done;
}

// "-o", "--row" or "IN".
std::string short_name(const CLI::Option& option) {
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  return option.get_name();
}

// "--row and --col are required": all that is missing, at once. Empty when nothing is.
std::string missing_text(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (option->get_required() && option->count() == 0) names.push_back(short_name(*option));
  if (names.empty()) return {};
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    text += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return text + (names.size() == 1 ? " is required" : " are required");
}

// The option that was meant by a name that is none; empty when none is similar.
std::string suggested_option(const CLI::App& app, const std::string& name) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& one : option->get_lnames()) known.push_back("--" + one);
  const auto longer = std::ranges::find_if(
      known, [&name](const std::string& one) { return one.starts_with(name + "-"); });
  if (longer != known.end()) return *longer;
  if (name.starts_with("--out") && app.get_option_no_throw("-o") != nullptr) return "-o";
  return suggested_name(name, known);
}

// "there is no option --width; did you mean --width-mm?" Empty when another argument is too much.
std::string unknown_option_text(const CLI::App& app) {
  for (const std::string& extra : app.remaining()) {
    if (!extra.starts_with("-") || extra.size() < 2) continue;
    const std::string name = extra.substr(0, extra.find('='));
    const std::string suggested = suggested_option(app, name);
    return "there is no option " + printable(name) +
           (suggested.empty() ? "" : "; did you mean " + suggested + "?");
  }
  return {};
}

// "VERB: what is wrong (see attention-lab VERB --help)"; in the parser's words if `wrong` is empty.
Error usage_error(const CLI::ParseError& error, std::string_view verb,
                  const std::string& wrong = {}) {
  const std::string name(verb);
  const std::string prefix = name.empty() ? "" : name + ": ";
  const std::string see = "attention-lab " + (name.empty() ? "" : name + " ") + "--help";
  return {ErrorType::kUsage,
          prefix + (wrong.empty() ? printable(error.what()) : wrong) + " (see " + see + ")"};
}

bool takes_whole_numbers(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type == "INT" || type == "UINT" || type == "N" || type == "ID";
}

// "--top is "many" but should be a whole number". Empty when the parser names no option.
std::string conversion_text(const CLI::App& app, std::string_view message) {
  for (const CLI::Option* option : app.get_options()) {
    const std::size_t at = message.find(option->get_name() + " = ");
    if (option->get_name().empty() || at == message.npos) continue;
    const std::string_view value = message.substr(at + option->get_name().size() + 3);
    return short_name(*option) + " is " + in_quotes(value) + " but should be a " +
           (takes_whole_numbers(*option) ? "whole number" : "number");
  }
  return {};
}

Expected<void> run_verb(const Verb& verb, int argc, const char* const* argv, VerbRun& run) {
  CLI::App app;
  const Action action = verb.declare(app);
  add_common_options(app, run);
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::CallForHelp&) {
    return files::write_bytes("-", help_text(app));
  } catch (const CLI::RequiredError& error) {
    const std::string unknown = unknown_option_text(app);
    return tl::make_unexpected(
        usage_error(error, verb.name, unknown.empty() ? missing_text(app) : unknown));
  } catch (const CLI::ConversionError& error) {
    return tl::make_unexpected(usage_error(error, verb.name, conversion_text(app, error.what())));
  } catch (const CLI::ExtrasError& error) {
    return tl::make_unexpected(usage_error(error, verb.name, unknown_option_text(app)));
  } catch (const CLI::ParseError& error) {
    return tl::make_unexpected(usage_error(error, verb.name));
  }
  return run_action(action, run);
}

// For "attention-lab computte refer" the parser rejects the second word, but the mistake is in the
// first.
Error window_usage_error(const CLI::ParseError& error, const std::string& first) {
  const bool is_option = first.empty() || first.front() == '-';
  if (const auto source = check_source(is_option ? "" : first); !source) return source.error();
  return usage_error(error, "");
}

Expected<void> run_window(int argc, const char* const* argv, VerbRun& run) {
  CLI::App app;
  const Action action = declare_window(app);
  add_common_options(app, run);
  add_version_flag(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return files::write_bytes("-", help_text(app));
  } catch (const CLI::CallForVersion& version) {
    return files::write_bytes("-", std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    return tl::make_unexpected(window_usage_error(error, argc > 1 ? argv[1] : ""));
  }
  return run_action(action, run);
}

Expected<void> run_arguments(int argc, const char* const* argv, VerbRun& run) {
  const Verb* verb = argc > 1 ? find_verb(argv[1]) : nullptr;
  return verb ? run_verb(*verb, argc, argv, run) : run_window(argc, argv, run);
}

}  // namespace

void print_note(const std::string& message) {
  std::string line = message;
  std::ranges::replace(line, '\n', ' ');
  std::fprintf(stderr, "attention-lab: %s\n", line.c_str());
}

Expected<void> write_outputs(const std::vector<std::string>& outputs,
                             const std::function<Expected<std::string>(std::size_t)>& bytes_of) {
  std::vector<std::string> contents;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    auto bytes = bytes_of(i);
    if (!bytes) return tl::make_unexpected(bytes.error());
    contents.push_back(std::move(*bytes));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (auto written = files::write_bytes(outputs[i], contents[i]); !written) return written;
  return {};
}

Expected<attention::Index> resolve_label(const std::vector<std::string>& labels,
                                         const std::string& text, const std::string& option,
                                         const std::vector<std::string>& pieces) {
  const auto found = find_label(labels, text, option, pieces);
  if (!found) return tl::make_unexpected(found.error());
  if (!found->note.empty()) print_note(option + ": " + found->note);
  return found->index;
}

Expected<files::Opened> open_whole_input(const std::string& source,
                                         const files::MultiheadChoice& choice) {
  auto opened = files::open_whole(source, nullptr, choice);
  if (!opened) return opened;
  for (const std::string& note : opened->notes) print_note(note);
  return opened;
}

Expected<Document> open_input(const std::string& source, const files::MultiheadChoice& choice) {
  return open_whole_input(source, choice).map([](files::Opened&& opened) {
    return std::move(opened.document);
  });
}

int run_command_line(int argc, const char* const* argv, const DisplayVerbs& display) {
  // Ignore these signals, so that a closed pipe or a file over the size limit becomes a failed
  // write with a message instead of killing the program halfway through a file.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  files::forget_standard_input();  // of another run in this process
  try {
    VerbRun run{display, {}, {}, {}};
    const Expected<void> done = run_arguments(argc, argv, run);
    return done ? 0 : report(done.error());
  } catch (const std::bad_alloc&) {
    return report({ErrorType::kFailed, "not enough memory"});
  } catch (const std::exception& error) {
    return report({ErrorType::kFailed, error.what()});
  } catch (...) {
    return report({ErrorType::kFailed, "failed for an unknown reason"});
  }
}

}  // namespace lab::cli
