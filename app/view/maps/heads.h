#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/state/ui.h"

// What can be asked of the heads, wherever it is asked.

namespace lab::view {

/// What heads in that order are called: "by entropy", "by strongest pair" …
std::string order_text(HeadOrder order);
/// The metric that `order` orders by, as it stands in a thumbnail's title: "0.87 nats".
std::string metric_text(Ui& ui, HeadOrder order, int head);
/// The strongest pair off the diagonal: "it → animal"; "none" where every such weight is 0.
std::string strongest_text(Ui& ui, int head);
/// The heads, from 0, as their thumbnails stand: the largest of the metric first, equal ones by
/// their number, what is no number last.
std::vector<int> ordered_heads(Ui& ui);

/// How much of `head` reaches concat in the document that is read.
attention::HeadMix head_mix(const Ui& ui, int head);
/// Mutes the head or brings it back; one step of undo. Nothing while a kept state is read.
void toggle_mute(Ui& ui, int head);
/// Lets only this head (and others that are solo) through, or ends that; one step of undo.
void toggle_solo(Ui& ui, int head);

/// The attention weights of `head` in the document that is read: [seq_len × kv_len].
const attention::SharedMatrix& weights_of(const Ui& ui, int head);

/// The head whose thumbnail, or a switch of it, is in the keyboard's ring.
std::optional<int> head_in_ring(const Ui& ui);
/// The head that the keys M and S are meant for: the one in the ring, else the focused one.
int head_of_keys(const Ui& ui);

/// The head that is set against the focused one; the same one when there is no other.
int second_head(const Ui& ui);
/// Sets `head` against the focused one, and shows their difference unless both are shown already.
void pick_second_head(Ui& ui, int head);
/// True when the view shows two heads.
bool shows_two_heads(HeadView view);
/// The matrix that `view` shows, of weights or of their difference; of the views that show two
/// matrices the focused head's.
const attention::SharedMatrix& viewed_weights(Ui& ui, HeadView view);

}  // namespace lab::view
