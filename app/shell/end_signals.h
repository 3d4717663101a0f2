#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace lab::shell {

/// While this lives, SIGTERM and SIGINT do not end the program but wait to be watched for. To be
/// made before any other thread, which would take them.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Those signals.
  const sigset_t& set() const { return set_; }

 private:
  sigset_t set_{}, before_{};
};

/// Calls a function, on a thread of its own, when one of the held signals comes.
class SignalWatch {
 public:
  /// `held` must outlive this, and so must all that `act` touches.
  SignalWatch(const HeldSignals& held, std::function<void()> act);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// The signal that came; 0 when none did.
  int received() const { return received_; }

 private:
  std::atomic<int> received_ = 0;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

/// Ends the program as `signal` does when nobody handles it.
[[noreturn]] void end_by(int signal);

}  // namespace lab::shell
