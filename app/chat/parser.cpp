#include "app/chat/parser.h"

#include <array>

#include "app/chat/token_stream.h"

namespace lab::chat {
namespace {

class StatementParser {
 public:
  explicit StatementParser(std::string_view source) : stream_(tokens_of_template(source)) {}

  std::vector<Statement> run() {
    std::vector<Statement> statements = body({});
    if (!stream_.is(TokenType::kEnd))
      stream_.refuse("unexpected " + in_quotes(stream_.current().text));
    return statements;
  }

 private:
  using Names = std::initializer_list<std::string_view>;

  // Statements up to a block with one of these names, which is left to be read, or the end.
  std::vector<Statement> body(Names ends) {
    const TokenStream::Nested nested(stream_);
    std::vector<Statement> statements;
    while (!stream_.is(TokenType::kEnd)) {
      if (stream_.is(TokenType::kText)) {
        const Token text = stream_.take();
        statements.push_back(made(StatementType::kText, text.line));
        statements.back().text = text.text;
      } else if (stream_.is(TokenType::kOutputBegin)) {
        statements.push_back(made(StatementType::kOutput, stream_.take().line));
        statements.back().expressions.push_back(parse_expression_or_tuple(stream_));
        stream_.expect(TokenType::kOutputEnd, "\"}}\"");
      } else {
        stream_.expect(TokenType::kBlockBegin, "a block");
        for (const std::string_view end : ends)
          if (stream_.is_name(end)) return statements;
        statements.push_back(block());
      }
    }
    if (ends.size() > 0) stream_.refuse("a block has no end: " + std::string(*(ends.end() - 1)));
    return statements;
  }

  // Statements up to the block `end`, which is read too.
  std::vector<Statement> whole_body(std::string_view end) {
    std::vector<Statement> statements = body({end});
    stream_.take();
    end_block();
    return statements;
  }

  static Statement made(StatementType type, int line) {
    Statement statement;
    statement.type = type;
    statement.line = line;
    return statement;
  }

  void end_block() { stream_.expect(TokenType::kBlockEnd, "\"%}\""); }

  Statement block() {
    struct Kind {
      std::string_view name;
      Statement (StatementParser::*parse)(int line);
    };
    static constexpr std::array<Kind, 10> kKinds = {{
        {"if", &StatementParser::condition},
        {"for", &StatementParser::loop},
        {"set", &StatementParser::assignment},
        {"macro", &StatementParser::macro},
        {"call", &StatementParser::call},
        {"filter", &StatementParser::filter},
        {"with", &StatementParser::with},
        {"break", &StatementParser::leave},
        {"continue", &StatementParser::leave},
        {"generation", &StatementParser::generation},
    }};
    const Token name = stream_.current();
    if (name.type == TokenType::kName)
      for (const Kind& kind : kKinds)
        if (kind.name == name.text) {
          stream_.take();
          return (this->*kind.parse)(name.line);
        }
    stream_.refuse("the block " + stream_.described() + " is not supported here");
  }

  Statement condition(int line) {
    Statement statement = made(StatementType::kIf, line);
    statement.expressions.push_back(parse_expression_or_tuple(stream_, false));
    end_block();
    while (true) {
      statement.bodies.push_back(body({"elif", "else", "endif"}));
      const Token name = stream_.take();
      if (name.text == "elif") {
        statement.expressions.push_back(parse_expression_or_tuple(stream_, false));
        end_block();
        continue;
      }
      end_block();
      if (name.text == "else") statement.bodies.push_back(whole_body("endif"));
      return statement;
    }
  }

  Statement loop(int line) {
    Statement statement = made(StatementType::kFor, line);
    statement.targets.push_back(target(false));
    if (!stream_.skip_name("in")) stream_.refuse("\"in\" is missing before " + stream_.described());
    statement.expressions.push_back(parse_expression_or_tuple(stream_, false));
    if (stream_.skip_name("if")) statement.expressions.push_back(parse_expression(stream_));
    if (stream_.is_name("recursive")) stream_.refuse("recursive loops are not supported");
    end_block();
    ++loops_;
    statement.bodies.push_back(body({"else", "endfor"}));
    --loops_;
    const bool otherwise = stream_.take().text == "else";
    end_block();
    if (otherwise) statement.bodies.push_back(whole_body("endfor"));
    return statement;
  }

  // "a", "a, (b, c)"; of set also "space.attribute".
  Target target(bool of_set) {
    const TokenStream::Nested nested(stream_);
    Target several;
    bool tuple = false;
    while (true) {
      several.parts.push_back(single_target(of_set));
      if (!stream_.skip_operator(",")) break;
      tuple = true;
      if (!stream_.is(TokenType::kName) && !stream_.is_operator("(")) break;
    }
    if (tuple) return several;
    Target only = std::move(several.parts.front());
    return only;
  }

