#include "app/shell/crash_report.h"

#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

#include <cxxabi.h>

#include "app/document/recent_steps.h"
#include "app/shell/end_signals.h"

namespace lab::shell {
namespace {

struct FaultSignal {
  int number;
  std::string_view name;
};

constexpr std::array<FaultSignal, 5> kFaults = {{{SIGSEGV, "SIGSEGV, an invalid address"},
                                                 {SIGBUS, "SIGBUS, memory that is not there"},
                                                 {SIGFPE, "SIGFPE, an impossible division"},
                                                 {SIGILL, "SIGILL, an unknown instruction"},
                                                 {SIGABRT, "SIGABRT, the program gave up"}}};

constexpr int kMostFrames = 64;
constexpr std::size_t kStack = std::size_t{64}
                               << 10;  // the handler's; that of the thread may be full

// All that the handler needs: it may not allocate, nor wait for anything.
struct Prepared {
  std::string path;  // of the report
  std::string version;
  std::unique_ptr<std::byte[]> stack;
  std::array<struct sigaction, kFaults.size()> before{};
  std::terminate_handler terminate_before = nullptr;
};

Prepared* prepared = nullptr;
std::atomic<const char*> uncaught_type = nullptr;
std::atomic_flag being_reported = ATOMIC_FLAG_INIT;

void put_text(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void put_number(int file, std::uint64_t number) {
  char digits[24];
  char* at = std::end(digits);
  do *--at = static_cast<char>('0' + number % 10);
  while ((number /= 10) > 0);
  put_text(file, {at, static_cast<std::size_t>(std::end(digits) - at)});
}

std::string_view name_of_signal(int signal) {
  for (const FaultSignal& fault : kFaults)
    if (fault.number == signal) return fault.name;
  return "another signal";
}

void put_steps(int file) {
  put_text(file, "\nThe last steps, by the names of commands and menus:\n");
  for (const std::string_view step : recent_steps()) {
    if (step.empty()) continue;
    put_text(file, "  ");
    put_text(file, step);
    put_text(file, "\n");
  }
}

void put_stack(int file) {
  put_text(file, "\nThe functions being called, the innermost first:\n");
  void* frames[kMostFrames];
  const int count = ::backtrace(frames, kMostFrames);
  ::backtrace_symbols_fd(frames, count, file);
}

void put_report(int file, int signal) {
  put_text(file,
           "A report of the end of Attention Lab by a fault. It has nothing of the document, and "
           "was sent nowhere.\n\n");
  put_text(file, prepared->version);
  put_text(file, "\nsignal: ");
  put_text(file, name_of_signal(signal));
  if (const char* type = uncaught_type.load()) {
    put_text(file, "\nexception: ");
    put_text(file, type);
  }
  put_text(file, "\ntime: ");
  put_number(file, static_cast<std::uint64_t>(std::time(nullptr)));
  put_text(file, " seconds since 1970\n");
  put_steps(file);
  put_stack(file);
}

// Of several threads that fail together, one writes and ends the program.
void on_fault(int signal) {
  if (being_reported.test_and_set())
    for (;;) ::pause();
  for (const FaultSignal& fault : kFaults) std::signal(fault.number, SIG_DFL);
  const int file =
      ::open(prepared->path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file >= 0) {
    put_report(file, signal);
    ::close(file);
  }
  end_by(signal);
}

// The text of an exception may name what is in the document; its type does not.
[[noreturn]] void on_terminate() {
  if (const std::type_info* type = abi::__cxa_current_exception_type())
    uncaught_type = type->name();
  std::abort();
}

// The first call loads the library that unwinds, which a handler may not.
void warm_up() {
  void* frames[2];
  ::backtrace(frames, 2);
}

}  // namespace

CrashReporter::CrashReporter(const std::string& folder, const std::string& version) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (folder.empty() || prepared != nullptr) return;
  warm_up();
  const std::string name = "crash-" + std::to_string(::getpid()) + ".new";
  prepared = new Prepared{(std::filesystem::path(folder) / name).string(),
                          version,
                          std::make_unique<std::byte[]>(kStack),
                          {},
                          nullptr};
  const stack_t stack{prepared->stack.get(), 0, kStack};
  ::sigaltstack(&stack, nullptr);
  struct sigaction act {};
  act.sa_handler = on_fault;
  act.sa_flags = SA_ONSTACK;
  sigemptyset(&act.sa_mask);
  for (std::size_t i = 0; i < kFaults.size(); ++i)
    ::sigaction(kFaults[i].number, &act, &prepared->before[i]);
  prepared->terminate_before = std::set_terminate(on_terminate);
#else
  (void)folder, (void)version;  // the sanitizers report these signals themselves
#endif
}

CrashReporter::~CrashReporter() {
  if (prepared == nullptr) return;
  for (std::size_t i = 0; i < kFaults.size(); ++i)
    ::sigaction(kFaults[i].number, &prepared->before[i], nullptr);
  std::set_terminate(prepared->terminate_before);
  const stack_t none{nullptr, SS_DISABLE, 0};
  ::sigaltstack(&none, nullptr);
  delete std::exchange(prepared, nullptr);
}

}  // namespace lab::shell
