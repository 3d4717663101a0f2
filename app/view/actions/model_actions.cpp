#include <array>

#include "app/base/wording.h"
#include "app/view/actions/action_records.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/second_sentence.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/maps/training_lines.h"
#include "app/view/present/present.h"
#include "app/view/session/training_actions.h"

namespace lab::view {
namespace {

using attention::Config;
using attention::Positions;

const Config& config(const Ui& ui) { return ui.edited().problem.config; }

void open_in_left_column(Ui& ui, const char* popup) {
  show_left_column(ui);
  ui.state.requests.ask(request::OpenPopup{popup});
}

void open_variants(Ui& ui) { open_in_left_column(ui, "menu/Variants"); }

void type_temperature(Ui& ui) {
  if (!commit_pending(ui)) return;
  show_left_column(ui);
  ui.state.temperature_text = shortest(config(ui).temperature);
  ui.state.requests.ask(request::GiveKeyboard{TextField::kNumber});
}

template <Positions type>
bool has_positions(const Ui& ui) {
  return config(ui).positions == type;
}
template <Positions type>
void use_positions(Ui& ui) {
  ui.queue(intent::Apply{SetPositions{.type = type}});
}

// A switch of the layer, by its command.
template <typename Set>
bool is_on(const Ui& ui) {
  return config(ui).*Set::kSwitch.on;
}
template <typename Set>
void toggle(Ui& ui) {
  ui.queue(intent::Apply{Set{!is_on<Set>(ui)}});
}

bool is_causal(const Ui& ui) { return config(ui).mask.causal; }
void toggle_causal(Ui& ui) { ui.queue(intent::Apply{SetMask{!is_causal(ui)}}); }

const std::array kModelActions{
    Action{"model.variants", "Model", "All variants…", kNoChord, nullptr, nullptr, open_variants}
        .found_by("options settings switches configuration architecture model"),
    Action{"model.d_model", "Model", "Size d_model…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_in_left_column(ui, "model/d_model"); }}
        .below_line()
        .found_by("dimension width embedding hidden features"),
    Action{"model.n_heads", "Model", "Number of heads…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_in_left_column(ui, "model/n_heads"); }}
        .found_by("n_heads h count multi-head size"),
    Action{"model.d_k", "Model", "Size d_k of each head…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_in_left_column(ui, "model/d_k"); }}
        .found_by("dimension query key"),
    Action{"model.d_v", "Model", "Size d_v of each head…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_in_left_column(ui, "model/d_v"); }}
        .found_by("dimension value"),
    Action{"model.n_kv_heads", "Model", "Key and value heads…", kNoChord, nullptr, nullptr,
           open_variants}
        .found_by("n_kv_heads shared grouped multi query attention gqa mqa"),
    Action{"model.scale", "Model", "Scale by √d_k", kNoChord, nullptr, is_on<SetScale>,
           toggle<SetScale>}
        .below_line()
        .found_by("scaling scaled divide square root sqrt dot product"),
    Action{"model.temperature", "Model", "Temperature…", kNoChord, nullptr, nullptr,
           type_temperature}
        .found_by("softmax sharp soft scale"),
    Action{"model.causal", "Model", "Causal mask", kNoChord, nullptr, is_causal, toggle_causal}
        .below_line()
        .found_by("decoder future autoregressive triangular masking masked"),
    Action{"model.mask_rules", "Model", "Window of keys, only the first keys…", kNoChord, nullptr,
           nullptr, open_variants}
        .found_by("mask sliding local padding rules"),
    Action{"model.paint_mask", "Model", "Paint the mask", kNoChord, nullptr, nullptr,
           [](Ui& ui) { show_matrix(ui, MatrixId::kMask); }}
        .found_by("draw cells forbid allow masking edit"),
    Action{"model.score_bias", "Model", "Score bias", kNoChord, nullptr, nullptr,
           [](Ui& ui) { show_matrix(ui, MatrixId::kScoreBias); }}
        .found_by("added scores mask relative edit"),
    Action{"model.no_positions", "Model", "No positions", kNoChord, nullptr,
           has_positions<Positions::kNone>, use_positions<Positions::kNone>}
        .below_line()
        .found_by("position encoding embedding off nope none"),
    Action{"model.sinusoidal", "Model", "Sinusoidal positions", kNoChord, nullptr,
           has_positions<Positions::kSinusoidal>, use_positions<Positions::kSinusoidal>}
        .found_by("position encoding embedding sine cosine absolute"),
    Action{"model.learned", "Model", "Learned positions", kNoChord, nullptr,
           has_positions<Positions::kLearned>, use_positions<Positions::kLearned>}
        .found_by("position encoding embedding table absolute"),
    Action{"model.rotary", "Model", "Rotary positions", kNoChord, nullptr,
           has_positions<Positions::kRotary>, use_positions<Positions::kRotary>}
        .found_by("position encoding embedding rope rotation relative"),
    Action{"model.alibi", "Model", "ALiBi positions", kNoChord, nullptr,
           has_positions<Positions::kAlibi>, use_positions<Positions::kAlibi>}
        .found_by("position encoding linear bias distance relative"),
    Action{"model.residual", "Model", "Residual connection", kNoChord, nullptr, is_on<SetResidual>,
           toggle<SetResidual>}
        .below_line()
        .found_by("skip add shortcut stream"),
    Action{"model.layer_norm", "Model", "Layer norm", kNoChord, nullptr, is_on<SetLayerNorm>,
           toggle<SetLayerNorm>}
        .found_by("layernorm normalisation normalization ln gamma beta add norm"),
    Action{"model.head_norm", "Model", "Norm of queries and keys", kNoChord, nullptr,
           is_on<SetHeadNorm>, toggle<SetHeadNorm>}
        .found_by("qk norm rms normalisation normalization norm_Q norm_K qwen gemma"),
    Action{"model.score_cap", "Model", "Cap of scores…", kNoChord, nullptr, nullptr, open_variants}
        .found_by("soft cap softcap tanh logits gemma"),
    Action{"model.sink", "Model", "Attention sinks", kNoChord, nullptr, is_on<SetSink>,
           toggle<SetSink>}
        .found_by("sink softmax off by one null token gpt-oss"),
    Action{"model.biases", "Model", "Biases", kNoChord, nullptr, is_on<SetBiases>,
           toggle<SetBiases>}
        .found_by("bias b_Q b_K b_V b_O offset"),
    Action{"model.dropout", "Model", "Dropout…", kNoChord, nullptr, nullptr, open_variants}
        .found_by("drop rate seed regularisation random"),
    Action{"edit.cross", "Model", "Cross-attention (a second sentence)", kNoChord, nullptr,
           is_cross, toggle_cross}
        .below_line()
        .found_by("encoder decoder keys values source translation self-attention"),
    Action{"edit.shared_words", "Model", "Equal words share one vector", kNoChord, is_cross,
           shares_words, toggle_shared_words}
        .found_by("second sentence embedding keys same words apart own X_kv"),
    Action{"model.tokens", "Model", "How the sentence is split into tokens…", kNoChord, nullptr,
           nullptr,
           [](Ui& ui) {
             if (ui.state.present.on) toggle_present(ui);
             ui.state.requests.ask(request::OpenPopup{"menu/Tokens"});
           }}
        .found_by("tokenizer tokeniser tokenization words characters bytes split"),
};

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

std::span<const Action> model_actions() { return kModelActions; }

std::span<const Action> training_actions() { return kTrainingActions; }

}  // namespace lab::view
