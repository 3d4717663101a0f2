#include "app/shell/display_verbs.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "app/base/bad_input.h"
#include "app/cli/reference/reference.h"
#include "app/cli/verb.h"
#include "app/connection/connection.h"
#include "app/connection/hand_over.h"
#include "app/figure/figure_writers.h"
#include "app/files/import/import_file.h"
#include "app/files/io/bytes.h"
#include "app/files/opened_model.h"
#include "app/files/recent.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/shell/connection_controller.h"
#include "app/shell/crash_report.h"
#include "app/shell/end_signals.h"
#include "app/shell/frame_loop.h"
#include "app/shell/journal_persister.h"
#include "app/shell/recent_persister.h"
#include "app/shell/settings.h"
#include "app/shell/training_persister.h"
#include "app/translation/words.h"
#include "app/view/session/file_actions.h"

namespace lab::shell {
namespace {

constexpr int kFramesOfScreenshot = 4;  // until the keyboard focus and every layout have settled

// The initial content of a window.
struct Start {
  Workspace workspace;
  std::optional<files::SessionView> view;
  std::optional<std::int64_t> change;  // of the file
  std::string problem = {};            // that the window tells of
};

// What the window begins with: a model, or whatever else `source` means.
Expected<files::Opened> open_beginning(const std::string& source,
                                       const std::optional<std::string>& text) {
  if (files::is_model_source(source)) return files::open_model_source(source, text);
  if (text)
    return fail(ErrorType::kUsage,
                "--text is for trained models, and " + in_quotes(source) + " is none");
  return files::open_whole(source);
}

// Where the examples are missing, a new session, with the reason.
Start start_without_examples() {
  return {Workspace(view::new_session()), std::nullopt, std::nullopt,
          "the built-in examples were not found; set ATTENTION_LAB_ASSETS to the folder that holds "
          "examples/"};
}

Expected<Start> open_start(const std::string& source, const std::optional<std::string>& text = {}) {
  const auto built_in = files::examples();
  if (source.empty() && built_in.empty()) return start_without_examples();
  const std::string requested = source.empty() ? built_in.front().name : source;
  return open_beginning(requested, text).map([&](files::Opened&& opened) {
    for (const std::string& note : opened.notes) cli::print_note(note);
    return Start{Workspace(std::move(opened.document), std::move(opened.path), opened.is_session),
                 std::move(opened.view), opened.change};
  });
}

// What the window begins with; in one that is to report a wrong source, as without a source.
Expected<Start> first_start(const cli::WindowRequest& request, bool later) {
  auto start = later ? open_start({}) : open_start(request.source, request.text);
  if (start || !request.shows_errors) return start;
  auto instead = open_start({});
  if (instead) instead->problem = start.error().message;
  return instead;
}

// A large file or a pipe is read once the window is open and can show progress. Data to import, and
// a lesson, are opened in a window that already has a document.
bool comes_later(const cli::WindowRequest& request) {
  const std::string& source = request.source;
  if (!request.text && files::missing_model(source)) return true;  // the window offers to get it
  if (files::is_model_source(source)) return !request.text && files::is_large_model(source);
  if (const auto found = files::file_type_at(source); found && files::is_import(*found))
    return true;
  if (lessons::is_lesson(source)) return true;
  constexpr std::uintmax_t kLarge = 4 << 20;  // bytes
  std::error_code none;
  const auto type = std::filesystem::status(source, none).type();
  if (type != std::filesystem::file_type::regular) return type == std::filesystem::file_type::fifo;
  return std::filesystem::file_size(source, none) > kLarge;
}

// Written in place and at once, unlike every other file, so that it contains the commands before a
// crash.
Expected<void> record_to(Workspace& workspace, std::ofstream& file, const std::string& path) {
  if (path.empty()) return {};
  file.open(path);
  if (!file) return fail(ErrorType::kIo, "cannot write " + path);
  workspace.set_recorder([&file](const std::string& line) { file << line << '\n' << std::flush; });
  return {};
}

// Once a line failed, as on a full disk, no later line was written.
Expected<void> check_recorded(const std::ofstream& file, const std::string& path) {
  if (file) return {};
  return fail(ErrorType::kIo, "cannot write " + path + ": commands are missing at its end");
}

Expected<void> write_statistics(const cli::WindowRequest& request, const FrameLoop& loop,
                                platform::Window& window) {
  if (request.stats_path.empty()) return {};
  return files::write_bytes(request.stats_path,
                            loop.statistics().json(window.textures().uploads()));
}

void show_view(view::ViewState& state, const std::optional<files::SessionView>& view) {
  if (view) state.requests.ask(view::request::ShowView{*view});
}

void tell_crash(view::ViewState& state, const std::string& report) {
  if (report.empty()) return;
  state.notice =
      tr("A fault ended the program the last time. What is known of it is in {}; nothing of your "
         "work is in that file, and nothing was sent.",
         {report});
}

void show_lesson(view::ViewState& state, const cli::ScreenshotRequest& request) {
  state.requests.ask(view::request::Leave{view::destination::Source{request.source}});
  state.lesson.begin_at = static_cast<std::size_t>(request.step - 1);
}

Expected<void> check_lesson_shown(const view::ViewState& state,
                                  const cli::ScreenshotRequest& request) {
  if (!state.lesson.run) return fail(ErrorType::kBadInput, state.error);
  const auto steps = static_cast<int>(state.lesson.run->lesson().steps.size());
  if (request.step <= steps) return {};
  return fail(ErrorType::kUsage, "--step is " + std::to_string(request.step) +
                                     ", but the lesson has " + std::to_string(steps) + " steps");
}

// A window that is open on this display shows what a second start names, unless that asks for more
// than to see it.
bool can_be_handed_over(const cli::WindowRequest& request) {
  if (request.new_window || request.source.empty() || request.source == "-") return false;
  if (request.text || !request.record_path.empty() || !request.stats_path.empty()) return false;
  std::error_code none;
  const auto type = std::filesystem::status(request.source, none).type();
  return type != std::filesystem::file_type::fifo && type != std::filesystem::file_type::character;
}

// The window's connection with other programs. It begins before the window is open, so that they
// need not wait for it, and ends before the window closes: its threads wake the window.
class Listening {
 public:
  Listening() {
    const std::string path = connection::socket_path();
    if (path.empty()) return;
    auto opened = connection::Connection::open(path, [this] { wake(); });
    if (opened)
      connection_ = std::move(*opened);
    else if (opened.error().type == ErrorType::kIo)
      cli::print_note("other programs cannot reach the window: " + opened.error().message);
  }

