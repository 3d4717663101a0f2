#include <array>

#include "app/view/action_records.h"
#include "app/view/heads.h"

namespace lab {
namespace {

HeadOrder& head_order(ViewState& state) { return state.heads.order; }
HeadView& head_view(ViewState& state) { return state.heads.view; }
TokenLines& token_lines(ViewState& state) { return state.tokens.lines; }

void show_next_head(Ui& ui) { ui.state.head = (ui.state.head + 1) % ui.problem().config.n_heads; }

bool is_muted(const Ui& ui) { return head_mix(ui, head_of_keys(ui)).mute; }
bool is_solo(const Ui& ui) { return head_mix(ui, head_of_keys(ui)).solo; }
bool has_two_heads(const Ui& ui) { return ui.problem().config.n_heads > 1; }

const std::array kActions{
    Action{"view.next_head", "Heads", "Next head", plain(Key::kH), nullptr, nullptr, show_next_head}
        .found_by("focus switch other"),
    Action{"heads.mute", "Heads", "Mute head", plain(Key::kM), nullptr, is_muted,
           [](Ui& ui) { toggle_mute(ui, head_of_keys(ui)); }}
        .found_by("off disable ablate silence remove knock out"),
    Action{"heads.solo", "Heads", "Solo head", plain(Key::kS), nullptr, is_solo,
           [](Ui& ui) { toggle_solo(ui, head_of_keys(ui)); }}
        .found_by("only alone isolate single"),
    Action{"heads.focused", "Heads", "The focused head alone", kNoChord, nullptr,
           is_chosen<head_view, HeadView::kFocused>, choose<head_view, HeadView::kFocused>}
        .found_by("one single compare off")
        .below_line(),
    Action{"heads.mean", "Heads", "Mean of all heads", kNoChord, nullptr,
           is_chosen<head_view, HeadView::kMean>, choose<head_view, HeadView::kMean>}
        .found_by("average combine aggregate compare"),
    Action{"heads.maximum", "Heads", "Maximum of all heads", kNoChord, nullptr,
           is_chosen<head_view, HeadView::kMaximum>, choose<head_view, HeadView::kMaximum>}
        .found_by("max largest combine aggregate compare"),
    Action{"heads.difference", "Heads", "Difference of two heads", kNoChord, has_two_heads,
           is_chosen<head_view, HeadView::kDifference>, choose<head_view, HeadView::kDifference>}
        .found_by("compare subtract delta minus contrast"),
    Action{"heads.beside", "Heads", "Two heads side by side", kNoChord, has_two_heads,
           is_chosen<head_view, HeadView::kBeside>, choose<head_view, HeadView::kBeside>}
        .found_by("compare two next to split"),
    Action{"heads.overlaid", "Heads", "Two heads overlaid", kNoChord, has_two_heads,
           is_chosen<head_view, HeadView::kOverlaid>, choose<head_view, HeadView::kOverlaid>}
        .found_by("compare two overlay on top superimpose discs"),
    Action{"heads.by_number", "Heads", "Order by number", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kNumber>, choose<head_order, HeadOrder::kNumber>}
        .found_by("sort heads")
        .below_line(),
    Action{"heads.by_entropy", "Heads", "Order by entropy", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kEntropy>, choose<head_order, HeadOrder::kEntropy>}
        .found_by("sort heads focus spread"),
    Action{"heads.by_strongest", "Heads", "Order by strongest pair", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kStrongest>, choose<head_order, HeadOrder::kStrongest>}
        .found_by("sort heads maximum"),
    Action{"heads.by_diagonal", "Heads", "Order by weight on the diagonal", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kDiagonal>, choose<head_order, HeadOrder::kDiagonal>}
        .found_by("sort heads self"),
    Action{"heads.by_previous", "Heads", "Order by weight on the previous token", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kPrevious>, choose<head_order, HeadOrder::kPrevious>}
        .found_by("sort heads"),
    Action{"heads.by_first", "Heads", "Order by weight on the first token", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kFirst>, choose<head_order, HeadOrder::kFirst>}
        .found_by("sort heads sink"),
    Action{"heads.by_shift", "Heads", "Order by how far muting moves the output", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kShift>, choose<head_order, HeadOrder::kShift>}
        .found_by("sort heads importance ablation"),
    // The choice in the Tokens card.
    Action{"tokens.query", "Tokens", "Lines of the selected query", kNoChord, nullptr,
           is_chosen<token_lines, TokenLines::kQuery>, choose<token_lines, TokenLines::kQuery>}
        .found_by("arcs attention row"),
    Action{"tokens.all", "Tokens", "Lines of every query", kNoChord, nullptr,
           is_chosen<token_lines, TokenLines::kAll>, choose<token_lines, TokenLines::kAll>}
        .found_by("arcs attention every"),
    Action{"tokens.heads", "Tokens", "Lines of several heads", kNoChord, nullptr,
           is_chosen<token_lines, TokenLines::kHeads>, choose<token_lines, TokenLines::kHeads>}
        .found_by("arcs attention colours"),
};

}  // namespace

std::span<const Action> heads_actions() { return kActions; }

}  // namespace lab
