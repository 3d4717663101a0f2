#include <array>

#include "app/view/actions/action_records.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/session/file_actions.h"

namespace lab::view {
namespace {

bool in_lesson(const Ui& ui) { return lesson_is_open(ui.state); }

const std::array kHelpActions{
    Action{"help.lessons", "Help", "Lessons…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { ui.state.requests.ask(request::OpenPopup{"lessons"}); }}
        .found_by("learn teach course tutorial exercise class"),
    Action{"lesson.next", "Help", "Next step of the lesson", ctrl(Key::kPageDown), in_lesson,
           nullptr, next_step}
        .found_by("forward continue"),
    Action{"lesson.back", "Help", "Previous step of the lesson", ctrl(Key::kPageUp), in_lesson,
           nullptr, previous_step}
        .found_by("back previous"),
    Action{"lesson.answers", "Help", "Save my answers…", kNoChord, in_lesson, nullptr,
           ask_answers_path}
        .found_by("results csv table lesson"),
    Action{"lesson.leave", "Help", "Leave the lesson", kNoChord, in_lesson, nullptr,
           [](Ui& ui) { leave_lesson(ui); }}
        .found_by("quit end stop exit own work"),
    Action{"help.guide", "Help", "Guide", kNoChord, nullptr, nullptr, open_guide}
        .found_by("manual help documentation handbook how")
        .below_line(),
    Action{"help.commands", "Help", "All commands…", ctrl(Key::kK), nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kCommands); }}
        .found_by("palette search find"),
    Action{"help.shortcuts", "Help", "Keys and mouse", plain(Key::kF1), nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kShortcuts); }}
        .found_by("help keyboard hotkeys bindings controls manual"),
    Action{"help.about", "Help", "About Attention Lab", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kAbout); }}
        .found_by("version formula paper information")
        .below_line(),
};

}  // namespace

std::span<const Action> help_actions() { return kHelpActions; }

}  // namespace lab::view
