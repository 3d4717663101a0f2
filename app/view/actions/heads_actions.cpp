#include <array>

#include "app/view/actions/action_records.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/navigation.h"

namespace lab::view {
namespace {

HeadOrder& head_order(ViewState& state) { return state.heads.order; }
HeadView& head_view(ViewState& state) { return state.heads.view; }
TokenLines& token_lines(ViewState& state) { return state.tokens.lines; }

void show_next_head(Ui& ui) { ui.state.head = (ui.state.head + 1) % ui.problem().config.n_heads; }

// What is done to the first of the heads that the keys act on.
attention::HeadMix mix_of_keys(const Ui& ui) {
  return head_mix(ui.document(), heads_of_keys(ui).front());
}
bool is_muted(const Ui& ui) { return mix_of_keys(ui).mute; }
bool is_solo(const Ui& ui) { return mix_of_keys(ui).solo; }
void mute(Ui& ui) { toggle_mutes(ui, heads_of_keys(ui)); }
void solo(Ui& ui) { toggle_solos(ui, heads_of_keys(ui)); }
bool is_marked_head(const Ui& ui) { return is_marked(ui, heads_of_keys(ui).front()); }
void open_head_menu(Ui& ui) {
  ui.state.heads.menu = heads_of_keys(ui).front();
  ui.state.requests.ask(request::OpenPopup{kHeadMenu});
}
bool has_layers(const Ui& ui) { return has_model(ui) || has_array_layers(ui); }
// The menu is at the thumbnail or tile of the head.
bool shows_heads(const Ui& ui) { return !ui.state.inspection.large && !ui.state.present.on; }
bool has_two_heads(const Ui& ui) { return ui.problem().config.n_heads > 1; }

const std::array kHeadsActions{
    Action{"view.next_head", "Heads", "Next head", plain(Key::kH), nullptr, nullptr, show_next_head}
        .found_by("focus switch other"),
    Action{"model.layer_up", "Heads", "Layer before", plain(Key::kPageUp), has_layers, nullptr,
           [](Ui& ui) { go_to_layer(ui, -1); }}
        .found_by("previous layer up model"),
    Action{"model.layer_down", "Heads", "Layer after", plain(Key::kPageDown), has_layers, nullptr,
           [](Ui& ui) { go_to_layer(ui, 1); }}
        .found_by("next layer down model"),
    Action{"heads.mute", "Heads", "Mute head", plain(Key::kM), nullptr, is_muted, mute}.found_by(
        "off disable ablate silence remove knock out"),
    Action{"heads.solo", "Heads", "Solo head", plain(Key::kS), nullptr, is_solo, solo}.found_by(
        "only alone isolate single"),
    Action{"heads.mark", "Heads", "Mark head", plain(Key::kK), nullptr, is_marked_head,
           [](Ui& ui) { toggle_marks(ui, heads_of_keys(ui)); }}
        .found_by("star flag remember note"),
    Action{"heads.more", "Heads", "Gain, patch and more…", plain(Key::kG), shows_heads, nullptr,
           open_head_menu}
        .found_by("scale strength menu patch head"),
    Action{"tiles.larger", "Heads", "Larger tiles", kNoChord, has_model, nullptr,
           [](Ui& ui) { zoom_tiles(ui, 1); }}
        .found_by("zoom layers heads maps"),
    Action{"tiles.smaller", "Heads", "Smaller tiles", kNoChord, has_model, nullptr,
           [](Ui& ui) { zoom_tiles(ui, -1); }}
        .found_by("zoom layers heads maps"),
    one_of<head_view, HeadView::kFocused>("heads.focused", "Heads", "The focused head alone")
        .found_by("one single compare off")
        .below_line(),
    one_of<head_view, HeadView::kMean>("heads.mean", "Heads", "Mean of all heads")
        .found_by("average combine aggregate compare"),
    one_of<head_view, HeadView::kMaximum>("heads.maximum", "Heads", "Maximum of all heads")
        .found_by("max largest combine aggregate compare"),
    one_of<head_view, HeadView::kDifference>("heads.difference", "Heads", "Difference of heads",
                                             has_two_heads)
        .found_by("compare subtract delta minus contrast"),
    one_of<head_view, HeadView::kBeside>("heads.beside", "Heads", "Heads side by side",
                                         has_two_heads)
        .found_by("compare two next to split"),
    Action{"heads.all_beside", "Heads", "All heads side by side", kNoChord, has_two_heads, nullptr,
           compare_all_heads}
        .found_by("compare every three more grid next to"),
    Action{"heads.more_beside", "Heads", "One more head side by side", plain(Key::kB),
           has_two_heads, nullptr, compare_one_more}
        .found_by("compare add three next to"),
    Action{"heads.fewer_beside", "Heads", "One head fewer side by side", shift(Key::kB),
           has_two_heads, nullptr, compare_one_fewer}
        .found_by("compare remove less"),
    one_of<head_view, HeadView::kOverlaid>("heads.overlaid", "Heads", "Two heads overlaid",
                                           has_two_heads)
        .found_by("compare two overlay on top superimpose discs"),
    one_of<head_order, HeadOrder::kNumber>("heads.by_number", "Heads", "Order by number")
        .found_by("sort heads")
        .below_line(),
    one_of<head_order, HeadOrder::kEntropy>("heads.by_entropy", "Heads", "Order by entropy")
        .found_by("sort heads focus spread"),
    one_of<head_order, HeadOrder::kStrongest>("heads.by_strongest", "Heads",
                                              "Order by strongest pair")
        .found_by("sort heads maximum"),
    one_of<head_order, HeadOrder::kDiagonal>("heads.by_diagonal", "Heads",
                                             "Order by weight on the diagonal")
        .found_by("sort heads self"),
    one_of<head_order, HeadOrder::kPrevious>("heads.by_previous", "Heads",
                                             "Order by weight on the previous token")
        .found_by("sort heads"),
    one_of<head_order, HeadOrder::kFirst>("heads.by_first", "Heads",
                                          "Order by weight on the first token")
        .found_by("sort heads sink"),
    one_of<head_order, HeadOrder::kShift>("heads.by_shift", "Heads",
                                          "Order by how far muting moves the output")
        .found_by("sort heads importance ablation"),
    // The choice in the Tokens card.
    one_of<token_lines, TokenLines::kQuery>("tokens.query", "Tokens", "Lines of the selected query")
        .found_by("arcs attention row"),
    one_of<token_lines, TokenLines::kAll>("tokens.all", "Tokens", "Lines of every query")
        .found_by("arcs attention every"),
    one_of<token_lines, TokenLines::kHeads>("tokens.heads", "Tokens", "Lines of several heads")
        .found_by("arcs attention colours"),
};

}  // namespace

std::span<const Action> heads_actions() { return kHeadsActions; }

}  // namespace lab::view
