#include "app/files/journal/journal_writer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <iterator>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"

namespace lab::files {
namespace {

constexpr mode_t kOwnerOnly = 0600;

std::string text_of(JournalLines& lines, const std::vector<RecordLine>& edits) {
  std::string text;
  for (const RecordLine& edit : edits) text += lines.edit(edit);
  return text;
}

// False when the file was removed: what is written there is lost.
bool is_linked(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

JournalWriter::JournalWriter(JournalPlace place, std::function<void()> told)
    : place_(std::move(place)), told_(std::move(told)), thread_([this] { run(); }) {}

JournalWriter::~JournalWriter() { end_thread(); }

void JournalWriter::end_thread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void JournalWriter::ask(const std::function<void(Wanted&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(wanted_);
  }
  changed_.notify_all();
}

void JournalWriter::begin(JournalHead head, Document base, std::vector<RecordLine> edits,
                          std::function<void()> then) {
  Base wanted{std::move(head), std::move(base), std::move(then)};
  ask([&](Wanted& all) {
    std::function<void()> earlier = all.base ? std::move(all.base->then) : nullptr;
    if (!wanted.then) wanted.then = std::move(earlier);
    all = {false, std::move(wanted), std::move(edits)};
  });
}

void JournalWriter::append(std::vector<RecordLine> edits) {
  ask([&](Wanted& all) {
    all.edits.insert(all.edits.end(), std::make_move_iterator(edits.begin()),
                     std::make_move_iterator(edits.end()));
  });
}

void JournalWriter::clear() {
  ask([](Wanted& all) { all = {true, std::nullopt, {}}; });
}

void JournalWriter::finish() {
  end_thread();
  (void)place_.remove();
}

bool JournalWriter::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

std::string JournalWriter::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

void JournalWriter::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_ && !wanted_.any(); });
}

void JournalWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || wanted_.any(); });
    if (!wanted_.any()) return;
    busy_ = true;
    Wanted wanted = std::exchange(wanted_, {});
    lock.unlock();
    const auto done = guarded([&] {
                        return carry_out(std::move(wanted));
                      }).and_then([](Expected<void> outcome) { return outcome; });
    note(done);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void JournalWriter::note(const Expected<void>& done) {
  {
    const std::lock_guard lock(mutex_);
    const bool is_new = !done && !failed_;
    failed_ = !done;
    if (!is_new) return;
    problem_ = done.error().message;
  }
  if (told_) told_();
}

Expected<void> JournalWriter::carry_out(Wanted wanted) {
  if (wanted.clear) return remove();
  if (wanted.base) return write(std::move(*wanted.base), wanted.edits);
  return add(wanted.edits);
}

Expected<void> JournalWriter::remove() {
  file_ = Descriptor();
  const std::string path = place_.journal();
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("remove", path);
  return {};
}

Expected<void> JournalWriter::write(Base base, const std::vector<RecordLine>& edits) {
  const std::string path = place_.journal();
  file_ = Descriptor();
  if (!place_.holds())
    return fail(ErrorKind::kIo, "the folder of " + in_quotes(path) + " was emptied");
  base.head.file_time = last_change(base.head.path);
  std::string text = lines_.begin(base.head, base.document);
  text += text_of(lines_, edits);
  // It is made first, for this user alone: what replaces it is like it.
  if (open_descriptor(path, O_WRONLY | O_CREAT, kOwnerOnly).get() < 0)
    return io_error("write", path);
  if (auto written = write_bytes(path, text); !written) return written;
  file_ = open_descriptor(path, O_WRONLY | O_APPEND);
  if (file_.get() < 0) return io_error("write", path);
  if (base.then) base.then();
  return {};
}

Expected<void> JournalWriter::add(const std::vector<RecordLine>& edits) {
  if (file_.get() < 0) return fail(ErrorKind::kIo, "there is no journal");
  const std::string text = text_of(lines_, edits);
  if (!is_linked(file_.get())) errno = ENOENT;
  if (is_linked(file_.get()) && write_all(file_.get(), text) && ::fdatasync(file_.get()) == 0)
    return {};
  const auto error = io_error("write", place_.journal());
  file_ = Descriptor();
  return error;
}

}  // namespace lab::files
