#include <algorithm>
#include <array>

#include "app/base/machine_numbers.h"
#include "app/chat/token_stream.h"

namespace lab::chat {
namespace {

constexpr int kHighestTree = 200;

Expression made(const TokenStream& stream, ExpressionType type, int line,
                std::vector<Expression> parts, std::string name = {}) {
  Expression expression;
  expression.type = type;
  expression.line = line;
  expression.name = std::move(name);
  expression.parts = std::move(parts);
  for (const Expression& part : expression.parts)
    expression.height = std::max(expression.height, part.height + 1);
  if (expression.height > kHighestTree) stream.refuse("an expression is too long");
  return expression;
}

template <typename... Parts>
std::vector<Expression> parts_of(Parts&&... parts) {
  std::vector<Expression> all;
  (all.push_back(std::forward<Parts>(parts)), ...);
  return all;
}

Expression constant(int line, Value value) {
  Expression expression;
  expression.line = line;
  expression.value = std::move(value);
  return expression;
}

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& stream) : stream_(stream) {}

  Expression conditional() {
    const TokenStream::Nested nested(stream_);
    Expression value = disjunction();
    while (stream_.is_name("if")) {
      const int line = stream_.take().line;
      Expression condition = disjunction();
      Expression otherwise = constant(line, Value());
      if (stream_.skip_name("else")) otherwise = conditional();
      value = made(stream_, ExpressionType::kConditional, line,
                   parts_of(std::move(value), std::move(condition), std::move(otherwise)));
    }
    return value;
  }

  Expression disjunction() {
    Expression left = conjunction();
    while (stream_.is_name("or")) {
      const int line = stream_.take().line;
      left = made(stream_, ExpressionType::kOr, line, parts_of(std::move(left), conjunction()));
    }
    return left;
  }

  // "a, b" as one; `empty`: there may be nothing, within parentheses.
  Expression tuple(bool with_conditional, bool empty) {
    const int line = stream_.current().line;
    std::vector<Expression> items;
    bool several = false;
    while (!ends_tuple()) {
      items.push_back(with_conditional ? conditional() : disjunction());
      if (!stream_.is_operator(",")) break;
      stream_.take();
      several = true;
    }
    if (!several && !items.empty()) return std::move(items.front());
    if (items.empty() && !empty)
      stream_.refuse("an expression is missing before " + stream_.described());
    return made(stream_, ExpressionType::kTuple, line, std::move(items));
  }

  Expression operand() { return postfix(primary()); }

  Expression filters(Expression input, bool bar_is_read = false) {
    if (bar_is_read) input = filter(std::move(input));
    while (true) {
      if (stream_.skip_operator("|"))
        input = filter(std::move(input));
      else if (stream_.is_name("is"))
        input = test(std::move(input));
      else if (stream_.is_operator("("))
        input = call(std::move(input));
      else
        return input;
    }
  }

 private:
  bool ends_tuple() const {
    return stream_.is_operator(")") || stream_.is(TokenType::kBlockEnd) ||
           stream_.is(TokenType::kOutputEnd) || stream_.is_name("in");
  }

  Expression conjunction() {
    Expression left = negation();
    while (stream_.is_name("and")) {
      const int line = stream_.take().line;
      left = made(stream_, ExpressionType::kAnd, line, parts_of(std::move(left), negation()));
    }
    return left;
  }

  Expression negation() {
    if (!stream_.is_name("not")) return comparison();
    const TokenStream::Nested nested(stream_);
    const int line = stream_.take().line;
    return made(stream_, ExpressionType::kNot, line, parts_of(negation()));
  }

  // The comparison that begins here; empty: none does.
  std::string comparison_operator() {
    static constexpr std::array<std::string_view, 6> kSigns = {"==", "!=", "<", "<=", ">", ">="};
    if (stream_.skip_name("in")) return "in";
    if (stream_.is_name("not") && stream_.next().text == "in" &&
        stream_.next().type == TokenType::kName) {
      stream_.take();
      stream_.take();
      return "not in";
    }
    if (stream_.is(TokenType::kOperator) &&
        std::ranges::find(kSigns, stream_.current().text) != kSigns.end())
      return stream_.take().text;
    return {};
  }

  Expression comparison() {
    const int line = stream_.current().line;
    std::vector<Expression> parts = parts_of(sum());
    std::vector<std::string> operators;
    for (std::string found = comparison_operator(); !found.empty(); found = comparison_operator()) {
      operators.push_back(found);
      parts.push_back(sum());
    }
    if (operators.empty()) return std::move(parts.front());
    Expression result = made(stream_, ExpressionType::kCompare, line, std::move(parts));
    result.names = std::move(operators);
    return result;
  }

