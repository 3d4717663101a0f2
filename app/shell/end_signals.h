#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace lab::shell {

/// While this exists, SIGTERM and SIGINT do not end the program but wait for a SignalWatch. Must be
/// created before any other thread, which would receive them.
class HeldSignals {
 public:
  /// Holds the signals back.
  HeldSignals();
  ~HeldSignals();
  /// Can be neither copied nor moved: the signals are released once.
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// The held signals.
  const sigset_t& set() const { return set_; }

 private:
  sigset_t set_{}, before_{};
};

/// Calls a function on a background thread when one of the held signals arrives.
class SignalWatch {
 public:
  /// `held` and everything that `act` uses must outlive this.
  SignalWatch(const HeldSignals& held, std::function<void()> act);
  ~SignalWatch();
  /// Can be neither copied nor moved: its thread refers to it.
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// The signal that arrived; 0 if none did.
  int received() const { return received_; }

 private:
  std::atomic<int> received_ = 0;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

/// Ends the program as an unhandled `signal` would.
[[noreturn]] void end_by(int signal);

}  // namespace lab::shell
