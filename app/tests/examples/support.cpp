#include "app/tests/examples/support.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "app/files/open.h"
#include "app/tests/rooms.h"

namespace lab::samples {

using attention::Index;
using attention::Matrix;

Opened evaluated(Document document) {
  attention::Evaluator evaluator;
  attention::Trace trace = evaluator.evaluate(document.problem);
  return {std::move(document), std::move(trace)};
}

Opened open_example(const std::string& name) {
  Expected<Document> document = open_document(name);
  if (!document) throw std::runtime_error(name + ": " + document.error().message);
  return evaluated(std::move(*document));
}

Index position(const Document& document, std::string_view word) {
  for (size_t i = 0; i < document.tokens.size(); ++i) {
    if (document.tokens[i].text == word) return static_cast<Index>(i);
  }
  throw std::out_of_range("no such token: " + std::string(word));
}

const Matrix& weights(const Opened& example, int head) {
  return *example.trace.heads.at(static_cast<size_t>(head - 1)).weights;
}

double weight(const Opened& example, int head, std::string_view query, std::string_view key) {
  const Document& document = example.document;
  return weights(example, head)(position(document, query), position(document, key));
}

std::string peak(const Opened& example, int head, std::string_view query) {
  Index key = 0;
  weights(example, head).row(position(example.document, query)).maxCoeff(&key);
  return example.document.tokens.at(static_cast<size_t>(key)).text;
}

Index dimension(const Document& document, std::string_view name) {
  for (size_t d = 0; d < document.dimensions.size(); ++d) {
    if (document.dimensions[d] == name) return static_cast<Index>(d);
  }
  throw std::out_of_range("no such dimension: " + std::string(name));
}

void expect_matrix(const std::string& name, const Matrix& actual,
                   std::initializer_list<std::initializer_list<double>> expected,
                   double tolerance) {
  ASSERT_EQ(actual.rows(), static_cast<Index>(expected.size())) << name;
  Index row = 0;
  for (const auto& values : expected) {
    ASSERT_EQ(actual.cols(), static_cast<Index>(values.size())) << name;
    Index col = 0;
    for (double value : values) {
      EXPECT_NEAR(actual(row, col), value, tolerance) << name << " at " << row << ", " << col;
      ++col;
    }
    ++row;
  }
}

}  // namespace lab::samples
