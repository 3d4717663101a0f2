#include "app/hub/transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <thread>

#include "app/base/bad_input.h"

namespace lab::hub {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLongestWait = 60;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What receives the body of an answer.
class Receiver {
 public:
  Receiver() = default;
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  virtual ~Receiver() = default;
  // The answer begins: 206 goes on after what was there, 200 begins anew. False on an error.
  virtual bool begin(long status) = 0;
  virtual bool take(const char* bytes, std::size_t count) = 0;
  // What an attempt asks for after the first bytes.
  virtual std::int64_t received() const { return 0; }
  // Throws away what was received.
  virtual void forget() {}
  // Why it refused something; empty when it did not.
  std::string problem{};
};

class TextReceiver : public Receiver {
 public:
  explicit TextReceiver(std::size_t largest) : largest_(largest) {}
  bool begin(long) override {
    text.clear();
    return true;
  }
  bool take(const char* bytes, std::size_t count) override {
    if (text.size() + count > largest_)
      problem = "the answer is too long";
    else
      text.append(bytes, count);
    return problem.empty();
  }

  std::string text;

 private:
  std::size_t largest_;
};

class FileReceiver : public Receiver {
 public:
  FileReceiver(const std::string& path, std::int64_t size, const ReportProgress& report)
      : path_(path), size_(size), report_(report), file_(std::fopen(path.c_str(), "ab")) {
    if (!file_) {
      fail_with_errno();
      return;
    }
    std::error_code error;
    received_ = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    if (received_ > size_) forget();
  }

  bool begin(long status) override {
    if (status != 206 && received_ > 0) forget();
    began_ = Clock::now();
    at_begin_ = received_;
    return problem.empty();
  }
  bool take(const char* bytes, std::size_t count) override {
    if (received_ + static_cast<std::int64_t>(count) > size_) {
      problem = "the file is longer than the hub said";
      return false;
    }
    if (std::fwrite(bytes, 1, count, file_.get()) != count || std::fflush(file_.get()) != 0) {
      fail_with_errno();
      return false;
    }
    received_ += static_cast<std::int64_t>(count);
    return tell();
  }
  std::int64_t received() const override { return received_; }
  void forget() override {
    if (file_ && ::truncate(path_.c_str(), 0) == 0)
      received_ = 0;
    else
      fail_with_errno();
  }
  bool stopped() const { return stopped_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void fail_with_errno() { problem = in_quotes(path_) + ": " + std::strerror(errno); }

  bool tell() {
    constexpr double kBetween = 0.1;
    const bool last = received_ == size_;
    if (!report_ || (!last && seconds_since(told_) < kBetween)) return true;
    told_ = Clock::now();
    const double seconds = std::max(seconds_since(began_), 1e-3);
    stopped_ = !report_({received_, size_, static_cast<double>(received_ - at_begin_) / seconds});
    return !stopped_;
  }

  std::string path_;
  std::int64_t size_, received_ = 0, at_begin_ = 0;
  const ReportProgress& report_;
  Clock::time_point began_, told_;
  bool stopped_ = false;
  std::unique_ptr<std::FILE, Close> file_;
};

// One answer of a server.
struct Answer {
  CURLcode code = CURLE_OK;
  long status = 0;
  double wait = 0;  // seconds that it asks for
  std::string problem{};
};

struct Request {
  CURL* curl;
  Receiver& receiver;
  bool began = false;
};

std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* data) {
  Request& request = *static_cast<Request*>(data);
  long status = 0;
  curl_easy_getinfo(request.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200 && status != 206) return count;  // the page of an error
  if (!request.began && !request.receiver.begin(status)) return 0;
  request.began = true;
  return request.receiver.take(bytes, count) ? count : 0;
}

// Called by libcurl while it waits and receives; other than 0: stop.
int ask_stopped(void* data, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const Source& source = *static_cast<const Source*>(data);
  return source.stopped() ? 1 : 0;
}

bool is_stopped(const Source& source) { return source.stopped && source.stopped(); }

// Waits, unless it is stopped.
void wait_for(const Source& source, double seconds) {
  constexpr double kBetween = 0.1;
  const auto begin = Clock::now();
  for (double left = seconds; left > 0 && !is_stopped(source);
       left = seconds - seconds_since(begin))
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kBetween)));
}

tl::unexpected<TransferError> was_stopped() {
  return tl::make_unexpected(TransferError{
      Error{ErrorType::kFailed, "stopped; what was received is kept, and the next time goes on"}});
}

// Libcurl is set up once.
void set_up() {
  static const CURLcode kDone = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(kDone);
}

