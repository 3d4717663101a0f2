#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lessons/answers/expression_tree.h"
#include "core/matrix.h"

namespace lab::lessons {

/// The row or column that an index names: by its label, which a model's token has also without the
/// mark of the blank before it ("it" for "·it"); by its number from 0; or as `last`. Nothing if
/// there is none.
std::optional<attention::Index> named_place(const IndexText& index,
                                            const std::vector<std::string>& labels);

/// "Cat, sat, on …": some of the labels, for messages.
std::string listed(const std::vector<std::string>& labels);

/// The label of a model's token without the mark of the blank before it.
std::string without_blank(const std::string& label);

}  // namespace lab::lessons
