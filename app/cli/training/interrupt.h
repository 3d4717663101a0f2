#pragma once

namespace lab::cli {

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

}  // namespace lab::cli
