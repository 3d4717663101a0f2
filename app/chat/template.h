#pragma once

#include <cstddef>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/error.h"
#include "app/chat/conversation.h"

namespace lab::chat {

struct Statement;

/// Longest template, in bytes.
inline constexpr std::size_t kLongestTemplate = std::size_t{1} << 20U;

/// A chat template: a program in the language of Jinja that makes a text of a conversation. It is
/// rendered as transformers renders it (compared with 5.24): blocks take the blanks before and the
/// end of line after them, lists cannot be changed, and what is not supported is refused by name.
/// Whatever it says, it stops: steps, nesting and memory are bounded.
class Template {
 public:
  /// Variables beside the conversation, such as the tools that a model may call.
  using Variables = std::vector<std::pair<std::string, nlohmann::ordered_json>>;

  /// The template that `source` spells; `tokens` are variables such as bos_token with their texts.
  /// Fails with kBadInput and the line.
  static Expected<Template> parse(std::string source,
                                  std::vector<std::pair<std::string, std::string>> tokens = {});

  /// The text of a conversation at the time `now`, which some templates print. Fails with kBadInput
  /// and the line when the template refuses the conversation or does what is not supported.
  Expected<Rendered> render(const Conversation& conversation, const std::tm& now,
                            const Variables& more = {}) const;
  /// The same at this moment.
  Expected<Rendered> render(const Conversation& conversation) const;
  /// The same of messages as JSON, with members other than role and content.
  Expected<Rendered> render(const nlohmann::ordered_json& messages, bool add_generation_prompt,
                            const std::tm& now, const Variables& more = {}) const;

  const std::string& source() const { return source_; }
  const std::vector<std::pair<std::string, std::string>>& tokens() const { return tokens_; }

 private:
  std::string source_;
  std::vector<std::pair<std::string, std::string>> tokens_;
  std::shared_ptr<const std::vector<Statement>> statements_;
};

}  // namespace lab::chat
