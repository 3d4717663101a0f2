#pragma once

#include <string>
#include <vector>

#include "app/chat/value.h"

// What a template says, as trees.

namespace lab::chat {

enum class ExpressionType {
  kConstant,     ///< value
  kName,         ///< name
  kList,         ///< parts
  kTuple,        ///< parts
  kDict,         ///< parts: key, value, key, value …
  kAttribute,    ///< parts[0].name
  kItem,         ///< parts[0][parts[1]]
  kSlice,        ///< parts[0][parts[1]:parts[2]:parts[3]]
  kCall,         ///< parts[0](parts[1] …)
  kFilter,       ///< parts[0]|name(parts[1] …)
  kTest,         ///< parts[0] is name(parts[1] …)
  kNot,          ///< not parts[0]
  kAnd,          ///< parts[0] and parts[1]
  kOr,           ///< parts[0] or parts[1]
  kSign,         ///< name ("-", "+") parts[0]
  kArithmetic,   ///< parts[0] name ("+", "//" …) parts[1]
  kJoin,         ///< parts[0] ~ parts[1] …
  kCompare,      ///< parts[0] names[0] parts[1] names[1] parts[2] …; "not in" is one name
  kConditional,  ///< parts[0] if parts[1] else parts[2]
};

struct Expression {
  ExpressionType type = ExpressionType::kConstant;
  int line = 1;
  int height = 1;  ///< of the tree
  std::string name;
  Value value;
  std::vector<Expression> parts;
  std::vector<std::string> names;  ///< of a call, filter or test: those of its last parts
};

/// What a value is assigned to: a name, an attribute of a namespace, or several of these.
struct Target {
  std::string name;
  std::string attribute;  ///< empty: of the name itself
  std::vector<Target> parts;
};

enum class StatementType {
  kText,      ///< text is printed
  kOutput,    ///< expressions[0] is printed
  kIf,        ///< bodies[i] if expressions[i]; the last body has no expression if there is an else
  kFor,       ///< target, expressions[0], perhaps expressions[1] after if; bodies[1] is its else
  kSet,       ///< target = expressions[0]
  kSetBlock,  ///< target = what bodies[0] prints, which expressions[0] may filter
  kMacro,     ///< text: its name; parameters; expressions: the defaults of the last of them
  kCall,      ///< expressions[0] is a call of a macro that calls bodies[0] with parameters
  kFilter,    ///< what bodies[0] prints, which expressions[0] filters
  kWith,      ///< targets and expressions that are known in bodies[0] alone
  kBreak,
  kContinue,
  kGroup,  ///< bodies[0], with names of its own
};

struct Statement {
  StatementType type = StatementType::kText;
  int line = 1;
  std::string text;
  std::vector<Target> targets;
  std::vector<Expression> expressions;
  std::vector<std::string> parameters;
  std::vector<std::vector<Statement>> bodies;
};

/// The name under which a filter of a block finds what it filters.
inline constexpr const char* kFilteredText = "filtered text";

}  // namespace lab::chat
