#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lab::view {

/// Results kept by what they were computed from: the versions of matrices and whatever else they
/// depend on, or a text. What was not asked for in a frame is forgotten after it.
template <typename Value, typename KeyType = std::vector<std::uint64_t>>
class Memo {
 public:
  using Key = KeyType;

  /// The value of `key`, from `make()` where there is none yet. Valid until end_frame.
  template <typename Make>
  const Value& get(const Key& key, Make&& make) {
    auto found = entries_.find(key);
    if (found == entries_.end()) found = entries_.emplace(key, Entry{make(), frame_}).first;
    found->second.last_used = frame_;
    return found->second.value;
  }
  /// Ends a frame: forgets what has not been used for long.
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
