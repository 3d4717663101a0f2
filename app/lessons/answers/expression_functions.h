#pragma once

#include <string>
#include <vector>

#include "app/lessons/answers/expression.h"

namespace lab::lessons {

/// Throws BadInput when there is no function of that name, or it does not take so many arguments.
void check_call(const std::string& name, std::size_t arguments);

/// What the function gives. Throws BadInput when an argument is of a kind that it does not take.
/// Precondition: check_call() let it pass.
Value call_function(const std::string& name, const std::vector<Value>& arguments);

/// The number that a value is. Throws BadInput when it is none.
double demand_number(const Value& value);

/// "a number", "yes or no", "a text", "a cell", "a row of numbers".
std::string kind_text(const Value& value);

}  // namespace lab::lessons
