#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/chat/conversation.h"

// The texts that a model reads: sentences, or conversations as its chat template writes them.

namespace lab {

struct ModelSource;
struct SetChat;

/// A text without a template around it: typed, or given as token ids.
struct PlainText {
  std::optional<std::string> text;  ///< unset: ids were given, or nothing was
  std::vector<std::uint32_t> ids;   ///< where no text is set
  bool operator==(const PlainText&) const = default;
};

/// A conversation that takes the place of a sentence.
struct ModelChat {
  bool on = false;                     ///< the model reads it; else it waits to be switched on
  std::vector<chat::Turn> turns = {};  ///< none: there is no conversation
  PlainText plain = {};                ///< while it is on: what is read without it
  std::vector<chat::RenderedPart> parts = {};  ///< while it is on: of ModelText::text
  bool operator==(const ModelChat&) const = default;
};

/// One of the texts that a model reads.
struct ModelText {
  std::optional<std::string> text;  ///< as typed, or what the chat template makes of the
                                    ///< conversation; unset: ids were given, or nothing was
  std::vector<std::uint32_t> ids;   ///< of its tokens
  ModelChat chat = {};
  bool operator==(const ModelText&) const = default;
};

/// The most bytes that the turns of a conversation can have together.
inline constexpr std::size_t kLongestConversation = std::size_t{1} << 20U;

inline constexpr const char* kSystemRole = "system";
inline constexpr const char* kUserRole = "user";
inline constexpr const char* kAssistantRole = "assistant";

/// True when conversations can be read as the model's chat template writes them; also of a template
/// that cannot be read, which rendered_chat() then says.
bool has_chat(const ModelSource& source);

/// The text in which the model reads a conversation, ending where the assistant's answer begins if
/// the last turn is the user's; its ids are not known yet. Fails with kBadInput when the model has
/// no chat template, or the template refuses the conversation.
Expected<ModelText> rendered_chat(const ModelSource& source, std::vector<chat::Turn> turns,
                                  PlainText plain);

/// `text` after the command; its ids are not known then where it has a text. A conversation that is
/// switched on without turns is what the user says: the text. Fails as rendered_chat() does.
Expected<ModelText> with_chat(const ModelSource& source, const ModelText& text,
                              const SetChat& command);

/// True when the model's chat template writes what a system turn before the user's says.
bool takes_system_turn(const ModelSource& source);

/// The ids of tokens with which the model's chat template ends an answer; none if it writes no
/// special token there.
std::vector<std::uint32_t> ends_of_answer(const ModelSource& source);

/// What the model reads when it answers: the whole text if the last turn is the user's, and what
/// stands before the end of the last turn if that is the assistant's; the ids are not known then.
/// Fails with kBadInput when it is neither. Precondition: chat.on.
Expected<ModelText> answer_prompt(const ModelSource& source, const ModelText& text);

/// The turns with the text of the tokens `added`, which the model wrote after `prompt`: a turn of
/// the assistant, or more of its last one. Special tokens among them stay, as the template reads
/// them. Fails as the tokenizer's decode() does. Precondition: `prompt` is answer_prompt() of
/// `text`, with its ids.
Expected<std::vector<chat::Turn>> with_answer(const ModelSource& source, const ModelText& text,
                                              const ModelText& prompt,
                                              const std::vector<std::uint32_t>& added);

}  // namespace lab
