#include "app/platform/picture_clipboard.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

#include "app/platform/clipboard_owner.h"

namespace lab::platform {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kNoAnswer = "the X11 display does not answer";
constexpr milliseconds kTimeToTake{2000};
constexpr milliseconds kTimeToSave{1000};  // for a clipboard manager that is slow, when we end

}  // namespace

/// The connection to the display, and a way to wake up the thread that waits for its events.
class PictureClipboard::Connection {
 public:
  Connection()
      : display_(xcb_connect(nullptr, nullptr)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (works()) owner_.emplace(display_);
  }
  ~Connection() {
    owner_.reset();
    xcb_disconnect(display_);
    if (wake_ >= 0) ::close(wake_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool works() const { return wake_ >= 0 && xcb_connection_has_error(display_) == 0; }
  ClipboardOwner& owner() { return *owner_; }
  void wake() const { eventfd_write(wake_, 1); }

  /// Handles all pending events.
  void answer_events() {
    while (const XcbPointer<xcb_generic_event_t> event{xcb_poll_for_event(display_)})
      owner_->handle(*event);
    xcb_flush(display_);
  }
  /// Sleeps until there are events, it is woken up, or the time in milliseconds is over (−1:
  /// never).
  void wait(int timeout) const {
    std::array<pollfd, 2> sources{
        {{xcb_get_file_descriptor(display_), POLLIN, 0}, {wake_, POLLIN, 0}}};
    ::poll(sources.data(), sources.size(), timeout);
    eventfd_t count = 0;
    eventfd_read(wake_, &count);
  }

 private:
  xcb_connection_t* display_;
  int wake_;
  std::optional<ClipboardOwner> owner_;
};

Expected<std::unique_ptr<PictureClipboard>> PictureClipboard::open() {
  auto connection = std::make_unique<Connection>();
  if (!connection->works()) return fail(ErrorType::kFailed, kNoAnswer);
  return std::unique_ptr<PictureClipboard>(new PictureClipboard(std::move(connection)));
}

PictureClipboard::PictureClipboard(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)), thread_([this] { run(); }) {}

PictureClipboard::~PictureClipboard() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  connection_->wake();
  thread_.join();
}

Expected<void> PictureClipboard::copy(const std::string& png) {
  std::unique_lock lock(mutex_);
  if (!connection_->works()) return fail(ErrorType::kFailed, kNoAnswer);
  requested_ = png;
  taken_.reset();
  connection_->wake();
  answered_.wait_for(lock, kTimeToTake, [this] { return taken_.has_value(); });
  if (taken_.value_or(false)) return {};
  return fail(ErrorType::kFailed, "the display does not release the clipboard");
}

std::optional<std::string> PictureClipboard::next_picture() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(requested_, std::nullopt);
}

void PictureClipboard::report(std::optional<bool> taken) {
  if (!taken) return;
  const std::scoped_lock lock(mutex_);
  taken_ = taken;
  answered_.notify_all();
}

bool PictureClipboard::is_over() {
  const std::scoped_lock lock(mutex_);
  return over_ || !connection_->works();
}

void PictureClipboard::run() {
  ClipboardOwner& owner = connection_->owner();
  while (!is_over()) {
    if (auto png = next_picture()) owner.take(std::move(*png));
    connection_->answer_events();
    report(owner.taken());
    connection_->wait(-1);
  }
  report(false);
  if (owner.save()) wait_until_saved();
}

void PictureClipboard::wait_until_saved() {
  const auto end = Clock::now() + kTimeToSave;
  for (;;) {
    connection_->answer_events();
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
    if (connection_->owner().saved() || !connection_->works() || left <= 0) return;
    connection_->wait(static_cast<int>(left));
  }
}

}  // namespace lab::platform
