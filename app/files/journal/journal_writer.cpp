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

// False when the file was removed: what is written there is lost.
bool is_linked(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

JournalWriter::JournalWriter(JournalLocation location, std::function<void()> on_done)
    : location_(std::move(location)), on_done_(std::move(on_done)), thread_([this] { run(); }) {}

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

void JournalWriter::ask(const std::function<void(Requested&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(requested_);
  }
  changed_.notify_all();
}

void JournalWriter::begin(JournalHead head, Document base, std::vector<RecordLine> edits,
                          std::function<void()> then) {
  Base requested{std::move(head), std::move(base), std::move(then)};
  ask([&](Requested& all) {
    std::function<void()> earlier = all.base ? std::move(all.base->then) : nullptr;
    if (!requested.then) requested.then = std::move(earlier);
    all = {false, std::move(requested), std::move(edits), {}, {}, std::move(all.answers)};
  });
}

void JournalWriter::append(std::vector<RecordLine> edits) {
  ask([&](Requested& all) {
    all.held.reset();
    all.edits.insert(all.edits.end(), std::make_move_iterator(edits.begin()),
                     std::make_move_iterator(edits.end()));
  });
}

void JournalWriter::hold(std::optional<std::string> previewed) {
  ask([&](Requested& all) { all.held = Held{std::move(previewed)}; });
}

void JournalWriter::keep_view(SessionView view) {
  ask([&](Requested& all) { all.view = std::move(view); });
}

void JournalWriter::clear() {
  ask([](Requested& all) { all = {true, std::nullopt, {}, {}, {}, std::move(all.answers)}; });
}

void JournalWriter::keep_answers(std::function<std::string()> text, std::function<void()> then) {
  ask([&](Requested& all) {
    if (!then && all.answers) then = std::move(all.answers->then);
    all.answers = Answers{std::move(text), std::move(then)};
  });
}

void JournalWriter::finish() {
  end_thread();
  (void)location_.remove();
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
  next_held_ = {};
  changed_.notify_all();
  changed_.wait(lock, [this] { return !busy_ && !requested_.any(); });
}

void JournalWriter::wait_for_work(std::unique_lock<std::mutex>& lock) {
  while (!over_ && !requested_.urgent()) {
    if (!requested_.held) {
      changed_.wait(lock);
    } else if (std::chrono::steady_clock::now() >= next_held_) {
      return;
    } else {
      changed_.wait_until(lock, next_held_);
    }
  }
}

void JournalWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wait_for_work(lock);
    if (!requested_.any()) return;
    busy_ = true;
    Requested requested = std::exchange(requested_, {});
    if (requested.held) next_held_ = std::chrono::steady_clock::now() + kBetweenHeld;
    lock.unlock();
    execute(std::move(requested));
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void JournalWriter::note(const Expected<void>& done, bool& failed) {
  {
    const std::lock_guard lock(mutex_);
    const bool is_new = !done && !failed;
    failed = !done;
    if (!is_new) return;
    problem_ = done.error().message;
  }
  if (on_done_) on_done_();
}

void JournalWriter::execute(Requested requested) {
  const auto outcome = [](Expected<void> done) { return done; };
  if (requested.about_journal())
    note(guarded([&] { return write_journal(requested); }).and_then(outcome), failed_);
  if (requested.answers)
    note(guarded([&] { return write_answers(*requested.answers); }).and_then(outcome),
         answers_failed_);
}

Expected<void> JournalWriter::write_answers(const Answers& answers) {
  const std::string path = location_.answers();
  if (!answers.text) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("remove", path);
  } else {
    if (!location_.holds())
      return fail(ErrorType::kIo, "the folder of " + in_quotes(path) + " was emptied");
    // As for the journal.
    if (open_descriptor(path, O_WRONLY | O_CREAT, kOwnerOnly).get() < 0)
      return io_error("write", path);
    if (auto written = write_bytes(path, answers.text()); !written) return written;
  }
  if (answers.then) answers.then();
  return {};
}

Expected<void> JournalWriter::write_journal(Requested& requested) {
  Expected<void> done;
  if (requested.clear) {
    done = remove();
  } else if (requested.base) {
    done = write(std::move(*requested.base), requested);
  } else if (requested.adds()) {
    done = add(requested);
  }
  return done && requested.held ? replace_held(requested.held->command) : done;
}

Expected<void> JournalWriter::remove() {
  before_held_.reset();
  file_ = Descriptor();
  const std::string path = location_.journal();
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("remove", path);
  return {};
}

Expected<void> JournalWriter::write(Base base, const Requested& requested) {
  const std::string path = location_.journal();
  file_ = Descriptor();
  before_held_.reset();
  if (!location_.holds())
    return fail(ErrorType::kIo, "the folder of " + in_quotes(path) + " was emptied");
  base.head.file_time = last_change(base.head.path);
  std::string text = lines_.begin(base.head, base.document);
  text += text_of(requested);
  // It is made first, for this user alone: what replaces it is like it.
  if (open_descriptor(path, O_WRONLY | O_CREAT, kOwnerOnly).get() < 0)
    return io_error("write", path);
  if (auto written = write_bytes(path, text); !written) return written;
  file_ = open_descriptor(path, O_WRONLY | O_APPEND);
  if (file_.get() < 0) return io_error("write", path);
  if (base.then) base.then();
  return {};
}

std::string JournalWriter::text_of(const Requested& requested) {
  std::string text;
  for (const RecordLine& edit : requested.edits) text += lines_.edit(edit);
  return requested.view ? text + lines_.view(*requested.view) : text;
}

Expected<void> JournalWriter::add(const Requested& requested) {
  if (auto removed = remove_held(); !removed) return removed;
  return write_end(text_of(requested));
}

Expected<void> JournalWriter::replace_held(const std::optional<std::string>& held) {
  if (auto removed = remove_held(); !removed) return removed;
  if (!held) return write_end({});
  struct stat status {};
  if (file_.get() >= 0 && ::fstat(file_.get(), &status) == 0)
    before_held_ = {status.st_size, lines_};
  return write_end(lines_.held(*held));
}

Expected<void> JournalWriter::remove_held() {
  if (!before_held_) return {};
  const End end = *std::exchange(before_held_, std::nullopt);
  lines_ = end.lines;
  if (::ftruncate(file_.get(), end.size) != 0) return io_error("write", location_.journal());
  return {};
}

Expected<void> JournalWriter::write_end(const std::string& text) {
  if (file_.get() < 0) return fail(ErrorType::kIo, "there is no journal");
  if (!is_linked(file_.get())) errno = ENOENT;
  if (is_linked(file_.get()) && write_all(file_.get(), text) && ::fdatasync(file_.get()) == 0)
    return {};
  const auto error = io_error("write", location_.journal());
  file_ = Descriptor();
  before_held_.reset();
  return error;
}

}  // namespace lab::files
