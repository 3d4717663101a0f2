#include "app/shell/recent_persister.h"

#include <utility>

#include "app/files/recent.h"

namespace lab::shell {

void RecentPersister::apply(view::RecentState& recent) {
  const auto files = files::read_recent(path_);
  if (!files) return path_.clear();
  recent.files = *files;
}

void RecentPersister::keep(view::RecentState& recent) {
  const auto newest = std::exchange(recent.newest, {});
  const auto missing = std::exchange(recent.missing, {});
  const bool clear = std::exchange(recent.clear, false);
  if (!newest && !missing && !clear) return;
  // Other windows write to the same list.
  if (const auto files = files::read_recent(path_); files && !path_.empty()) recent.files = *files;
  if (clear) recent.files.clear();
  if (missing) std::erase(recent.files, *missing);
  if (newest) recent.files = files::with_newest(std::move(recent.files), *newest);
  if (!path_.empty() && !files::write_recent(path_, recent.files)) path_.clear();
}

}  // namespace lab::shell
