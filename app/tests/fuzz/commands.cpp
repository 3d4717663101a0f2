#include <algorithm>

#include "app/document/commands/reducer.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// A command that is accepted reads back as it is written, and leaves a document that can be
// computed.

namespace lab::fuzz {
namespace {

Document small_document() {
  attention::Config config;
  config.d_model = 4, config.d_out = 4, config.n_heads = 2, config.d_k = 2, config.d_v = 2;
  return make_document("the cat sat", config, 1);
}

// Large documents are allowed, and take their time, which is not the reader's.
bool is_small(const Command& command) {
  constexpr int kLargest = 8;
  const auto* size = std::get_if<SetSize>(&command);
  return size == nullptr || size->value <= kLargest;
}

void try_line(std::string_view line, Document& document) {
  const auto command = command_from_json_line(line);
  if (!command) return must(!command.error().message.empty());
  const std::string written = to_json_line(*command);
  const auto again = command_from_json_line(written);
  must(again.has_value() && to_json_line(*again) == written);
  if (!is_small(*command)) return;
  auto changed = lab::apply(document, *command);
  if (!changed) return must(!changed.error().message.empty());
  attention::validate(changed->problem);
  document = std::move(*changed);
}

}  // namespace

void try_input(std::string_view input) {
  static const Document kStart = small_document();
  Document document = kStart;
  constexpr int kMostLines = 3;  // one after the other; more are as good in inputs of their own
  for (int i = 0; i < kMostLines && !input.empty(); ++i) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    try_line(input.substr(0, end), document);
    input.remove_prefix(std::min(end + 1, input.size()));
  }
}

}  // namespace lab::fuzz
