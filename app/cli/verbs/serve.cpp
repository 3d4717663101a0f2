#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/export_page.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/handout/desk.h"
#include "app/handout/page_file.h"
#include "app/handout/server.h"

namespace lab::cli {

namespace {

struct ServeOptions {
  std::string input;   // empty: the page as it was built
  std::string folder;  // empty: none
  int port = 0;        // 0: a free one
  bool stays_closed = false;
  std::string language;
};

// While this exists, Ctrl+C and SIGTERM do not end the program but are waited for. Threads that
// begin in the meantime do not get them.
class EndOfServing {
 public:
  EndOfServing() {
    sigemptyset(&ends_);
    sigaddset(&ends_, SIGINT);
    sigaddset(&ends_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends_, &before_);
  }
  ~EndOfServing() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  EndOfServing(const EndOfServing&) = delete;
  EndOfServing& operator=(const EndOfServing&) = delete;

  void wait() const {
    int arrived = 0;
    sigwait(&ends_, &arrived);
  }

 private:
  sigset_t ends_{}, before_{};
};

bool has_display() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != 0;
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

// With the desktop's own opener; what it prints is not for the terminal.
bool open_in_browser(std::string address) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  std::string opener = "xdg-open";
  const std::array<char*, 3> arguments{opener.data(), address.data(), nullptr};
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, opener.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0;
}

Expected<handout::Desk> open_desk(const ServeOptions& options) {
  auto page = handout::read_page();
  if (!page) return tl::make_unexpected(page.error());
  handout::Handout given;
  if (!options.input.empty()) {
    auto opened = handout_of_input(options.input, {});
    if (!opened) return tl::make_unexpected(opened.error());
    given = std::move(*opened);
  }
  if (!options.language.empty()) {
    const auto language = parse_language(options.language);
    if (!language) return tl::make_unexpected(language.error());
    given.language = *language;
  }
  return handout::Desk::open(std::move(*page), given, options.folder);
}

Expected<void> serve(const ServeOptions& options) {
  if (options.port < 0 || options.port > 65535)
    return fail(ErrorType::kUsage, "--port is " + std::to_string(options.port) +
                                       " but should be from 1 to 65535, or 0 for a free one");
  const auto desk = open_desk(options);
  if (!desk) return tl::make_unexpected(desk.error());
  const EndOfServing end;
  const auto server =
      handout::Server::start(static_cast<std::uint16_t>(options.port),
                             [&desk](std::string_view path) { return desk->answer(path); });
  if (!server) return tl::make_unexpected(server.error());
  const bool shows_list = !options.folder.empty() && options.input.empty();
  const std::string address = server->address() + (shows_list ? "/files/" : "/");
  if (auto written = files::write_bytes("-", address + "\n"); !written) return written;
  print_note("only this machine can open it; Ctrl+C ends it");
  if (!options.stays_closed && has_display() && !open_in_browser(address))
    print_note("no browser could be started: open the address in one");
  end.wait();
  return {};
}

}  // namespace

Action declare_serve(CLI::App& app) {
  const auto options = std::make_shared<ServeOptions>();
  set_help(
      app,
      "Serves the page that computes over HTTP, on this machine only, and opens it in the\n"
      "browser.",
      "serve [IN] [--folder FOLDER] [--port N] [--no-open] [--language L]",
      "The page opens with IN: a session, a lesson, an example or a model. With --folder, /files/\n"
      "lists the sessions, lessons, figures and models of FOLDER, each of which the page opens.\n"
      "Nothing is written, and other files are not read. A page that is served can be\n"
      "installed as an app by the browser. For example:\n"
      "  attention-lab serve\n"
      "  attention-lab serve my-lesson.md --port 8000\n"
      "  attention-lab serve --folder ~/course --no-open");
  app.add_option("IN", options->input, "what the page opens with")->type_name("");
  app.add_option("--folder", options->folder,
                 "also serve the sessions, lessons and models of FOLDER")
      ->type_name("FOLDER");
  app.add_option("--port", options->port, "the port (a free one)")->type_name("N");
  app.add_flag("--no-open", options->stays_closed, "do not open the browser");
  app.add_option("--language", options->language, "language that the page opens in, en or de")
      ->type_name("LANGUAGE");
  return [options](VerbRun&) { return serve(*options); };
}

}  // namespace lab::cli
