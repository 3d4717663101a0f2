#pragma once

#include <string>
#include <vector>

#include "app/lessons/answers/expression.h"

namespace lab::lessons {

/// Throws BadInput if there is no function with this name or it does not take this many arguments.
void check_call(const std::string& name, std::size_t arguments);

/// Calls a function. Throws BadInput if an argument has the wrong type. Precondition: check_call()
/// accepted the call.
Value call_function(const std::string& name, const std::vector<Value>& arguments);

/// The value as a number. Throws BadInput if it is not one.
double number_or_throw(const Value& value);

/// The type of a value, for messages: "a number", "yes or no", "a text", "a cell" or
/// "a row of numbers".
std::string type_text(const Value& value);

/// How fast `of` changes with `by`, per unit: d(of) / d(by) at the numbers of `live`, where both
/// are cells of stages of the layer that it shows; of a row of cells, a row of derivatives. See
/// attention::gradient_of(). Throws BadInput when they are not such cells, or `of` has no
/// derivative, such as a number that is not finite.
Value derivative(const Value& of, const Value& by, const Snapshot& live);

}  // namespace lab::lessons
