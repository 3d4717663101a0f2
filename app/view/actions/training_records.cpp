#include <array>

#include "app/view/actions/action_records.h"
#include "app/view/maps/training_lines.h"
#include "app/view/session/training_actions.h"

namespace lab::view {
namespace {

bool is_training(const Ui& ui) { return ui.state.training.requested; }

const std::array kTrainingActions{
    Action{"training.run", "Model", "Train", plain(Key::kF8), is_training_document, is_training,
           toggle_training}
        .below_line()
        .found_by("start pause go on learn steps stop training"),
    Action{"training.step", "Model", "Take one training step", shift(Key::kF8),
           is_training_document, nullptr, take_training_step}
        .found_by("single learn"),
    Action{"training.back", "Model", "Kept step before", plain(Key::kF7), is_training_document,
           nullptr, [](Ui& ui) { go_to_next_kept(ui, false); }}
        .found_by("back earlier scrub training"),
    Action{"training.on", "Model", "Kept step after", shift(Key::kF7), is_training_document,
           nullptr, [](Ui& ui) { go_to_next_kept(ui, true); }}
        .found_by("forward later scrub training"),
    Action{"training.example", "Model", "Another example of the task", kNoChord,
           is_training_document, nullptr, another_example}
        .found_by("text new random training"),
    Action{"training.over", "Model", "Start training over", kNoChord, is_training_document, nullptr,
           start_over}
        .found_by("begin again reset options")};

}  // namespace

std::span<const Action> training_actions() { return kTrainingActions; }

}  // namespace lab::view
