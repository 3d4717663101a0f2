#include "app/shell/end_signals.h"

#include <pthread.h>

#include <cstdlib>
#include <utility>

namespace lab::shell {

HeldSignals::HeldSignals() {
  sigemptyset(&set_);
  sigaddset(&set_, SIGTERM);
  sigaddset(&set_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set_, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

SignalWatch::SignalWatch(const HeldSignals& held, std::function<void()> act)
    : thread_([this, &held, act = std::move(act)] {
        int signal = 0;
        if (sigwait(&held.set(), &signal) != 0 || over_) return;
        received_ = signal;
        act();
      }) {}

SignalWatch::~SignalWatch() {
  over_ = true;
  pthread_kill(thread_.native_handle(), SIGINT);  // wakes it when it still waits
  thread_.join();
}

void end_by(int signal) {
  sigset_t all;
  sigfillset(&all);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
  std::raise(signal);
  std::abort();  // not reached: both signals end a program
}

}  // namespace lab::shell
