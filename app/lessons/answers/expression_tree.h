#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace lab::lessons {

struct ExpressionNode;
using NodePointer = std::shared_ptr<const ExpressionNode>;

/// 0.6
struct NumberNode {
  double value = 0;
};
/// "animal"
struct TextNode {
  std::string text;
};
/// d_k
struct NameNode {
  std::string name;
};
/// One index of a reference.
struct IndexText {
  std::string text;
  bool quoted = false;  ///< always a label, even if it looks like a number
};
/// scores[head 1, it, animal]
struct ReferenceNode {
  std::string name;
  std::vector<IndexText> indices;
};
/// max(…, …)
struct CallNode {
  std::string function;
  std::vector<NodePointer> arguments;
};
/// True for unedited(…), which is about the model without its edits.
inline bool is_unedited(const CallNode& node) { return node.function == "unedited"; }

/// True for derivative(…, …), which needs the whole layer.
inline bool is_derivative(const CallNode& node) { return node.function == "derivative"; }

/// "-" or "not"
struct UnaryNode {
  std::string sign;
  NodePointer operand;
};
/// left sign right, such as a + b or a and b
struct BinaryNode {
  std::string sign;
  NodePointer left, right;
};

/// One node of the expression tree.
struct ExpressionNode {
  std::variant<NumberNode, TextNode, NameNode, ReferenceNode, CallNode, UnaryNode, BinaryNode>
      value;
};

}  // namespace lab::lessons
