#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/document/model/model_command.h"

// Trained models in the steps of a lesson: opening them, showing a layer, and editing them.

namespace lab::lessons {

/// What a step opens: an example or session, or a built-in model with the text that it reads.
struct LessonSource {
  std::string name;
  std::optional<std::string> text = {};  ///< unset: none is written
};

/// Reads `words "The cat sat on the"`, or the name alone.
LessonSource lesson_source(std::string_view text);

/// True when `name` is a built-in model.
bool is_built_in_model(const std::string& name);

/// The first layer of a built-in model on this text, or on an example text. Fails with kBadInput
/// when the model cannot read it. Precondition: is_built_in_model().
Expected<Document> open_lesson_model(const LessonSource& source);

/// True for "train:repeat" and the like: a network that is trained in the lesson.
bool is_training_source(const std::string& name);

/// The network of such a source at step 0. Its text, if there is one, has options that differ from
/// the default ones of the task: "layers=2 heads=2 d_model=32 vocabulary=12 length=16 batch=32
/// rate=0.01 seed=7". Fails with kBadInput saying which is wrong.
Expected<Document> open_lesson_training(const LessonSource& source);

/// Reads an edit as `--record` writes it; in a line that names a layer of a trained model, heads
/// count from 0. Or one of the short ones of a trained model: "mute L0H0", "gain L0H0 0.5", "text
/// The cat sat", "train 400", up to that step. Fails with kBadInput.
Expected<ModelCommand> read_edit(std::string_view line);

/// The document after an edit; a layer of a model stays the one that it is. Fails as lab::apply()
/// does, and with kBadInput when the edit names a layer and the document has none.
Expected<Document> edited(const Document& document, const ModelCommand& edit);

/// What was done, as the history names it: "L0H0 muted". Precondition: `after` is edited().
std::string edit_label(const ModelCommand& edit, const Document& before, const Document& after);

/// The same model at another layer. Throws BadInput if it has no such. Precondition: the document
/// is a layer of a model.
Document at_layer(const Document& document, const attention::network::LayerId& at);

}  // namespace lab::lessons
