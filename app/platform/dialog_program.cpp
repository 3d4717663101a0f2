#include "app/platform/dialog_program.h"

#include <sys/prctl.h>

#include <array>
#include <csignal>
#include <optional>

#include "app/platform/glib_pointers.h"

namespace lab::platform {
namespace {

using Type = view::FileQuestion::Type;

constexpr std::size_t kLongestAnswer = 1 << 16;  // of bytes; a path has 4096 at most

std::string joined(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) text += (text.empty() ? "" : " ") + argument;
  return text;
}

// The folder, a slash, and the proposed name.
std::string start_path(const view::FileQuestion& question) {
  return (question.folder.empty() ? "" : question.folder + "/") + question.name;
}

const char* kdialog_option(Type type) {
  if (type == Type::kFolder) return "--getexistingdirectory";
  return type == Type::kSave ? "--getsavefilename" : "--getopenfilename";
}

// Runs in the new process, which must not inherit the blocked signals of this program, and must not
// outlive it.
void prepare_child(void*) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

GlibPointer<GSubprocess> start(const std::vector<std::string>& command, unsigned long x11_window) {
  const GlibPointer<GSubprocessLauncher> launcher(
      g_subprocess_launcher_new(static_cast<GSubprocessFlags>(G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                                              G_SUBPROCESS_FLAGS_STDERR_SILENCE)));
  g_subprocess_launcher_set_child_setup(launcher.get(), prepare_child, nullptr, nullptr);
  // Keeps zenity in front of this window instead of the terminal from which the program was
  // started.
  if (x11_window != 0)
    g_subprocess_launcher_setenv(launcher.get(), "WINDOWID", std::to_string(x11_window).c_str(), 1);
  std::vector<const char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(argument.c_str());
  arguments.push_back(nullptr);
  return GlibPointer<GSubprocess>(
      g_subprocess_launcher_spawnv(launcher.get(), arguments.data(), nullptr));
}

// The output of the program until it closes it; nothing when that is too long or stopped.
std::optional<std::string> read_output(GSubprocess* process, GCancellable* stop) {
  std::array<char, kLongestAnswer> buffer{};
  gsize count = 0;
  const bool read = g_input_stream_read_all(g_subprocess_get_stdout_pipe(process), buffer.data(),
                                            buffer.size(), &count, stop, nullptr) != 0;
  if (!read || count == buffer.size()) return std::nullopt;
  return std::string(buffer.data(), count);
}

view::FileAnswer answer_of(int exit_code, std::string output) {
  constexpr int kChosen = 0, kCancelled = 1;  // of both programs
  if (output.ends_with('\n')) output.pop_back();
  if (exit_code == kChosen && !output.empty())
    return {view::FileAnswer::Type::kChosen, std::move(output), {}};
  const bool none = exit_code == kChosen || exit_code == kCancelled;
  return none ? view::FileAnswer{} : view::no_dialog();
}

}  // namespace

std::string find_program(std::string_view name) {
  const GlibPointer<char> path(g_find_program_in_path(std::string(name).c_str()));
  return path ? path.get() : "";
}

std::vector<std::string> zenity_command(const std::string& zenity,
                                        const view::FileQuestion& question) {
  std::vector<std::string> command{zenity, "--file-selection", "--modal",
                                   "--title=" + question.title};
  if (question.type == Type::kSave)
    command.insert(command.end(), {"--save", "--confirm-overwrite"});
  if (question.type == Type::kFolder) command.emplace_back("--directory");
  if (const std::string start = start_path(question); !start.empty())
    command.push_back("--filename=" + start);
  for (const view::FileFilter& filter : question.filters)
    command.push_back("--file-filter=" + filter.name + " | " + joined(filter.patterns));
  return command;
}

std::vector<std::string> kdialog_command(const std::string& kdialog,
                                         const view::FileQuestion& question,
                                         unsigned long x11_window) {
  std::vector<std::string> command{kdialog, "--title", question.title};
  if (x11_window != 0) command.insert(command.end(), {"--attach", std::to_string(x11_window)});
  command.emplace_back(kdialog_option(question.type));
  const std::string start = start_path(question);
  command.push_back(start.empty() ? "." : start);
  if (question.type == Type::kFolder) return command;
  std::string filters;
  for (const view::FileFilter& filter : question.filters)
    filters += (filters.empty() ? "" : "\n") + filter.name + " (" + joined(filter.patterns) + ")";
  command.push_back(filters);
  return command;
}

view::FileAnswer ask_program(const std::vector<std::string>& command, unsigned long x11_window,
                             const std::stop_token& stop) {
  const GlibStop stopping(stop);
  const auto process = start(command, x11_window);
  if (!process) return view::no_dialog();
  const auto output = read_output(process.get(), stopping.get());
  if (!output) g_subprocess_force_exit(process.get());
  g_subprocess_wait(process.get(), nullptr, nullptr);
  if (!output || g_subprocess_get_if_exited(process.get()) == 0) return view::no_dialog();
  return answer_of(g_subprocess_get_exit_status(process.get()), *output);
}

}  // namespace lab::platform
