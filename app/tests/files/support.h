#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/files/damage.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {

/// Numbers that are hard on readers and writers: any float at all, among them NaN, ±∞, −0,
/// subnormals.
class HardNumbers {
 public:
  explicit HardNumbers(unsigned seed) : engine_(seed) {}
  float next();
  /// 0 … limit − 1.
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  attention::Matrix matrix(attention::Index rows, attention::Index cols);
  Tensor tensor(std::string name, std::vector<std::int64_t> shape);

 private:
  std::mt19937 engine_;
};

/// Equal bits; any NaN equals any NaN where `any_nan`, which text cannot tell apart.
bool same_bits(float a, float b, bool any_nan = false);

/// Fails the test where names, order, shapes or bits differ.
void expect_same(const TensorFile& actual, const TensorFile& expected, bool any_nan = false);
/// Fails the test where anything a session keeps differs.
void expect_same(const Document& actual, const Document& expected);

/// A document with random sizes and hard numbers that uses every feature in its turn.
Document random_document(unsigned seed);

/// A small problem of two heads that document_from_tensors takes; 3 tokens, d_model 4, d_k 2, d_v
/// 3, d_out 4.
TensorFile small_problem();
/// A session of one head that read_session takes, short enough to be damaged in every place.
std::string small_session();

/// The command of a Python that has `module`; empty when there is none.
std::string python_with(const std::string& module);

/// A session that uses every optional member.
std::string full_session();

/// The bytes of a file that must be refused with a message that holds `message`.
struct BadFile {
  const char* name;
  std::string bytes;
  const char* message;
};

/// Prints a case of a table by its name; GoogleTest's own printer would show the bytes.
template <typename Case>
requires requires(const Case& c) { c.name, c.message; }
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// The name of a test of a table.
template <typename Case>
std::string case_name(const ::testing::TestParamInfo<Case>& test) {
  return test.param.name;
}

/// The value, or a failure of the test that tells the error.
template <typename T>
T value_of(Expected<T> result) {
  if (!result) throw std::runtime_error("unexpected error: " + result.error().message);
  return std::move(*result);
}

}  // namespace lab
