#include "app/view/guide/guide_links.h"

#include <filesystem>

namespace lab::view {
namespace {

bool is_address(const std::string& target) {
  return target.find("://") != target.npos || target.starts_with("mailto:");
}

}  // namespace

std::optional<GuideLocation> location_of_link(const std::string& target, const std::string& from) {
  const std::size_t hash = target.find('#');
  const std::string file = target.substr(0, hash);
  const std::string anchor = hash == target.npos ? "" : target.substr(hash + 1);
  if (target.empty() || is_address(target) || file.find('/') != file.npos) return std::nullopt;
  if (!file.empty() && !file.ends_with(".md")) return std::nullopt;
  return GuideLocation{file.empty() ? from : file, anchor};
}

std::string outside_path(const std::string& target) {
  if (is_address(target)) return target;
  return (std::filesystem::path("assets/guide") / target).lexically_normal().string();
}

void visit_location(GuideState& state, const GuideLocation& location) {
  state.arrives = true;
  if (shown_location(state) == location) {
    state.visits[state.at].scroll.reset();
    return;
  }
  state.visits.resize(state.at + 1);
  state.visits.push_back({location});
  ++state.at;
}

const GuideLocation& shown_location(const GuideState& state) {
  return state.visits[state.at].location;
}

bool can_step(const GuideState& state, int by) {
  return by < 0 ? state.at > 0 : state.at + 1 < state.visits.size();
}

void step_visits(GuideState& state, int by) {
  if (!can_step(state, by)) return;
  if (by < 0) --state.at;
  if (by > 0) ++state.at;
  state.arrives = true;
}

}  // namespace lab::view
