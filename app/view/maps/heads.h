#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/state/ui.h"

// Information about the heads, and actions on them, for all panels.

namespace lab::view {

/// What measures of heads read: what is shown, without the padding of its sentence.
struct Measured {
  const attention::Problem& problem;
  const attention::Trace& trace;
};
Measured measured(Ui& ui);

/// The name of that order: "by entropy", "by strongest pair" …
std::string order_text(HeadOrder order);
/// The metric of `order`, as shown in a thumbnail's title: "0.87 nats".
std::string metric_text(Ui& ui, HeadOrder order, int head);
/// The strongest pair off the diagonal: "it → animal"; "none" where every such weight is 0.
std::string strongest_text(Ui& ui, int head);
/// The heads, from 0, in the order of their thumbnails: the largest metric first, ties by number,
/// NaN last.
std::vector<int> ordered_heads(Ui& ui);

/// The heads that are part of the mean and the maximum, because nothing silences them: "heads 1,
/// 3".
std::string active_heads_text(const Ui& ui);
/// Their numbers alone: "1, 3".
std::string active_head_numbers(const Ui& ui);
/// True when that is every head.
bool all_are_active(const Ui& ui);
/// "head 1" while the map of weights shows the mean or the maximum of heads, for the card there
/// that shows the focused head nevertheless, and records that it says so as "own_head/CARD";
/// otherwise empty.
std::string own_head_note(Ui& ui, const std::string& card, const Rect& place);

/// The mix of `head` in the document that is shown.
attention::HeadMix head_mix(const Ui& ui, int head);
/// Mutes or unmutes the head; one undo step. Does nothing while a kept state is shown.
void toggle_mute(Ui& ui, int head);
/// Makes the head solo, which unmutes it, or ends that; one undo step.
void toggle_solo(Ui& ui, int head);
/// Why a head that is not solo is silent: "head 2 is solo", "others are solo".
std::string solo_text(const Ui& ui);

/// The attention weights of `head` in the document that is shown: [seq_len × kv_len].
const attention::SharedMatrix& weights_of(const Ui& ui, int head);

/// The head whose thumbnail or switch has the keyboard focus.
std::optional<int> head_with_focus(const Ui& ui);
/// The head that the keys M and S act on: the one with the keyboard focus, otherwise the focused
/// one.
int head_of_keys(const Ui& ui);

/// The head that is compared with the focused one; the focused one when there is no other.
int second_head(const Ui& ui);
/// The heads that are compared: the focused one, the second, then the further ones.
std::vector<int> compared_heads(const Ui& ui);
/// Compares `head` with the focused one, and shows their difference unless both are shown already.
/// While heads are side by side, adds it to them or takes it away.
void pick_second_head(Ui& ui, int head);
/// Puts one more head, or one fewer, side by side with the focused one; none of them is the end.
void compare_one_more(Ui& ui);
void compare_one_fewer(Ui& ui);
/// Puts all heads side by side.
void compare_all_heads(Ui& ui);
/// True when the view shows two heads.
bool shows_two_heads(HeadView view);
/// The matrix that `view` shows, weights or their difference; for views of two matrices, the
/// focused head's.
const attention::SharedMatrix& viewed_weights(Ui& ui, HeadView view);

}  // namespace lab::view
