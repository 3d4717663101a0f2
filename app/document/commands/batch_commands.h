#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/chat/conversation.h"
#include "app/document/commands/command_fields.h"

namespace lab {

struct Document;

// The edits of a batch of sentences, see command.h and batch.h; of a model see model_batch.h. And
// of the conversation that a model reads in place of a sentence, see model_text.h.

/// A new sentence after the present one, with the same second one; it is shown then.
struct AddSentence {
  std::string text;

  static constexpr std::string_view kName = "add_sentence";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& command, auto&& visit) { visit("text", command.text); }
};
/// Fails when the batch is full, and as for SetSentence.
Expected<Document> reduce(const Document& document, const AddSentence& command);

/// Removes the sentence that is shown; the next one is shown then, or the last.
struct RemoveSentence {
  static constexpr std::string_view kName = "remove_sentence";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& /*command*/, auto&& /*visit*/) {}
};
/// Fails when it is the only one.
Expected<Document> reduce(const Document& document, const RemoveSentence& command);

/// Shows another sentence of the batch.
struct GoToSentence {
  int sentence = 0;  ///< from 0

  static constexpr std::string_view kName = "go_to_sentence";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& command, auto&& visit) {
    visit("sentence", CountedFromOne(command.sentence));
  }
};
/// Fails when there is no such sentence, or it does not fit.
Expected<Document> reduce(const Document& document, const GoToSentence& command);

/// Whether every sentence is padded to the length of the longest one; no query attends to padding.
/// Refused in a trained model, which reads each text at its own length: the mask hides padding, so
/// the numbers of all other tokens would be the same.
struct SetPadding {
  bool on = true;

  static constexpr std::string_view kName = "set_padding";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& command, auto&& visit) { visit("on", command.on); }
};
/// Fails when the padded sentences do not fit.
Expected<Document> reduce(const Document& document, const SetPadding& command);

/// The conversation that a model reads, as its chat template writes it, in place of the sentence.
struct SetChat {
  std::optional<bool> on = {};
  std::optional<std::vector<chat::Turn>> turns = {};

  static constexpr std::string_view kName = "set_chat";
  static constexpr ModelComponent kComponent = ModelComponent::kSentence;
  static void fields(auto& command, auto&& visit) {
    visit("on", command.on);
    visit("turns", command.turns);
  }
};
/// Fails: only models have chat templates, see with_chat().
Expected<Document> reduce(const Document& document, const SetChat& command);

}  // namespace lab
