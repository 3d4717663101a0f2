#include <array>

#include "app/view/actions/action_records.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/moves.h"

namespace lab::view {
namespace {

bool asks_what_moves(const Ui& ui) { return ui.state.moves.on; }
bool holds_question(const Ui& ui) { return ui.state.moves.on && ui.state.moves.held; }
void toggle_held(Ui& ui) { ui.state.moves.held = !ui.state.moves.held; }

const std::array kMovesActions{
    Action{"explain.moves", "Explain", "What moves this?", plain(Key::kW), nullptr, asks_what_moves,
           toggle_moves}
        .found_by("sensitivity gradient derivative saliency influence why change")
        .below_line(),
    Action{"explain.hold", "Explain", "Keep the question while selecting", shift(Key::kW),
           asks_what_moves, holds_question, toggle_held}
        .found_by("sensitivity gradient hold lock pin look around"),
    Action{"explain.moves_cell", "Explain", "What moves the selected cell?", kNoChord, nullptr,
           nullptr, ask_about_selected}
        .found_by("sensitivity gradient derivative saliency influence"),
    Action{"explain.moves_answer", "Explain", "What moves the answer?", kNoChord, has_model,
           nullptr, ask_about_answer}
        .found_by("sensitivity gradient derivative saliency logit model token"),
};

}  // namespace

std::span<const Action> moves_actions() { return kMovesActions; }

}  // namespace lab::view
