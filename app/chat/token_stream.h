#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"
#include "app/chat/lexer.h"
#include "app/chat/syntax.h"

namespace lab::chat {

/// The tokens of a template as they are read one after another.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& current() const { return tokens_[at_]; }
  /// The token that was taken last.
  const Token& previous() const { return tokens_[at_ == 0 ? 0 : at_ - 1]; }
  const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  Token take() {
    Token token = current();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }

  bool is(TokenType type) const { return current().type == type; }
  bool is_operator(std::string_view text) const {
    return is(TokenType::kOperator) && current().text == text;
  }
  bool is_name(std::string_view text) const {
    return is(TokenType::kName) && current().text == text;
  }
  /// Goes past this operator or name, if it is here.
  bool skip_operator(std::string_view text) {
    const bool here = is_operator(text);
    if (here) take();
    return here;
  }
  bool skip_name(std::string_view text) {
    const bool here = is_name(text);
    if (here) take();
    return here;
  }

  /// Goes past what must be here. Throws BadInput when it is not.
  void expect_operator(std::string_view text) {
    if (!skip_operator(text)) refuse(in_quotes(text) + " is missing before " + described());
  }
  Token expect(TokenType type, std::string_view what) {
    if (!is(type)) refuse(std::string(what) + " is missing before " + described());
    return take();
  }

  /// The current token for a message.
  std::string described() const;
  [[noreturn]] void refuse(const std::string& problem) const {
    throw BadInput(at_line(current().line) + problem);
  }

  /// Counts how deep a parser is nested, while it lives. Throws BadInput when it is too deep.
  class Nested {
   public:
    explicit Nested(TokenStream& stream) : stream_(stream) {
      if (++stream.depth_ > kDeepest) stream.refuse("it is nested too deep");
    }
    ~Nested() { --stream_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    Nested(Nested&&) = delete;
    Nested& operator=(Nested&&) = delete;

   private:
    static constexpr int kDeepest = 100;
    TokenStream& stream_;
  };

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// The next expression. `conditional`: it may contain "if" outside of brackets. `tuple`: several
/// with commas between them are one.
Expression parse_expression(TokenStream& stream, bool conditional = true);
Expression parse_expression_or_tuple(TokenStream& stream, bool conditional = true);
/// The filters that follow on `input`: "| trim | upper"; `bar_is_read`: without the first bar.
Expression parse_filters(TokenStream& stream, Expression input, bool bar_is_read = false);
/// An expression without operators and filters around it: a name with its attributes and calls.
Expression parse_operand(TokenStream& stream);

}  // namespace lab::chat
