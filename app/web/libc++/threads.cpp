// What libc++ keeps in its library for threads, which the package for WebAssembly leaves out: see
// __external_threading. Where a second thread would be waited for, there is none.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>

_LIBCPP_BEGIN_NAMESPACE_STD

namespace {

[[noreturn]] void refuse_to_wait() {
  throw system_error(make_error_code(errc::resource_deadlock_would_occur));
}

class FutureCategory final : public error_category {
 public:
  const char* name() const noexcept override { return "future"; }
  string message(int /*code*/) const override { return "the result of a task is not there"; }
};

}  // namespace

mutex::~mutex() noexcept {}
void mutex::lock() {}
bool mutex::try_lock() noexcept { return true; }
void mutex::unlock() noexcept {}

condition_variable::~condition_variable() {}
void condition_variable::notify_one() noexcept {}
void condition_variable::notify_all() noexcept {}
void condition_variable::wait(unique_lock<mutex>& /*lock*/) noexcept { terminate(); }
void condition_variable::__do_timed_wait(
    unique_lock<mutex>& /*lock*/,
    chrono::time_point<chrono::system_clock, chrono::nanoseconds> /*end*/) noexcept {}

void __refuse_thread() {
  throw system_error(make_error_code(errc::resource_unavailable_try_again),
                     "a page has one thread");
}

// A thread that could not be started has nothing to be joined, and nothing that is freed at its
// end.
__thread_struct::__thread_struct() : __p_(nullptr) {}
__thread_struct::~__thread_struct() {}
__thread_specific_ptr<__thread_struct>& __thread_local_data() {
  static __thread_specific_ptr<__thread_struct> data;
  return data;
}
thread::~thread() {}
void thread::join() { refuse_to_wait(); }
void thread::detach() {}
unsigned thread::hardware_concurrency() noexcept { return 1; }

void __cxx_atomic_notify_one(const volatile void*) noexcept {}
void __cxx_atomic_notify_all(const volatile void*) noexcept {}
__cxx_contention_t __libcpp_atomic_monitor(const volatile void*) noexcept { return 0; }
void __libcpp_atomic_wait(const volatile void*, __cxx_contention_t) noexcept {}

// The state that a std::promise, or a task, shares with its std::future.
const error_category& future_category() noexcept {
  static const FutureCategory category;
  return category;
}
future_error::future_error(error_code code) : logic_error(code.message()), __ec_(code) {}
future_error::~future_error() noexcept {}

void __assoc_sub_state::__on_zero_shared() noexcept { delete this; }
void __assoc_sub_state::set_value() {
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed | ready;
}
void __assoc_sub_state::set_exception(exception_ptr failure) {
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = failure;
  __state_ |= ready;
}
void __assoc_sub_state::__make_ready() { __state_ |= ready; }
void __assoc_sub_state::set_value_at_thread_exit() { set_value(); }
void __assoc_sub_state::set_exception_at_thread_exit(exception_ptr failure) {
  set_exception(failure);
}
void __assoc_sub_state::__sub_wait(unique_lock<mutex>& lock) {
  if (__is_ready()) return;
  if ((__state_ & static_cast<unsigned>(deferred)) == 0) refuse_to_wait();
  __state_ &= ~static_cast<unsigned>(deferred);
  lock.unlock();
  __execute();
}
void __assoc_sub_state::wait() {
  unique_lock<mutex> lock(__mut_);
  __sub_wait(lock);
}
void __assoc_sub_state::copy() {
  wait();
  if (__exception_ != nullptr) rethrow_exception(__exception_);
}
void __assoc_sub_state::__execute() { __throw_future_error(future_errc::no_state); }

future<void>::~future() {
  if (__state_ != nullptr) __state_->__release_shared();
}
void future<void>::get() {
  __assoc_sub_state* const state = __state_;
  __state_ = nullptr;
  const unique_ptr<__shared_count, __release_shared_count> released(state);
  state->copy();
}

_LIBCPP_END_NAMESPACE_STD

// A page ends without destroying what belongs to its thread.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

// The number of the process, for names of files that nobody else has.
extern "C" int getpid() { return 1; }