Answer ask(const Source& source, Receiver& receiver) {
  set_up();
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  Answer answer;
  if (!curl) return {CURLE_FAILED_INIT, 0, 0, "libcurl does not start"};
  Request request{curl.get(), receiver};
  char message[CURL_ERROR_SIZE] = "";
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(nullptr, curl_slist_free_all);
  if (!source.token.empty())
    headers.reset(curl_slist_append(nullptr, ("Authorization: Bearer " + source.token).c_str()));
  const auto set = [&](CURLoption option, auto value) {
    curl_easy_setopt(curl.get(), option, value);
  };
  set(CURLOPT_URL, source.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 10L);
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_USERAGENT, "attention-lab/" ATTENTION_LAB_VERSION);
  set(CURLOPT_ERRORBUFFER, message);
  set(CURLOPT_CONNECTTIMEOUT, 20L);
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(CURLOPT_LOW_SPEED_TIME, 60L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_WRITEFUNCTION, &take_body);
  set(CURLOPT_WRITEDATA, &request);
  if (source.stopped) {
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &ask_stopped);
    set(CURLOPT_XFERINFODATA, &source);
  }
  const std::string range = std::to_string(receiver.received()) + "-";
  if (receiver.received() > 0) set(CURLOPT_RANGE, range.c_str());
  answer.code = curl_easy_perform(curl.get());
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  curl_off_t wait = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RETRY_AFTER, &wait);
  answer.wait = static_cast<double>(wait);
  answer.problem = *message != '\0' ? message : curl_easy_strerror(answer.code);
  return answer;
}

bool is_unreachable(CURLcode code) {
  return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY ||
         code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT ||
         code == CURLE_SSL_CONNECT_ERROR;
}

bool may_succeed_later(const Answer& answer) {
  if (answer.code == CURLE_OK) return answer.status == 429 || answer.status >= 500;
  return answer.code == CURLE_PARTIAL_FILE || answer.code == CURLE_RECV_ERROR ||
         answer.code == CURLE_SEND_ERROR || answer.code == CURLE_GOT_NOTHING ||
         answer.code == CURLE_HTTP2_STREAM ||
         (answer.code == CURLE_OPERATION_TIMEDOUT && answer.status != 0);
}

std::string words_of(const Answer& answer) {
  if (answer.code != CURLE_OK) return answer.problem;
  switch (answer.status) {
    case 401:
      return "it is not there, or needs a token of yours: set HF_TOKEN";
    case 403:
      return "its licence must be accepted on its page at the hub, and HF_TOKEN be set";
    case 404:
      return "it is not there";
    case 429:
      return "the server has too many requests; try again later";
    default:
      return "the server answers with status " + std::to_string(answer.status);
  }
}

TransferError error_of(const Source& source, const Answer& answer, const Receiver& receiver) {
  const std::string problem = receiver.problem.empty() ? words_of(answer) : receiver.problem;
  return {Error{ErrorType::kIo, in_quotes(source.url) + ": " + problem},
          receiver.problem.empty() && is_unreachable(answer.code)};
}

// Asks until the answer is complete, or will not become so.
Transferred<void> receive(const Source& source, Receiver& receiver) {
  double wait = source.first_wait;
  for (int attempt = 1;; ++attempt) {
    const std::int64_t before = receiver.received();
    const Answer answer = ask(source, receiver);
    const bool complete = answer.code == CURLE_OK && (answer.status == 200 || answer.status == 206);
    if (complete) return {};
    if (is_stopped(source)) return was_stopped();
    if (!receiver.problem.empty()) return tl::make_unexpected(error_of(source, answer, receiver));
    if (answer.code == CURLE_OK && answer.status == 416 && before > 0) {
      receiver.forget();  // what was there is no part of the file
      continue;
    }
    if (receiver.received() > before) attempt = std::min(attempt, 1);
    if (!may_succeed_later(answer) || attempt >= source.attempts)
      return tl::make_unexpected(error_of(source, answer, receiver));
    const double seconds = std::min(std::max(wait, answer.wait), kLongestWait);
    wait_for(source, seconds);
    if (is_stopped(source)) return was_stopped();
    wait *= 2;
  }
}

}  // namespace

Transferred<std::string> get_text(const Source& source, std::size_t largest) {
  TextReceiver receiver(largest);
  return receive(source, receiver).map([&] { return std::move(receiver.text); });
}

Transferred<void> get_file(const Source& source, const std::string& path, std::int64_t size,
                           const ReportProgress& report) {
  FileReceiver receiver(path, size, report);
  if (!receiver.problem.empty())
    return tl::make_unexpected(TransferError{Error{ErrorType::kIo, receiver.problem}});
  if (receiver.received() == size && size > 0) return {};
  auto received = receive(source, receiver);
  if (receiver.stopped()) return was_stopped();
  if (received && receiver.received() != size)
    return tl::make_unexpected(TransferError{
        Error{ErrorType::kIo, in_quotes(source.url) + ": " + std::to_string(receiver.received()) +
                                  " bytes, but the hub said " + std::to_string(size)}});
  return received;
}

}  // namespace lab::hub
