#include <optional>

#include "app/files/import/csv.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/tests/decimal_comma.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

// Numbers are read and written with a point wherever the program runs.

namespace lab {
namespace {

class Locale : public ::testing::Test {
 protected:
  void SetUp() override {
    comma_.emplace();
    if (!*comma_) GTEST_SKIP() << "no locale with a decimal comma";
  }
  std::optional<DecimalComma> comma_;
};

TEST_F(Locale, SessionsAreTheSame) {
  constexpr unsigned kSeeds = 20;
  std::vector<std::string> texts;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Document document = random_document(seed);
    texts.push_back(write_session(document));
    expect_same(value_of(read_session(texts.back())), document);
  }
  comma_.reset();
  for (unsigned seed = 0; seed < kSeeds; ++seed)
    EXPECT_EQ(write_session(random_document(seed)), texts[seed]);
}

TEST_F(Locale, TextOfNumbersHasAPoint) {
  const attention::Matrix half = attention::Matrix::Constant(1, 1, 1234567.5f);
  EXPECT_EQ(write_csv(half, {}, {}), "1234567.5\n");
  EXPECT_THAT(write_tensors_json({{{"x", {1}, {0.5f}}}, {}}), ::testing::HasSubstr("0.5"));
  EXPECT_THAT(write_npy({"", {1000, 2}, std::vector<float>(2000)}),
              ::testing::HasSubstr("(1000, 2)"));
}

TEST_F(Locale, NumbersAreRoundedOnce) {
  std::string text = small_session();
  text.replace(text.find("0.5"), 3, "1.00000005960464477539062500001");
  EXPECT_EQ((*value_of(read_session(text)).problem.embedding)(0, 1), 1 + 0x1p-23f);
}

TEST_F(Locale, MetadataIsReadWithAPoint) {
  TensorFile file = small_problem();
  file.metadata["temperature"] = "0.5";
  EXPECT_EQ(value_of(document_from_tensors(file, "t")).problem.config.temperature, 0.5f);
  file.metadata["temperature"] = "0,5";
  EXPECT_FALSE(document_from_tensors(file, "t"));
}

}  // namespace
}  // namespace lab
