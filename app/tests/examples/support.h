#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::samples {

/// A document with every stage computed.
struct Opened {
  Document document;
  attention::Trace trace;
};

/// Computes every stage of a valid document.
Opened evaluated(Document document);

/// Opens a built-in example by name and evaluates it. Throws std::runtime_error with the message
/// for the user when it does not open.
Opened open_example(const std::string& name);

/// The position of the first token `word`; throws std::out_of_range when there is none.
attention::Index position(const Document& document, std::string_view word);

/// The weights of `head`, counted from 1 as a reader does.
const attention::Matrix& weights(const Opened& example, int head);

/// The weight that `query` gives to `key` in `head` (from 1).
double weight(const Opened& example, int head, std::string_view query, std::string_view key);

/// The token that `query` looks at most in `head` (from 1).
std::string peak(const Opened& example, int head, std::string_view query);

/// The column of the embedding dimension `name`; throws std::out_of_range when there is none.
attention::Index dimension(const Document& document, std::string_view name);

/// Fails the running test for each cell of `actual` that is further than `tolerance` from
/// `expected`, and when the shapes differ. `name` says which matrix it is.
void expect_matrix(const std::string& name, const attention::Matrix& actual,
                   std::initializer_list<std::initializer_list<double>> expected, double tolerance);

}  // namespace lab::samples
