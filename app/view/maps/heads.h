#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/heads.h"
#include "app/view/state/ui.h"

// Information about the heads, and actions on them, for all panels.

namespace lab::view {

/// What measures of heads read: what is shown, without the padding of its sentence.
struct Measured {
  const attention::Problem& problem;
  const attention::Trace& trace;
};
/// The layer that is shown; where its sentence is padded, a copy without the padding, which is
/// valid in this frame.
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
std::string own_head_note(Ui& ui, const std::string& card, const Rect& bounds);

/// The head that the panels are about, of the layer that is shown.
HeadRef focused_head(const Ui& ui);
/// The heads that are selected, and the focused one before them.
std::vector<HeadRef> chosen_heads(const Ui& ui);
/// Selects the head, or ends that.
void toggle_chosen(Ui& ui, const HeadRef& head);
/// True when it is selected.
bool is_chosen(const Ui& ui, const HeadRef& head);
/// The head whose thumbnail, switch or tile has the keyboard focus.
std::optional<HeadRef> head_with_focus(const Ui& ui);
/// The heads that the keys M, S, K and G act on: the one whose thumbnail or tile has the keyboard
/// focus, else chosen_heads().
std::vector<HeadRef> heads_of_keys(const Ui& ui);

/// Mutes these heads, or unmutes them if all are muted; one undo step. Does nothing while a kept
/// state is shown, like all edits here.
void toggle_mutes(Ui& ui, const std::vector<HeadRef>& heads);
/// The same for solo; a muted head that becomes solo is unmuted.
void toggle_solos(Ui& ui, const std::vector<HeadRef>& heads);
/// Multiplies what these heads write; one undo step.
void set_gains(Ui& ui, const std::vector<HeadRef>& heads, float gain);
/// Marks these heads, or removes the marks if all have one. No edit: marks are kept with the view.
void toggle_marks(Ui& ui, const std::vector<HeadRef>& heads);
/// True when it has a mark.
bool is_marked(const Ui& ui, const HeadRef& head);
/// The names of these heads of the document as last edited, for the label of a step: it is asked
/// for again when the language changes. Precondition: there is one.
std::function<std::string()> names_for_label(const Ui& ui, const std::vector<HeadRef>& heads);
/// The merge_key of edits that are queued together and are one step.
std::string key_of_step(const Ui& ui);
/// Why a head of a layer made by hand that is not solo is silent: "head 2 is solo", "others are
/// solo".
std::string solo_text(const Ui& ui);

/// "head/2" of a layer made by hand, "tile/9/3" of a trained model: the widget of the head.
std::string widget_of_head(const Ui& ui, const HeadRef& head);
/// The popup with more to do with the head HeadsState::menu.
inline constexpr const char* kHeadMenu = "menu/Tile";

/// The attention weights of `head` in the document that is shown: [seq_len × kv_len].
const attention::SharedMatrix& weights_of(const Ui& ui, int head);

/// The head that is compared with the focused one; the focused one when there is no other.
int second_head(const Ui& ui);
/// The heads that are compared: the focused one, the second, then the further ones.
std::vector<int> compared_heads(const Ui& ui);
/// Compares `head` with the focused one, and shows their difference unless both are shown already.
/// While heads are side by side, adds it to them or takes it away.
void pick_second_head(Ui& ui, int head);
/// Puts one more head, or one fewer, side by side with the focused one; none of them is the end.
void compare_one_more(Ui& ui);
/// Takes the last of them away.
void compare_one_fewer(Ui& ui);
/// Puts all heads side by side.
void compare_all_heads(Ui& ui);
/// True when the view shows two heads.
bool shows_two_heads(HeadView view);
/// The matrix that `view` shows, weights or their difference; for views of two matrices, the
/// focused head's.
const attention::SharedMatrix& viewed_weights(Ui& ui, HeadView view);

}  // namespace lab::view