  // Ends the connection when it is destroyed, also where an exception closes the window.
  class [[nodiscard]] Attachment {
   public:
    explicit Attachment(Listening& listening) : listening_(listening) {}
    ~Attachment() { listening_.end(); }
    Attachment(const Attachment&) = delete;
    Attachment& operator=(const Attachment&) = delete;

   private:
    Listening& listening_;
  };

  Attachment attach(platform::Window& window, FrameLoop& loop, Workspace& workspace) {
    if (connection_) {
      window_ = &window;
      controller_.emplace(*connection_, workspace, loop.view(),
                          [&window] { window.bring_to_front(); });
      loop.before_frame([this] { return controller_->take_requests(); });
    }
    return Attachment(*this);
  }
  // Notifies the other programs that the window is closed.
  void end() {
    connection_.reset();  // from here on no thread wakes the window
    window_ = nullptr;
  }
  void end_frame() {
    if (controller_) controller_->end_frame();
  }

 private:
  void wake() {
    if (platform::Window* const window = window_) window->post_wakeup();
  }

  std::atomic<platform::Window*> window_ = nullptr;
  std::unique_ptr<connection::Connection> connection_;
  std::optional<ConnectionController> controller_;
};

}  // namespace

Expected<void> run_window(const cli::WindowRequest& request) {
  if (can_be_handed_over(request)) {
    const auto handed = connection::hand_over(connection::socket_path(), request.source);
    if (!handed) return tl::make_unexpected(handed.error());
    if (*handed)
      return cli::print_note("opened in the window that is already open"), Expected<void>();
  }
  const bool later = comes_later(request);
  auto start = first_start(request, later);
  if (!start) return tl::make_unexpected(start.error());
  std::ofstream record;
  if (auto ready = record_to(start->workspace, record, request.record_path); !ready) return ready;
  const std::string crash_report = take_crash_report(crash_folder());
  const CrashReporter reporter(crash_folder(), cli::version_text());
  const HeldSignals held;
  Listening listening;
  auto window = platform::Window::open({request.width, request.height, "Attention Lab", true});
  if (!window) return tl::make_unexpected(window.error());
  FrameLoop loop(**window, start->workspace);
  show_view(loop.view().state(), start->view);
  loop.view().state().file_change = start->change;
  SettingsPersister settings(settings_path());
  settings.apply(loop.view().state(), loop.display_scale(), request.theme, request.language);
  if (!start->problem.empty()) loop.view().state().error = start->problem;
  if (request.source.empty()) settings.offer_lesson(loop.view().state());
  if (later)
    loop.view().state().requests.ask(
        view::request::Leave{view::destination::Source{request.source}});
  RecentPersister recent(files::recent_path());
  recent.apply(loop.view().state().recent);
  if (!later && !start->workspace.path().empty())
    loop.view().state().recent.newest = start->workspace.path();
  std::string journals = files::journal_folder();
  TrainingPersister training(start->workspace);
  JournalPersister journal(start->workspace, journals, [&window] { (*window)->post_wakeup(); });
  const auto attachment = listening.attach(**window, loop, start->workspace);
  bool first_frame = true;
  loop.after_frame([&](view::ViewState& state, float scale) {
    if (first_frame) tell_crash(state, crash_report);
    first_frame = false;
    listening.end_frame();
    settings.keep(state, scale);
    recent.keep(state.recent);
    training.keep(state);
    journal.keep(state);
    state.recovery.folder = std::exchange(journals, {});  // once there is a window to ask in
  });
  const SignalWatch watch(held, [&loop] { loop.stop(); });
  loop.run();
  listening.end();
  if (watch.received() == 0 || !journal.keeps_something()) {
    journal.finish();
    training.finish();
  }
  auto written = write_statistics(request, loop, **window);
  if (written) written = check_recorded(record, request.record_path);
  if (watch.received() != 0) end_by(watch.received());
  return written;
}

Expected<void> take_screenshot(const cli::ScreenshotRequest& request) {
  const bool lesson = lessons::is_lesson(request.source);
  auto start = open_start(lesson ? std::string() : request.source, request.text);
  if (!start) return tl::make_unexpected(start.error());
  auto window = platform::Window::open({request.width, request.height, "Attention Lab", false});
  if (!window) return tl::make_unexpected(window.error());
  FrameLoop loop(**window, start->workspace);
  show_view(loop.view().state(), start->view);
  loop.view().state().theme = request.theme;
  loop.view().state().language = request.language;
  loop.view().state().scale = request.scale;  // the same image on every display
  if (lesson) show_lesson(loop.view().state(), request);
  for (int i = 0; i < kFramesOfScreenshot; ++i) loop.frame();
  while (start->workspace.behind() || loop.view().model_numbers().busy())
    loop.frame();  // until all of its numbers are known
  if (auto shown = check_lesson_shown(loop.view().state(), request); lesson && !shown) return shown;
  const auto png =
      figure::write_png((*window)->read_pixels(), (*window)->width(), (*window)->height());
  if (!png) return tl::make_unexpected(png.error());
  if (auto written = files::write_bytes(request.output, *png); !written) return written;
  if (request.bounds_path.empty()) return {};
  return files::write_bytes(request.bounds_path, loop.view().widgets().json());
}

}  // namespace lab::shell
