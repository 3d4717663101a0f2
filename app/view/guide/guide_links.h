#pragma once

#include <optional>
#include <string>

#include "app/view/state/guide_state.h"

// The targets of links in the guide, and the history of visited pages.

namespace lab::view {

/// The page and heading of the guide that a link on the page `from` leads to, such as
/// "files.md#after-a-crash" or "#the-mask". Nothing if `target` is empty or outside of the guide's
/// folder. Does not check that it exists.
std::optional<GuideLocation> location_of_link(const std::string& target, const std::string& from);

/// The target of a link out of the guide: a web address, or a path in the source folder, such as
/// "core/README.md#variants".
std::string outside_path(const std::string& target);

/// Goes to `location` and discards the forward history. If it is already shown, scrolls to it.
void visit_location(GuideState& state, const GuideLocation& location);

/// What is shown now.
const GuideLocation& shown_location(const GuideState& state);

/// True if the history has a visit before (`by` = −1) or after (1) the current one.
bool can_step(const GuideState& state, int by);
/// Goes to that visit and restores its scroll position. Does nothing if there is none.
void step_visits(GuideState& state, int by);

}  // namespace lab::view
