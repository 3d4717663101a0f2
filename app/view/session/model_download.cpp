#include "app/view/session/model_download.h"

#include <algorithm>
#include <utility>

namespace lab::view {
namespace {

// True when nobody needs to be asked again.
bool is_agreed(const AgreedModel& agreed, const hub::Plan& plan) {
  constexpr double kMore = 1.05;  // sizes of the catalogue are rounded
  const auto most = static_cast<std::int64_t>(kMore * static_cast<double>(agreed.size));
  return plan.size <= most && plan.licence == agreed.licence;
}

}  // namespace

ModelDownload::ModelDownload(std::string name, hub::GetModel get, std::optional<AgreedModel> agreed)
    : name_(std::move(name)), agreed_(std::move(agreed)) {
  const auto work = [this, get = std::move(get)] {
    const hub::GetModelReport report{
        [this](const hub::Plan& plan) { return begin(plan); },
        [this](const std::string& file, const hub::Progress& now) { return progress(file, now); },
        [this](const std::string& note) {
          const std::scoped_lock lock(mutex_);
          status_.note = note;
        },
        [this] { return stopped_.load(); }};
    finish(get(name_, report));
    return true;
  };
  task_.start(work, {});
}

ModelDownload::~ModelDownload() {
  stop();
  task_.wait();
}

DownloadStatus ModelDownload::status() const {
  const std::scoped_lock lock(mutex_);
  return status_;
}

bool ModelDownload::running() const {
  const std::scoped_lock lock(mutex_);
  return status_.step != DownloadStep::kDone && status_.step != DownloadStep::kFailed;
}

void ModelDownload::accept() {
  const std::scoped_lock lock(mutex_);
  accepted_ = true;
  answered_.notify_all();
}

void ModelDownload::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  answered_.notify_all();
}

bool ModelDownload::begin(const hub::Plan& plan) {
  std::unique_lock lock(mutex_);
  status_.plan = plan;
  status_.received = plan.size - plan.missing;
  first_.clear();
  files_.clear();
  if (!agreed_ || !is_agreed(*agreed_, plan)) {
    status_.step = DownloadStep::kOffered;
    accepted_ = false;
    answered_.wait(lock, [this] { return accepted_ || stopped_; });
  }
  if (stopped_) return false;
  agreed_ = AgreedModel{plan.size, plan.licence};
  status_.step = DownloadStep::kRunning;
  return true;
}

bool ModelDownload::progress(const std::string& file, const hub::Progress& now) {
  const std::scoped_lock lock(mutex_);
  first_.emplace(file, now);
  files_[file] = now;
  std::int64_t received = status_.plan.size - status_.plan.missing;
  for (const auto& [name, latest] : files_) received += latest.received - first_[name].received;
  status_.file = file;
  status_.received = std::min(std::max(received, now.received), status_.plan.size);
  status_.rate = now.rate;
  return !stopped_;
}

void ModelDownload::finish(const Expected<hub::GotModel>& got) {
  const std::scoped_lock lock(mutex_);
  status_.step = got ? DownloadStep::kDone : DownloadStep::kFailed;
  status_.stopped = !got && stopped_;
  if (got)
    status_.got = *got;
  else
    status_.problem = got.error().message;
}

}  // namespace lab::view
