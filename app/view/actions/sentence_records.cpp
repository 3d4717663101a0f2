#include <array>

#include "app/view/actions/action_records.h"
#include "app/view/sentence/batch_menu.h"
#include "app/view/sentence/chat_turns.h"

namespace lab::view {
namespace {

const std::array kSentenceActions{
    Action{"sentence.next", "Edit", "Next sentence", ctrl(Key::kTab), has_batch, nullptr,
           [](Ui& ui) { go_by_sentences(ui, 1); }}
        .found_by("batch other text switch")
        .below_line(),
    Action{"sentence.previous", "Edit", "Previous sentence", ctrl_shift(Key::kTab), has_batch,
           nullptr, [](Ui& ui) { go_by_sentences(ui, -1); }}
        .found_by("batch other text switch"),
    Action{"sentence.add", "Edit", "Add a sentence", kNoChord, can_add_sentence, nullptr,
           add_sentence}
        .found_by("batch several more texts new"),
    Action{"sentence.remove", "Edit", "Remove this sentence", kNoChord, has_batch, nullptr,
           remove_sentence}
        .found_by("batch delete text"),
    Action{"sentence.pad", "Edit", "Pad all to the longest", kNoChord, can_pad, has_padding,
           toggle_padding}
        .found_by("batch padding mask length"),
    Action{"sentence.chat", "Edit", "Chat in place of a sentence", kNoChord, can_chat, is_chat,
           toggle_chat}
        .found_by("conversation turns template instruct assistant user system message dialogue"),
};

}  // namespace

std::span<const Action> sentence_actions() { return kSentenceActions; }

}  // namespace lab::view