  Target single_target(bool of_set) {
    if (stream_.skip_operator("(")) {
      Target inside = target(of_set);
      stream_.expect_operator(")");
      return inside;
    }
    const Token name = stream_.expect(TokenType::kName, "a name");
    static constexpr std::array<std::string_view, 6> kConstants = {"true",  "True", "false",
                                                                   "False", "none", "None"};
    for (const std::string_view constant : kConstants)
      if (name.text == constant) stream_.refuse("nothing can be assigned to " + name.text);
    Target single;
    single.name = name.text;
    if (of_set && stream_.skip_operator("."))
      single.attribute = stream_.expect(TokenType::kName, "a name").text;
    return single;
  }

  Statement assignment(int line) {
    Statement statement = made(StatementType::kSet, line);
    statement.targets.push_back(target(true));
    if (stream_.skip_operator("=")) {
      statement.expressions.push_back(parse_expression_or_tuple(stream_));
      end_block();
      return statement;
    }
    statement.type = StatementType::kSetBlock;
    if (stream_.is_operator("|")) add_filter_of_block(statement, false);
    end_block();
    statement.bodies.push_back(whole_body("endset"));
    return statement;
  }

  // Reads filters on the text of a block.
  void add_filter_of_block(Statement& statement, bool bar_is_read) {
    Expression input;
    input.type = ExpressionType::kName;
    input.name = kFilteredText;
    input.line = statement.line;
    statement.expressions.push_back(parse_filters(stream_, std::move(input), bar_is_read));
  }

  // "(a, b=1)" of a macro or a call.
  void signature(Statement& statement) {
    stream_.expect_operator("(");
    bool first = true;
    while (!stream_.skip_operator(")")) {
      if (!first) stream_.expect_operator(",");
      first = false;
      if (stream_.skip_operator(")")) break;
      statement.parameters.push_back(stream_.expect(TokenType::kName, "a name").text);
      if (stream_.skip_operator("="))
        statement.expressions.push_back(parse_expression(stream_));
      else if (!statement.expressions.empty())
        stream_.refuse("a parameter without a default follows one with a default");
    }
  }

  Statement macro(int line) {
    Statement statement = made(StatementType::kMacro, line);
    statement.text = stream_.expect(TokenType::kName, "the name of a macro").text;
    signature(statement);
    end_block();
    const int around = std::exchange(loops_, 0);
    statement.bodies.push_back(whole_body("endmacro"));
    loops_ = around;
    return statement;
  }

  Statement call(int line) {
    Statement statement = made(StatementType::kCall, line);
    if (stream_.is_operator("(")) signature(statement);
    Expression called = parse_expression(stream_);
    if (called.type != ExpressionType::kCall) stream_.refuse("a call block should call a macro");
    statement.expressions.insert(statement.expressions.begin(), std::move(called));
    end_block();
    const int around = std::exchange(loops_, 0);
    statement.bodies.push_back(whole_body("endcall"));
    loops_ = around;
    return statement;
  }

  Statement filter(int line) {
    Statement statement = made(StatementType::kFilter, line);
    add_filter_of_block(statement, true);
    end_block();
    statement.bodies.push_back(whole_body("endfilter"));
    return statement;
  }

  Statement with(int line) {
    Statement statement = made(StatementType::kWith, line);
    while (!stream_.is(TokenType::kBlockEnd)) {
      if (!statement.targets.empty()) stream_.expect_operator(",");
      statement.targets.push_back(single_target(false));
      stream_.expect_operator("=");
      statement.expressions.push_back(parse_expression(stream_));
    }
    end_block();
    statement.bodies.push_back(whole_body("endwith"));
    return statement;
  }

  Statement leave(int line) {
    // The name was read: which of the two it is stands before the end of the block.
    const bool breaks = stream_.previous().text == "break";
    if (loops_ == 0) stream_.refuse("break and continue stand in a loop alone");
    end_block();
    return made(breaks ? StatementType::kBreak : StatementType::kContinue, line);
  }

  Statement generation(int line) {
    Statement statement = made(StatementType::kGroup, line);
    end_block();
    const int around = std::exchange(loops_, 0);
    statement.bodies.push_back(whole_body("endgeneration"));
    loops_ = around;
    return statement;
  }

  TokenStream stream_;
  int loops_ = 0;  // around this place
};

}  // namespace

std::vector<Statement> parse_template(std::string_view source) {
  return StatementParser(source).run();
}

}  // namespace lab::chat
