#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "app/base/background_task.h"
#include "app/hub/get_model.h"

namespace lab::view {

/// Size and licence that a person agreed to before anything was asked of the network.
struct AgreedModel {
  std::int64_t size = 0;  ///< in bytes, about
  std::string licence;
};

/// Where a download stands.
enum class DownloadStep {
  kAsking,   ///< the hub is asked for size and licence
  kOffered,  ///< waits for accept()
  kRunning,
  kDone,
  kFailed,
};

/// What a person sees of a download.
struct DownloadStatus {
  DownloadStep step = DownloadStep::kAsking;
  hub::Plan plan{};           ///< from kOffered on
  std::string file{};         ///< that arrives now
  std::int64_t received = 0;  ///< bytes of all files, those that were here too
  double rate = 0;            ///< bytes a second
  std::string note{};         ///< a sentence on how it goes on, as when the hub is out of reach
  std::string problem{};      ///< of kFailed, a sentence
  bool stopped = false;       ///< of kFailed: it was stop()
  hub::GotModel got{};        ///< of kDone
};

/// A model that is downloaded on a background thread. All members may be called from one thread,
/// and return at once; the destructor stops it and waits for the end, which comes soon.
class ModelDownload {
 public:
  /// Begins. `get` is hub::get_model, or what a test puts in its place. What was `agreed` to is not
  /// offered once more, unless it turns out larger or has another licence.
  ModelDownload(std::string name, hub::GetModel get, std::optional<AgreedModel> agreed);
  ~ModelDownload();
  ModelDownload(const ModelDownload&) = delete;
  ModelDownload& operator=(const ModelDownload&) = delete;

  /// What is downloaded, as it was typed.
  const std::string& name() const { return name_; }
  DownloadStatus status() const;
  /// True until it is done or has failed.
  bool running() const;
  /// Goes on after kOffered.
  void accept();
  /// Stops it: what was received is kept, and another download goes on from there.
  void stop();

 private:
  bool begin(const hub::Plan& plan);
  bool progress(const std::string& file, const hub::Progress& now);
  void finish(const Expected<hub::GotModel>& got);

  std::string name_;
  std::optional<AgreedModel> agreed_;
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  DownloadStatus status_;
  std::map<std::string, hub::Progress> first_, files_;  // the first and the latest of each file
  bool accepted_ = false;
  std::atomic<bool> stopped_ = false;
  BackgroundTask<bool> task_;  // last: it uses the others
};

}  // namespace lab::view
