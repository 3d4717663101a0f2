#pragma once

#include <memory>
#include <string>

#include "app/base/error.h"
#include "app/chat/template.h"
#include "app/tokenizer/tokenizer.h"

namespace lab::files {

/// The chat template of the model at `path`, its folder or its GGUF file, whose tokenizer is
/// `opened`. In a folder it is chat_template.jinja, or else the chat_template of
/// tokenizer_config.json, of several the one called "default"; its variables are the special tokens
/// that transformers finds there. Null when the model has none. Fails with kIo when a file cannot
/// be read, and with kBadInput when it is damaged, when there are several templates and none is the
/// default, or as Template::parse() does.
Expected<std::shared_ptr<const chat::Template>> chat_template_at(
    const std::string& path, const tokenizer::Tokenizer& opened);

/// A conversation of one question: the instruction `system`, unless it is null, and what the user
/// says, which the assistant is to answer.
chat::Conversation question_of(const std::string& user, const std::string* system);

}  // namespace lab::files
