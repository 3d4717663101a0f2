#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "app/base/bad_input.h"
#include "app/base/error.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/train_options.h"
#include "app/explain/number_text.h"
#include "app/files/io/paths.h"
#include "app/files/model/model_folder.h"
#include "app/files/training/saved_run.h"
#include "app/files/training/trained_model.h"
#include "core/training/record.h"

namespace lab::cli {
namespace {

using attention::training::History;
using attention::training::StepReport;
using attention::training::Trainer;

/// How a run is trained.
struct TrainLoop {
  std::uint64_t steps = 0;  ///< to be taken
  int threads = 1;
  std::string folder;  ///< where the model and the run are saved
};

/// While this exists, Ctrl+C (SIGINT) and SIGTERM do not end the program but are remembered.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// True once one of them has arrived.
  bool interrupted() const;

 private:
  using Handler = void (*)(int);

  Handler before_interrupt_, before_end_;
};

volatile std::sig_atomic_t signal_arrived = 0;

void remember_signal(int) { signal_arrived = 1; }

InterruptWatch::InterruptWatch() {
  signal_arrived = 0;
  before_interrupt_ = std::signal(SIGINT, remember_signal);
  before_end_ = std::signal(SIGTERM, remember_signal);
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, before_interrupt_);
  std::signal(SIGTERM, before_end_);
}

bool InterruptWatch::interrupted() const { return signal_arrived != 0; }

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kShowEvery{200};
constexpr std::chrono::seconds kSaveEvery{10};

// Saves both what the program and what transformers open.
Expected<void> save_all(const Trainer& trainer, const files::SavedRun& run,
                        files::RunWriter& writer) {
  if (auto saved = writer.save(run); !saved) return saved;
  return files::write_trained_model(writer.folder(), run.options, trainer.task(),
                                    *run.history.states().back());
}

std::string report_text(const StepReport& report) {
  std::string text = "step " + std::to_string(report.step) + ", loss " +
                     explain::format_fixed(static_cast<float>(report.loss), 4);
  if (!std::isnan(report.known_loss))
    text +=
        ", of what can be known " + explain::format_fixed(static_cast<float>(report.known_loss), 4);
  return text;
}

// A line that is written over again and again; only the last one where nobody watches.
class StepLine {
 public:
  StepLine(std::uint64_t first, std::uint64_t last) : first_(first), last_(last) {}

