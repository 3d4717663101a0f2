#include "app/cli/training/interrupt.h"

#include <csignal>

namespace lab::cli {
namespace {

volatile std::sig_atomic_t signal_arrived = 0;

void remember_signal(int) { signal_arrived = 1; }

}  // namespace

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

}  // namespace lab::cli
