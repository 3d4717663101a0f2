#pragma once

#include <ctime>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/chat/macro.h"
#include "app/chat/syntax.h"
#include "app/chat/value.h"

namespace lab::chat {

/// What a call gives: (a, b, name=c).
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;

  /// The arguments in the order of `names`, undefined where one is missing. Throws BadInput when
  /// one of the first `required` is missing, or when there are others.
  std::vector<Value> bound(std::initializer_list<const char*> names,
                           std::size_t required = 0) const;
};

/// One rendering of a template.
class Evaluation {
 public:
  /// A rendering at the time `now`, in which these names are known.
  Evaluation(const std::vector<std::pair<std::string, Value>>& names, const std::tm& now);
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;
  Evaluation(Evaluation&&) = delete;
  Evaluation& operator=(Evaluation&&) = delete;
  ~Evaluation() = default;

  /// What the statements print. Throws BadInput with the line.
  MarkedText run(const std::vector<Statement>& statements);

  Meter& meter() { return meter_; }
  const std::tm& now() const { return now_; }
  Namespace* new_namespace();

  /// The value of `name` of `object` as Python's dot gives it, or undefined.
  Value attribute(const Value& object, const std::string& name);
  /// The value of `key` in `object`, or undefined.
  Value item(const Value& object, const Value& key);
  /// What `callee` returns. Throws BadInput when it cannot be called.
  Value call(const Value& callee, const Arguments& arguments);

 private:
  enum class Flow { kOn, kBreak, kContinue };
  using ScopePointer = std::shared_ptr<Scope>;
  using Body = std::vector<Statement>;

  Flow run_body(const Body& body, MarkedText& out);
  Flow run_statement(const Statement& statement, MarkedText& out);
  Flow run_if(const Statement& statement, MarkedText& out);
  Flow run_for(const Statement& statement, MarkedText& out);
  std::vector<Value> looped_items(const Statement& statement);
  void run_set_block(const Statement& statement);
  void run_call(const Statement& statement, MarkedText& out);
  void run_filter(const Statement& statement, MarkedText& out);
  void run_with(const Statement& statement, MarkedText& out);
  MarkedText text_of_body(const Body& body);
  Value filtered(const Statement& statement, MarkedText text);
  void assign(const Target& target, const Value& value);
  const Macro* new_macro(const Statement& statement);
  Value call_macro(const Macro& macro, const Arguments& arguments);
  void print(const Value& value, MarkedText& out);

  Value value_of(const Expression& expression);
  Value name_value(const Expression& expression);
  Value dict_of_parts(const Expression& expression);
  Value slice(const Expression& expression);
  Value called(const Expression& expression);
  Value compared(const Expression& expression);
  Value joined(const Expression& expression);
  std::vector<Value> values_of(const std::vector<Expression>& parts, std::size_t from = 0);
  Arguments arguments_of(const Expression& expression);

  Meter meter_;
  std::tm now_;
  ScopePointer scope_;
  std::deque<Namespace> namespaces_;
  std::deque<Loop> loops_;
  std::deque<Macro> macros_;
  std::vector<ScopePointer> kept_;  // that macros were made in
  int line_ = 1;
  int depth_ = 0;
};

/// `a` name `b`, such as "+", as Python computes it. Throws BadInput when it does not.
Value arithmetic(const std::string& name, const Value& a, const Value& b, Meter& meter);
/// -`value` or +`value`.
Value with_sign(const std::string& sign, const Value& value);
/// Whether `item` is in `container`. Throws BadInput when nothing can be.
bool contains(const Value& container, const Value& item, Meter& meter);
/// The items or characters from `from` to `to` by `step`, each a whole number or none.
Value sliced(const Value& object, const Value& from, const Value& to, const Value& step,
             Meter& meter);

/// `format` % `values`, and format.format(…).
MarkedText percent_formatted(const MarkedText& format, const Value& values, Meter& meter);
MarkedText brace_formatted(const MarkedText& format, const Arguments& arguments, Meter& meter);

/// `input` | name. Throws BadInput when there is no such filter.
Value apply_filter(Evaluation& evaluation, const std::string& name, const Value& input,
                   const Arguments& arguments);
/// `input` is name. Throws BadInput when there is no such test.
bool apply_test(Evaluation& evaluation, const std::string& name, const Value& input,
                const Arguments& arguments);
/// True when Python has a method of this name for such a value.
bool has_method(const Value& self, std::string_view name);
/// What the method returns. Throws BadInput when it is not supported.
Value call_method(Evaluation& evaluation, const BoundMethod& method, const Arguments& arguments);
/// What a function of the language returns.
Value call_function(Evaluation& evaluation, std::string_view name, const Arguments& arguments);
/// The functions of the language by their names.
std::vector<std::pair<std::string, Value>> functions();

/// Throws BadInput for a name that no attribute of a namespace may have.
void check_attribute(const std::string& name);

/// The text of an argument. Throws BadInput when it is none.
const MarkedText& text_argument(const Value& value);
/// The whole number of an argument, or `missing` when it is undefined or none.
std::int64_t whole_argument(const Value& value, std::int64_t missing);
/// All places of `text` replaced by another, `most` of them if that is not negative.
MarkedText replaced(const MarkedText& text, const MarkedText& old, const MarkedText& other,
                    std::int64_t most, Meter& meter);
/// The lines of `text` without their ends, as Python's splitlines cuts them.
std::vector<MarkedText> lines_of(const MarkedText& text, Meter& meter);

}  // namespace lab::chat
