#include "app/files/reading.h"
#include "app/lessons/expression.h"
#include "app/lessons/expression_tree.h"
#include "app/lessons/live_reference.h"

namespace lab {
namespace {

// Walks through an expression and notes the cells that its references name.
struct Collecting {
  const LiveNumbers& live;
  std::vector<StageCell>& cells;

  void operator()(const NumberNode&) const {}
  void operator()(const TextNode&) const {}
  void operator()(const NameNode&) const {}
  void operator()(const ReferenceNode& node) const {
    const Value value = referenced(node, live);
    if (const auto* one = std::get_if<CellValue>(&value)) add(*one);
    if (const auto* list = std::get_if<ListValue>(&value))
      for (const CellValue& cell : list->cells) add(cell);
  }
  void operator()(const CallNode& node) const {
    for (const NodePointer& argument : node.arguments) look_into(*argument);
  }
  void operator()(const UnaryNode& node) const { look_into(*node.operand); }
  void operator()(const BinaryNode& node) const {
    look_into(*node.left);
    look_into(*node.right);
  }

  void look_into(const ExpressionNode& node) const { std::visit(*this, node.part); }
  void add(const CellValue& cell) const {
    if (cell.cell) cells.push_back(*cell.cell);
  }
};

}  // namespace

Expected<std::vector<StageCell>> Expression::cells(const LiveNumbers& live) const {
  return guarded([&] {
    std::vector<StageCell> cells;
    std::visit(Collecting{live, cells}, root_->part);
    return cells;
  });
}

}  // namespace lab