  Expression sum() {
    Expression left = joined();
    while (stream_.is_operator("+") || stream_.is_operator("-")) {
      const Token sign = stream_.take();
      left = made(stream_, ExpressionType::kArithmetic, sign.line,
                  parts_of(std::move(left), joined()), sign.text);
    }
    return left;
  }

  Expression joined() {
    const int line = stream_.current().line;
    std::vector<Expression> parts = parts_of(product());
    while (stream_.skip_operator("~")) parts.push_back(product());
    if (parts.size() == 1) return std::move(parts.front());
    return made(stream_, ExpressionType::kJoin, line, std::move(parts));
  }

  Expression product() {
    Expression left = power();
    while (stream_.is_operator("*") || stream_.is_operator("/") || stream_.is_operator("//") ||
           stream_.is_operator("%")) {
      const Token sign = stream_.take();
      left = made(stream_, ExpressionType::kArithmetic, sign.line,
                  parts_of(std::move(left), power()), sign.text);
    }
    return left;
  }

  Expression power() {
    Expression left = signed_operand(true);
    while (stream_.is_operator("**")) {
      const Token sign = stream_.take();
      left = made(stream_, ExpressionType::kArithmetic, sign.line,
                  parts_of(std::move(left), signed_operand(true)), sign.text);
    }
    return left;
  }

  Expression signed_operand(bool with_filters) {
    Expression value;
    if (stream_.is_operator("-") || stream_.is_operator("+")) {
      const TokenStream::Nested nested(stream_);
      const Token sign = stream_.take();
      value = made(stream_, ExpressionType::kSign, sign.line, parts_of(signed_operand(false)),
                   sign.text);
    } else {
      value = primary();
    }
    value = postfix(std::move(value));
    return with_filters ? filters(std::move(value)) : value;
  }

  Expression primary() {
    const TokenStream::Nested nested(stream_);
    const Token token = stream_.current();
    switch (token.type) {
      case TokenType::kName:
        return name();
      case TokenType::kString:
        return string();
      case TokenType::kWhole:
      case TokenType::kReal:
        return number();
      default:
        break;
    }
    if (stream_.skip_operator("(")) {
      Expression inside = tuple(true, true);
      stream_.expect_operator(")");
      return inside;
    }
    if (stream_.skip_operator("[")) return list(token.line);
    if (stream_.skip_operator("{")) return dict(token.line);
    stream_.refuse("unexpected " + stream_.described());
  }

  Expression name() {
    const Token token = stream_.take();
    if (token.text == "true" || token.text == "True") return constant(token.line, true);
    if (token.text == "false" || token.text == "False") return constant(token.line, false);
    if (token.text == "none" || token.text == "None") return constant(token.line, None{});
    return made(stream_, ExpressionType::kName, token.line, {}, token.text);
  }

  Expression string() {
    const int line = stream_.current().line;
    std::string text;
    while (stream_.is(TokenType::kString)) text += stream_.take().text;
    return constant(line, text_value(std::move(text)));
  }

  Expression number() {
    const Token token = stream_.current();
    if (token.type == TokenType::kReal) {
      const auto value = parse_number<double>(token.text);
      if (!value) stream_.refuse(token.text + " is too large");
      stream_.take();
      return constant(token.line, *value);
    }
    const auto value = parse_number<std::int64_t>(token.text);
    if (!value) stream_.refuse(token.text + " is too large");
    stream_.take();
    return constant(token.line, *value);
  }

  Expression list(int line) {
    std::vector<Expression> items;
    while (!stream_.skip_operator("]")) {
      if (!items.empty()) stream_.expect_operator(",");
      if (stream_.skip_operator("]")) break;
      items.push_back(conditional());
    }
    return made(stream_, ExpressionType::kList, line, std::move(items));
  }

  Expression dict(int line) {
    std::vector<Expression> parts;
    while (!stream_.skip_operator("}")) {
      if (!parts.empty()) stream_.expect_operator(",");
      if (stream_.skip_operator("}")) break;
      parts.push_back(conditional());
      stream_.expect_operator(":");
      parts.push_back(conditional());
    }
    return made(stream_, ExpressionType::kDict, line, std::move(parts));
  }

  // The attributes, items and calls after `value`.
  Expression postfix(Expression value) {
    while (true) {
      if (stream_.is_operator("."))
        value = attribute(std::move(value));
      else if (stream_.is_operator("["))
        value = subscript(std::move(value));
      else if (stream_.is_operator("("))
        value = call(std::move(value));
      else
        return value;
    }
  }

  Expression attribute(Expression value) {
    const int line = stream_.take().line;
    if (stream_.is(TokenType::kWhole))
      return made(stream_, ExpressionType::kItem, line, parts_of(std::move(value), number()));
    const Token name = stream_.expect(TokenType::kName, "a name");
    return made(stream_, ExpressionType::kAttribute, line, parts_of(std::move(value)), name.text);
  }

