#include <array>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/lessons/answers/expression.h"
#include "app/lessons/answers/expression_functions.h"
#include "app/lessons/answers/expression_tree.h"

namespace lab::lessons {
namespace {

constexpr std::size_t kLongest = 1000;  // bytes
constexpr int kDeepest = 50;            // nesting

NodePointer node(auto value) {
  return std::make_shared<const ExpressionNode>(ExpressionNode{std::move(value)});
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool begins_name(char c) { return is_letter(c) || c == '_'; }

// All operators, longer ones first; typographic characters are accepted too.
struct Sign {
  std::string_view written, means;
};
constexpr std::array kSigns = {
    Sign{"<=", "<="}, Sign{">=", ">="}, Sign{"!=", "!="}, Sign{"==", "="}, Sign{"≤", "<="},
    Sign{"≥", ">="},  Sign{"≠", "!="},  Sign{"−", "-"},   Sign{"·", "*"},  Sign{"×", "*"},
    Sign{"÷", "/"},   Sign{"<", "<"},   Sign{">", ">"},   Sign{"=", "="},  Sign{"+", "+"},
    Sign{"-", "-"},   Sign{"*", "*"},   Sign{"/", "/"},   Sign{"^", "^"},
};

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  NodePointer parse() {
    NodePointer root = either();
    skip_blanks();
    if (!rest_.empty()) wrong("the end");
    return root;
  }

 private:
  [[noreturn]] void wrong(const std::string& expected) {
    skip_blanks();
    const bool comma = rest_.size() > 1 && rest_[0] == ',' && is_digit(rest_[1]);
    throw BadInput("expected " + expected + ", found " +
                   (rest_.empty() ? "nothing" : in_quotes(rest_)) +
                   (comma ? "; decimals are written with a point, as in 0.5" : ""));
  }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) wrong(in_quotes(std::string(1, c)));
  }
  // Takes the next operator if it is one of `operators`, in its plain form.
  std::string_view take_sign(std::initializer_list<std::string_view> operators) {
    skip_blanks();
    for (const Sign& sign : kSigns) {
      if (!rest_.starts_with(sign.written)) continue;
      for (const std::string_view one : operators) {
        if (one != sign.means) continue;
        rest_.remove_prefix(sign.written.size());
        return sign.means;
      }
      return {};
    }
    return {};
  }
  std::string_view name_ahead() {
    skip_blanks();
    std::size_t length = 0;
    while (length < rest_.size() &&
           (begins_name(rest_[length]) || (length > 0 && is_digit(rest_[length]))))
      ++length;
    return rest_.substr(0, length);
  }
  bool take_keyword(std::string_view keyword) {
    if (name_ahead() != keyword) return false;
    rest_.remove_prefix(keyword.size());
    return true;
  }

  NodePointer either() {
    NodePointer left = both();
    while (take_keyword("or")) left = node(BinaryNode{"or", left, both()});
    return left;
  }
  NodePointer both() {
    NodePointer left = negated();
    while (take_keyword("and")) left = node(BinaryNode{"and", left, negated()});
    return left;
  }
  NodePointer negated() {
    const Deeper deeper(*this);
    if (take_keyword("not")) return node(UnaryNode{"not", negated()});
    return compared();
  }
  NodePointer compared() {
    NodePointer left = sum();
    const std::string_view sign = take_sign({"<=", ">=", "!=", "=", "<", ">"});
    if (sign.empty()) return left;
    return node(BinaryNode{std::string(sign), left, sum()});
  }
  NodePointer sum() {
    NodePointer left = product();
    for (;;) {
      const std::string_view sign = take_sign({"+", "-"});
      if (sign.empty()) return left;
      left = node(BinaryNode{std::string(sign), left, product()});
    }
  }
  NodePointer product() {
    NodePointer left = signed_one();
    for (;;) {
      const std::string_view sign = take_sign({"*", "/"});
      if (sign.empty()) return left;
      left = node(BinaryNode{std::string(sign), left, signed_one()});
    }
  }
  NodePointer signed_one() {
    const Deeper deeper(*this);
    if (!take_sign({"-"}).empty()) return node(UnaryNode{"-", signed_one()});
    return power();
  }
  NodePointer power() {
    NodePointer base = one();
    if (take_sign({"^"}).empty()) return base;
    return node(BinaryNode{"^", base, signed_one()});
  }
  NodePointer one() {
    const Deeper deeper(*this);
    skip_blanks();
    if (take('(')) {
      NodePointer inside = either();
      expect(')');
      return inside;
    }
    if (rest_.starts_with('"')) return node(TextNode{quoted()});
    if (!rest_.empty() && (is_digit(rest_.front()) || rest_.front() == '.')) return number();
    return named();
  }
  NodePointer number() {
    const auto value = take_number<double>(rest_);
    if (!value) wrong("a number");
    return node(NumberNode{*value});
  }
  std::string quoted() {
    const std::size_t end = rest_.find('"', 1);
    if (end == rest_.npos) throw BadInput("a quotation mark is not closed");
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }
  NodePointer named() {
    const std::string name(name_ahead());
    if (name.empty()) wrong("a number, a name or a bracket");
    rest_.remove_prefix(name.size());
    if (take('(')) return call(name);
    if (take('[')) return reference(name);
    return node(NameNode{name});
  }
  NodePointer call(const std::string& name) {
    CallNode call{name, {}};
    if (!take(')')) {
      do call.arguments.push_back(either());
      while (take(','));
      expect(')');
    }
    check_call(name, call.arguments.size());
    return node(std::move(call));
  }
  NodePointer reference(const std::string& name) {
    ReferenceNode reference{name, {}};
    do reference.indices.push_back(index());
    while (take(','));
    expect(']');
    const std::size_t most = name == "patching" ? 4 : 3;
    if (reference.indices.size() > most)
      throw BadInput(name + " has " + std::to_string(reference.indices.size()) +
                     " indices, but needs at most a head, a row and a column");
    return node(std::move(reference));
  }
  IndexText index() {
    skip_blanks();
    if (rest_.starts_with('"')) return {quoted(), true};
    const std::size_t end = std::min(rest_.find_first_of(",]"), rest_.size());
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    if (text.empty()) wrong("a head, a row or a column");
    return {std::string(text), false};
  }

  // Counts the nesting depth.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepest) throw BadInput("brackets are nested too deeply");
    }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  std::string_view rest_;
  int depth_ = 0;
};

}  // namespace

namespace {

// Word processors replace straight quotes with curly ones.
std::string with_straight_quotes(std::string_view text) {
  std::string straight(text);
  if (text.find('"') != text.npos) return straight;
  for (const char* curly : {"“", "”", "„"}) replace_all(straight, curly, "\"");
  return straight;
}

}  // namespace

Expected<Expression> Expression::parse(std::string_view text) {
  if (text.size() > kLongest)
    return fail(ErrorType::kBadInput, "an expression can have at most 1,000 characters");
  const std::string straight = with_straight_quotes(text);
  const auto root = guarded([&] { return Parser(straight).parse(); });
  if (!root)
    return fail(ErrorType::kBadInput,
                "the expression " + in_quotes(text) + ": " + root.error().message);
  return Expression(std::string(text), *root);
}

}  // namespace lab::lessons
