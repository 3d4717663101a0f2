#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lab::view {

/// A cache of results keyed by what they were computed from: the versions of matrices and
/// everything else they depend on, or a text. Results not requested in a frame are discarded after
/// it.
template <typename Value, typename KeyType = std::vector<std::uint64_t>>
class Memo {
 public:
  using Key = KeyType;

  /// The value of `key`, from `make()` when there is none yet. Valid until end_frame.
  template <typename Make>
  const Value& get(const Key& key, Make&& make) {
    auto found = entries_.find(key);
    if (found == entries_.end()) found = entries_.emplace(key, Entry{make(), frame_}).first;
    found->second.last_used = frame_;
    return found->second.value;
  }
  /// Ends a frame: discards what was not used in it.
  void end_frame() {
    std::erase_if(entries_, [this](const auto& item) { return item.second.last_used < frame_; });
    ++frame_;
  }

 private:
  struct Entry {
    Value value;
    std::uint64_t last_used = 0;
  };

  std::map<Key, Entry> entries_;
  std::uint64_t frame_ = 0;
};

}  // namespace lab::view
