#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/chat/value.h"

// What belongs to the evaluation of a template in which it is made.

namespace lab::chat {

struct Statement;

/// The names that are known at a place, and what they stand for there.
struct Scope {
  std::shared_ptr<const Scope> around;  ///< null: the outermost
  std::vector<std::pair<std::string, Value>> names;

  /// The value of `name` here or around; null when it has none.
  const Value* find(const std::string& name, Meter& meter) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->around.get()) {
      meter.spend(1 + scope->names.size() / 4);
      for (const auto& [known, value] : scope->names)
        if (known == name) return &value;
    }
    return nullptr;
  }
  /// Gives `name` a value here.
  void set(const std::string& name, Value value) {
    for (auto& [known, old] : names)
      if (known == name) {
        old = std::move(value);
        return;
      }
    names.emplace_back(name, std::move(value));
  }
};

/// An object whose attributes a template can change.
struct Namespace {
  std::vector<std::pair<std::string, Value>> attributes;
};

/// A loop that is under way.
struct Loop {
  std::vector<Value> items;
  std::size_t at = 0;
};

/// A macro, or the body of a call block.
struct Macro {
  const Statement* statement = nullptr;
  std::weak_ptr<const Scope> around;  ///< that it was made in, which the evaluation keeps
};

}  // namespace lab::chat
