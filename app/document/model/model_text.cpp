#include "app/document/model/model_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/base/strings.h"
#include "app/chat/template.h"
#include "app/document/commands/batch_commands.h"
#include "app/document/model/model_source.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using chat::RenderedPart;
using chat::Turn;

constexpr std::string_view kBlanks = " \t\r\n";

std::string without_blanks_before(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string() : text.substr(first);
}

std::string without_blanks_after(const std::string& text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Where the last part of turn `turn` ends; 0 when the text has none of it.
std::size_t end_of_turn(const std::vector<RenderedPart>& parts, std::size_t turn) {
  std::size_t end = 0;
  for (const RenderedPart& part : parts)
    if (part.turn == turn) end = part.end;
  return end;
}

Expected<void> check_chat(const ModelSource& source, const std::vector<Turn>& turns) {
  const auto refuse = [](std::string message) {
    return fail(ErrorType::kBadInput, std::move(message));
  };
  if (!has_chat(source)) return refuse(tr("this model has no chat template"));
  if (!source.chat_template) return refuse(source.chat_problem);
  if (turns.empty()) return refuse(tr("a conversation has at least one turn"));
  std::size_t bytes = 0;
  for (const Turn& turn : turns) bytes += turn.role.size() + turn.content.size();
  if (bytes > kLongestConversation)
    return refuse(
        tr("a conversation can have at most {} bytes", {std::to_string(kLongestConversation)}));
  return {};
}

Expected<chat::Rendered> render(const ModelSource& source, std::vector<Turn> turns) {
  const bool answers = turns.back().role == kUserRole;
  return source.chat_template->render({std::move(turns), answers});
}

// An answer as the content of a turn: many templates write a blank before it themselves.
std::string answer_content(const ModelSource& source, std::vector<Turn> turns,
                           const std::string& prompt, const std::string& answer) {
  const std::string said = prompt + without_blanks_after(answer);
  turns.push_back({kAssistantRole, {}});
  for (const std::string& content : {without_blanks_before(answer), answer}) {
    turns.back().content = content;
    const auto rendered = render(source, turns);
    if (rendered && rendered->text.starts_with(said)) return content;
  }
  return answer;
}

}  // namespace

bool has_chat(const ModelSource& source) {
  return source.tokenizer && !source.network.encoder &&
         (source.chat_template || !source.chat_problem.empty());
}

Expected<ModelText> rendered_chat(const ModelSource& source, std::vector<Turn> turns,
                                  PlainText plain) {
  if (auto able = check_chat(source, turns); !able) return tl::make_unexpected(able.error());
  auto rendered = render(source, turns);
  if (!rendered) return tl::make_unexpected(rendered.error());
  return ModelText{
      std::move(rendered->text),
      {},
      {true, std::move(turns), std::move(plain), std::move(rendered->parts)},
  };
}

Expected<ModelText> with_chat(const ModelSource& source, const ModelText& text,
                              const SetChat& command) {
  const ModelChat& before = text.chat;
  PlainText plain = before.plain;
  if (!before.on) plain = {text.text, text.text ? std::vector<std::uint32_t>() : text.ids};
  std::vector<Turn> turns = command.turns.value_or(before.turns);
  if (command.on.value_or(before.on)) {
    if (turns.empty() && !command.turns) turns.push_back({kUserRole, plain.text.value_or("")});
    return rendered_chat(source, std::move(turns), std::move(plain));
  }
  return ModelText{std::move(plain.text), std::move(plain.ids), {false, std::move(turns)}};
}

bool takes_system_turn(const ModelSource& source) {
  if (!has_chat(source) || !source.chat_template) return false;
  const auto rendered = render(source, {{kSystemRole, "s"}, {kUserRole, "u"}});
  return rendered && end_of_turn(rendered->parts, 0) > 0;
}

std::vector<std::uint32_t> ends_of_answer(const ModelSource& source) {
  if (!has_chat(source) || !source.chat_template) return {};
  const auto rendered = render(source, {{kUserRole, "u"}, {kAssistantRole, "a"}});
  const std::size_t end = rendered ? end_of_turn(rendered->parts, 1) : 0;
  if (end == 0) return {};
  const auto tokens = source.tokenizer->encode(rendered->text, {.add_special = false});
  if (!tokens) return {};
  for (const tokenizer::Token& token : *tokens)
    if (token.bytes.first >= end && source.tokenizer->pipeline().added.is_special(token.text))
      return {token.id};
  return {};
}

Expected<ModelText> answer_prompt(const ModelSource& source, const ModelText& text) {
  const std::vector<Turn>& turns = text.chat.turns;
  if (turns.back().role == kUserRole) return text;
  if (turns.back().role != kAssistantRole)
    return fail(ErrorType::kBadInput,
                tr("the conversation should end with a turn of the user or the assistant"));
  const std::size_t end = end_of_turn(text.chat.parts, turns.size() - 1);
  if (end == 0) return rendered_chat(source, {turns.begin(), turns.end() - 1}, text.chat.plain);
  ModelText prompt = text;
  prompt.text->resize(end);
  std::erase_if(prompt.chat.parts, [&](const RenderedPart& part) { return part.begin >= end; });
  prompt.ids.clear();
  return prompt;
}

Expected<std::vector<Turn>> with_answer(const ModelSource& source, const ModelText& text,
                                        const ModelText& prompt,
                                        const std::vector<std::uint32_t>& added) {
  const auto answer = source.tokenizer->decode_added(prompt.ids, added, false);
  if (!answer) return tl::make_unexpected(answer.error());
  std::vector<Turn> turns = text.chat.turns;
  if (turns.back().role != kAssistantRole) {
    std::string content = answer_content(source, turns, *prompt.text, *answer);
    turns.push_back({kAssistantRole, std::move(content)});
    return turns;
  }
  // Blanks at its end that the template left out were not read.
  std::string& content = turns.back().content;
  const bool cut = !content.empty() && !prompt.text->ends_with(content.back());
  content = (cut ? without_blanks_after(content) : content) + *answer;
  return turns;
}

}  // namespace lab
