#include "app/chat/template.h"
#include "app/tests/fuzz/input.h"

// Whatever a chat template says, it stops; its text is that of its parts, and what a turn says is
// found there where it is said to be.

namespace lab::fuzz {

void try_input(std::string_view input) {
  const auto read = chat::Template::parse(std::string(input), {{"bos_token", "<s>"}});
  if (!read) return must(!read.error().message.empty());
  const chat::Conversation conversation{
      {{"system", "Be brief."}, {"user", " é? \n"}, {"assistant", "<think>a</think>b"}}, true};
  const nlohmann::ordered_json tools = nlohmann::ordered_json::parse(
      R"([{"type": "function", "function": {"name": "f", "parameters": {"a": [1, 2.5, null]}}}])");
  const auto rendered = read->render(conversation, std::tm{}, {{"tools", tools}});
  if (!rendered) return must(!rendered.error().message.empty());
  std::size_t end = 0;
  for (const chat::RenderedPart& part : rendered->parts) {
    must(part.begin == end && part.begin < part.end);
    must(!part.turn || *part.turn < conversation.turns.size());
    end = part.end;
  }
  must(end == rendered->text.size());
}

}  // namespace lab::fuzz
