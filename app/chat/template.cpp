#include "app/chat/template.h"

#include <algorithm>
#include <limits>

#include "app/base/unicode_text.h"
#include "app/chat/evaluation.h"
#include "app/chat/parser.h"

namespace lab::chat {
namespace {

using nlohmann::ordered_json;
using Names = std::vector<std::pair<std::string, Value>>;

// The mark of the content of turn `i`; the last turns of very long conversations share one.
Mark mark_of(std::size_t i) {
  constexpr std::size_t kMost = std::numeric_limits<Mark>::max();
  return static_cast<Mark>(std::min(i + 1, kMost));
}

Value message(const Turn& turn, Mark mark) {
  return dict_value({{text_value(std::string("role")), text_value(turn.role)},
                     {text_value(std::string("content")), text_value(turn.content, mark)}});
}

// A message with its content marked, however deep the texts in it stand.
Value message(const ordered_json& json, Mark mark) {
  if (!json.is_object()) throw BadInput("a message is no object");
  std::vector<std::pair<Value, Value>> members;
  for (const auto& [key, value] : json.items())
    members.emplace_back(text_value(key), json_value(value, key == "content" ? mark : Mark{0}));
  return dict_value(std::move(members));
}

std::vector<RenderedPart> parts_of(const MarkedText& text) {
  std::vector<RenderedPart> parts;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const Mark mark = text.mark(at);
    if (at == 0 || text.mark(at - 1) != mark) {
      RenderedPart part{at, at, std::nullopt};
      if (mark != 0) part.turn = static_cast<std::size_t>(mark) - 1;
      parts.push_back(part);
    }
    parts.back().end = at + 1;
  }
  return parts;
}

Rendered rendered(const std::vector<Statement>& statements, const Names& names,
                  const std::tm& now) {
  Evaluation evaluation(names, now);
  const MarkedText text = evaluation.run(statements);
  return {text.bytes(), parts_of(text)};
}

Names names_of(std::vector<Value> messages, bool add_generation_prompt,
               const std::vector<std::pair<std::string, std::string>>& tokens,
               const Template::Variables& more) {
  Names names = {{"tools", None{}}, {"documents", None{}}};
  for (const auto& [name, text] : tokens) names.emplace_back(name, text_value(text));
  for (const auto& [name, value] : more) names.emplace_back(name, json_value(value));
  names.emplace_back("messages", list_value(std::move(messages)));
  names.emplace_back("add_generation_prompt", add_generation_prompt);
  return names;
}

// The rendered text, or an error that says that the template is at fault.
template <typename Render>
Expected<Rendered> with_reason(Render render) {
  auto result = guarded(render);
  if (!result) return fail(result.error().type, "chat template: " + result.error().message);
  return result;
}

}  // namespace

bool is_of_template(const std::vector<RenderedPart>& parts, std::size_t begin, std::size_t end) {
  return std::ranges::none_of(parts, [&](const RenderedPart& part) {
    return part.turn && part.begin < end && begin < part.end;
  });
}

Expected<Template> Template::parse(std::string source,
                                   std::vector<std::pair<std::string, std::string>> tokens) {
  return guarded([&] {
    if (source.size() > kLongestTemplate)
      throw BadInput("chat template: it is longer than " + std::to_string(kLongestTemplate) +
                     " bytes");
    if (!is_utf8(source)) throw BadInput("chat template: it is not valid UTF-8");
    Template read;
    try {
      read.statements_ = std::make_shared<const std::vector<Statement>>(parse_template(source));
    } catch (const BadInput& error) {
      throw BadInput(std::string("chat template: ") + error.what());
    }
    read.source_ = std::move(source);
    read.tokens_ = std::move(tokens);
    return read;
  });
}

Expected<Rendered> Template::render(const Conversation& conversation, const std::tm& now,
                                    const Variables& more) const {
  return with_reason([&] {
    std::vector<Value> messages;
    for (const Turn& turn : conversation.turns) {
      if (!is_utf8(turn.content) || !is_utf8(turn.role))
        throw BadInput("a turn is not valid UTF-8");
      messages.push_back(message(turn, mark_of(messages.size())));
    }
    return rendered(
        *statements_,
        names_of(std::move(messages), conversation.add_generation_prompt, tokens_, more), now);
  });
}

Expected<Rendered> Template::render(const Conversation& conversation) const {
  const std::time_t seconds = std::time(nullptr);
  const std::tm* const now = std::localtime(&seconds);
  return render(conversation, now != nullptr ? *now : std::tm{});
}

Expected<Rendered> Template::render(const ordered_json& messages, bool add_generation_prompt,
                                    const std::tm& now, const Variables& more) const {
  return with_reason([&] {
    std::vector<Value> values;
    for (const ordered_json& one : messages) values.push_back(message(one, mark_of(values.size())));
    return rendered(*statements_, names_of(std::move(values), add_generation_prompt, tokens_, more),
                    now);
  });
}

}  // namespace lab::chat
