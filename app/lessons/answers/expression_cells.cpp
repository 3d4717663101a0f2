#include <algorithm>

#include "app/base/bad_input.h"
#include "app/explain/stage_text.h"
#include "app/lessons/answers/expression.h"
#include "app/lessons/answers/expression_tree.h"
#include "app/lessons/answers/live_reference.h"
#include "app/lessons/model/model_value.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

using Leaf = std::variant<const NameNode*, const ReferenceNode*>;

// Collects the names and references in an expression, in order.
struct Collecting {
  std::vector<Leaf>& leaves;

  void operator()(const NumberNode&) const {}
  void operator()(const TextNode&) const {}
  void operator()(const NameNode& node) const { leaves.emplace_back(&node); }
  void operator()(const ReferenceNode& node) const { leaves.emplace_back(&node); }
  void operator()(const CallNode& node) const {
    if (is_unedited(node)) return;  // they are not in the model as it is
    for (const NodePointer& argument : node.arguments) look_into(*argument);
  }
  void operator()(const UnaryNode& node) const { look_into(*node.operand); }
  void operator()(const BinaryNode& node) const {
    look_into(*node.left);
    look_into(*node.right);
  }

  void look_into(const ExpressionNode& node) const { std::visit(*this, node.value); }
};

std::vector<Leaf> leaves_of(const ExpressionNode& root) {
  std::vector<Leaf> leaves;
  std::visit(Collecting{leaves}, root.value);
  return leaves;
}

// The name of a stage as the window shows it; other names as they are written.
std::string title_of(const std::string& name) {
  if (language() == Language::kEnglish) return name;
  if (const auto stage = attention::stage_from_name(name)) return explain::stage_title(*stage);
  const std::string quantity = quantity_title(name);
  return quantity.empty() ? name : quantity;
}

// A name or a reference as written: weights[1, it, animal]; or with the title of its stage.
std::string name_of(const Leaf& leaf, bool title) {
  if (const auto* name = std::get_if<const NameNode*>(&leaf))
    return title ? title_of((*name)->name) : (*name)->name;
  const ReferenceNode& reference = *std::get<const ReferenceNode*>(leaf);
  std::string indices;
  for (const IndexText& index : reference.indices)
    indices += (indices.empty() ? "" : ", ") + index.text;
  return (title ? title_of(reference.name) : reference.name) + "[" + indices + "]";
}

Value value_of(const Leaf& leaf, const Snapshot& live) {
  if (const auto* name = std::get_if<const NameNode*>(&leaf))
    return named_value((*name)->name, live);
  return referenced(*std::get<const ReferenceNode*>(leaf), live);
}

void add(std::vector<StageCell>& cells, const CellValue& cell, const Snapshot& live) {
  if (cell.cell && (!cell.layer || *cell.layer == live.document.layer.at))
    cells.push_back(*cell.cell);
}

}  // namespace

Expected<std::vector<StageCell>> Expression::cells(const Snapshot& live) const {
  return guarded([&] {
    std::vector<StageCell> cells;
    for (const Leaf& leaf : leaves_of(*root_)) {
      const Value value = value_of(leaf, live);
      if (const auto* one = std::get_if<CellValue>(&value)) add(cells, *one, live);
      if (const auto* list = std::get_if<ListValue>(&value))
        for (const CellValue& cell : list->cells) add(cells, cell, live);
    }
    return cells;
  });
}

Expected<std::vector<std::string>> Expression::named_numbers(const Snapshot& live, int decimals,
                                                             bool titles) const {
  return guarded([&] {
    std::vector<std::string> lines;
    for (const Leaf& leaf : leaves_of(*root_)) {
      const auto number = number_of(value_of(leaf, live));
      if (!number) continue;
      std::string line = name_of(leaf, titles) + " = " + plain_number(*number, decimals);
      if (std::ranges::count(lines, line) == 0) lines.push_back(std::move(line));
    }
    return lines;
  });
}

}  // namespace lab::lessons