  void show(const StepReport& report) {
    const auto now = Clock::now();
    if (isatty(STDERR_FILENO) == 0 || now - shown_ < kShowEvery) return;
    shown_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const std::string speed = explain::format_fixed(
        static_cast<float>(static_cast<double>(report.step - first_) / seconds), 0);
    std::fprintf(stderr, "\r%s (%s to go), %s steps/s\033[K", report_text(report).c_str(),
                 std::to_string(last_ - report.step).c_str(), speed.c_str());
  }
  void end(const StepReport& report) {
    if (isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
    print_note(report_text(report));
  }

 private:
  std::uint64_t first_, last_;
  Clock::time_point begin_ = Clock::now(), shown_{};
};

// Trains the run from its last state on, shows how far it is on standard error, and saves the
// model and the run: every few seconds, at the end, and at Ctrl+C. Fails with kFailed when it
// diverges or is interrupted, the last good step then being saved, and with kIo.
Expected<void> train(const TrainLoop& loop, Trainer& trainer, files::SavedRun& run) {
  attention::ThreadPool pool(loop.threads);
  files::RunWriter writer(loop.folder);
  if (auto saved = save_all(trainer, run, writer); !saved) return saved;
  const std::uint64_t last = trainer.steps() + loop.steps;
  const InterruptWatch watch;
  StepLine line(trainer.steps(), last);
  auto saved_at = Clock::now();
  StepReport report;
  while (trainer.steps() < last && !watch.interrupted()) {
    report = trainer.step(pool);
    if (report.diverged) break;
    record_step(trainer, report, run.history);
    line.show(report);
    if (Clock::now() - saved_at < kSaveEvery) continue;
    if (auto saved = save_all(trainer, run, writer); !saved) return saved;
    saved_at = Clock::now();
  }
  run.history.truncate(trainer.steps());  // a step that diverged goes back by one
  run.history.keep(trainer.state());
  if (auto saved = save_all(trainer, run, writer); !saved) return saved;
  if (loop.steps > 0) line.end(report);
  const std::string at = "step " + std::to_string(run.history.states().back()->step);
  if (report.diverged)
    return fail(ErrorType::kFailed, "training diverged; the last good step, " + at +
                                        ", is saved. A smaller --learning-rate may help");
  if (trainer.steps() < last)
    return fail(ErrorType::kFailed, "stopped; " + at + " is saved, and --continue goes on");
  return {};
}

// States of a run of the command line are kept in less memory, and on disk, than in the window.
constexpr std::size_t kKeptBytes = std::size_t{32} << 20;
constexpr int kMostThreads = 64;

// Nothing that was trained or downloaded is written over without a word.
Expected<void> check_free(const std::string& folder, const TrainOptions& options) {
  if (options.replace || folder == options.continued) return {};
  if (files::is_saved_run(folder))
    return fail(ErrorType::kUsage, in_quotes(folder) +
                                       " holds a run of training; --continue goes on with it, and "
                                       "--replace replaces it");
  if (files::is_model_path(folder))
    return fail(ErrorType::kUsage, in_quotes(folder) + " holds another model; name a new folder");
  return {};
}

// Only the folder itself is made, as with files: a misspelt path is noticed before hours of
// training.
Expected<void> check_parent(const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path whole(folder);
  const fs::path path = whole.has_filename() ? whole : whole.parent_path();  // without a last "/"
  std::error_code none;
  if (!path.has_parent_path() || fs::exists(path.parent_path(), none)) return {};
  return fail(ErrorType::kIo, "cannot write " + in_quotes(folder) + ": " + std::strerror(ENOENT));
}

Expected<TrainLoop> train_loop(const TrainOptions& options) {
  TrainLoop loop;
  if (options.steps < 0)
    return fail(ErrorType::kUsage, "--steps is " + std::to_string(options.steps) +
                                       " but should be a whole number from 0");
  loop.steps = static_cast<std::uint64_t>(options.steps);
  loop.folder = files::full_path(options.output.empty() ? options.continued : options.output);
  if (loop.folder.empty()) return fail(ErrorType::kUsage, "-o FOLDER is missing");
  if (options.threads < 0 || options.threads > kMostThreads)
    return fail(ErrorType::kUsage, "--threads should be 1 to " + std::to_string(kMostThreads));
  const auto of_machine = static_cast<int>(std::thread::hardware_concurrency());
  loop.threads = options.threads > 0 ? options.threads : std::clamp(of_machine, 1, 8);
  if (auto is_free = check_free(loop.folder, options); !is_free)
    return tl::make_unexpected(is_free.error());
  if (auto there = check_parent(loop.folder); !there) return tl::make_unexpected(there.error());
  return loop;
}

Expected<void> train_new(const TrainOptions& options, const TrainLoop& loop) {
  const auto training = training_options(options);
  if (!training) return tl::make_unexpected(training.error());
  Trainer trainer(*training);
  files::SavedRun run{*training, History(kKeptBytes), {}};
  record_start(trainer, run.history);
  return train(loop, trainer, run);
}

Expected<void> train_on(const TrainOptions& options, const TrainLoop& loop) {
  if (auto fits = check_continued(options); !fits) return fits;
  auto opened = files::open_saved_run(options.continued);
  if (!opened) return tl::make_unexpected(opened.error());
  for (const std::string& note : opened->notes) print_note(note);
  files::SavedRun& run = opened->run;
  Trainer trainer(run.options);
  trainer.restore(*run.history.states().back());
  run.history.truncate(trainer.steps());
  if (options.learning_rate) {
    trainer.set_learning_rate(*options.learning_rate);
    run.history.keep(trainer.state());
    run.edits.push_back(
        {trainer.steps(), "learning rate " + std::to_string(*options.learning_rate)});
  }
  return train(loop, trainer, run);
}

Expected<void> run_training(const TrainOptions& options) {
  if (options.task.empty() && options.continued.empty())
    return fail(ErrorType::kUsage, "name a task, or a run to --continue");
  const auto loop = train_loop(options);
  if (!loop) return tl::make_unexpected(loop.error());
  return options.continued.empty() ? train_new(options, *loop) : train_on(options, *loop);
}

}  // namespace

Action declare_train(CLI::App& app) {
  const auto options = std::make_shared<TrainOptions>();
  set_help(app, "Trains a small network from random numbers and saves it as a model.",
           "train TASK -o FOLDER [--steps N] [options]\n"
           "       train --continue FOLDER [--steps N] [-o OTHER]",
           "Tasks: repeat letters with a random period, name the previous letter, the bracket\n"
           "that closes the innermost open one, copy a letter from a fixed distance back, sort\n"
           "letters, and the next word of a text. The same options give the same numbers.\n"
           "\n"
           "FOLDER can be opened with every verb on models, in the window and by transformers\n"
           "(GPT-2's type; GPT-NeoX's with rotary positions). It also holds the run itself, which\n"
           "--continue goes on with. Ctrl+C saves the last step. For example:\n"
           "  attention-lab train repeat --steps 2000 --seed 7 -o repeat/\n"
           "  attention-lab train text --text-file book.txt --mlp -o book/\n"
           "  attention-lab train --continue repeat/ --steps 1000 --learning-rate 0.001\n"
           "  attention-lab attribute repeat/ --kind labels");
  add_train_options(app, *options);
  return [options](VerbRun&) { return run_training(*options); };
}

}  // namespace lab::cli
