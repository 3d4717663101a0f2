#include "app/cli/training/train_loop.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>

#include "app/cli/verb.h"
#include "app/explain/number_text.h"
#include "app/files/training/trained_model.h"
#include "core/training/record.h"

namespace lab::cli {
namespace {

using attention::training::StepReport;
using attention::training::Trainer;

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

}  // namespace

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

}  // namespace lab::cli