  Expression subscript(Expression value) {
    const int line = stream_.take().line;
    std::vector<Expression> parts = parts_of(std::move(value));
    bool slice = false;
    const auto next = [&] {
      const bool missing = stream_.is_operator(":") || stream_.is_operator("]");
      parts.push_back(missing ? constant(line, None{}) : conditional());
    };
    if (stream_.is_operator("]")) stream_.refuse("an expression is missing before \"]\"");
    next();
    while (parts.size() < 4 && stream_.skip_operator(":")) {
      slice = true;
      next();
    }
    stream_.expect_operator("]");
    if (slice) parts.resize(4, constant(line, None{}));
    return made(stream_, slice ? ExpressionType::kSlice : ExpressionType::kItem, line,
                std::move(parts));
  }

  // Reads "(a, b, c=d)" into `into`.
  void arguments(Expression& into) {
    stream_.expect_operator("(");
    bool first = true;
    while (!stream_.skip_operator(")")) {
      if (!first) stream_.expect_operator(",");
      first = false;
      if (stream_.skip_operator(")")) break;
      if (stream_.is_operator("*") || stream_.is_operator("**"))
        stream_.refuse("arguments with " + stream_.current().text + " are not supported");
      const bool named = stream_.is(TokenType::kName) &&
                         stream_.next().type == TokenType::kOperator && stream_.next().text == "=";
      if (named) {
        into.names.push_back(stream_.take().text);
        stream_.take();
      } else if (!into.names.empty()) {
        stream_.refuse("an argument without a name follows one with a name");
      }
      into.parts.push_back(conditional());
      into.height = std::max(into.height, into.parts.back().height + 1);
    }
    if (into.height > kHighestTree) stream_.refuse("an expression is too long");
  }

  Expression call(Expression callee) {
    Expression result =
        made(stream_, ExpressionType::kCall, stream_.current().line, parts_of(std::move(callee)));
    arguments(result);
    return result;
  }

  // The name of a filter or a test.
  std::string dotted_name() {
    std::string name = stream_.expect(TokenType::kName, "a name").text;
    while (stream_.skip_operator("."))
      name += "." + stream_.expect(TokenType::kName, "a name").text;
    return name;
  }

  Expression filter(Expression input) {
    const int line = stream_.current().line;
    std::string name = dotted_name();
    Expression result =
        made(stream_, ExpressionType::kFilter, line, parts_of(std::move(input)), std::move(name));
    if (stream_.is_operator("(")) arguments(result);
    return result;
  }

  Expression test(Expression input) {
    const int line = stream_.take().line;
    const bool negated = stream_.skip_name("not");
    std::string name = dotted_name();
    Expression result =
        made(stream_, ExpressionType::kTest, line, parts_of(std::move(input)), std::move(name));
    if (stream_.is_operator("(")) {
      arguments(result);
    } else if (begins_argument_of_test()) {
      result.parts.push_back(operand());
      result.height = std::max(result.height, result.parts.back().height + 1);
    }
    if (!negated) return result;
    return made(stream_, ExpressionType::kNot, line, parts_of(std::move(result)));
  }

  bool begins_argument_of_test() const {
    static constexpr std::array<std::string_view, 7> kWords = {"else", "or", "and", "if",
                                                               "is",   "in", "not"};
    switch (stream_.current().type) {
      case TokenType::kName:
        return std::ranges::find(kWords, stream_.current().text) == kWords.end();
      case TokenType::kString:
      case TokenType::kWhole:
      case TokenType::kReal:
        return true;
      default:
        return stream_.is_operator("[") || stream_.is_operator("{");
    }
  }

  TokenStream& stream_;
};

}  // namespace

std::string TokenStream::described() const {
  switch (current().type) {
    case TokenType::kBlockEnd:
      return "\"%}\"";
    case TokenType::kOutputEnd:
      return "\"}}\"";
    case TokenType::kEnd:
      return "the end";
    default:
      return in_quotes(current().text);
  }
}

Expression parse_expression(TokenStream& stream, bool conditional) {
  ExpressionParser parser(stream);
  return conditional ? parser.conditional() : parser.disjunction();
}

Expression parse_expression_or_tuple(TokenStream& stream, bool conditional) {
  return ExpressionParser(stream).tuple(conditional, false);
}

Expression parse_filters(TokenStream& stream, Expression input, bool bar_is_read) {
  return ExpressionParser(stream).filters(std::move(input), bar_is_read);
}

Expression parse_operand(TokenStream& stream) { return ExpressionParser(stream).operand(); }

}  // namespace lab::chat
