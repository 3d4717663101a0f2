#include "app/files/import/csv.h"

#include <limits>

#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Matrix;

TEST(Csv, LabelsStandInTheFirstLineAndTheFirstField) {
  Matrix values(2, 2);
  values << 1, -0.5f, 0.1f, 1e-20f;
  EXPECT_EQ(write_csv(values, {"it", "was"}, {"a", "b"}), ",a,b\nit,1,-0.5\nwas,0.1,1e-20\n");
  EXPECT_EQ(write_csv(values, {}, {"a", "b"}), "a,b\n1,-0.5\n0.1,1e-20\n");
  EXPECT_EQ(write_csv(values, {"it", "was"}, {}), "it,1,-0.5\nwas,0.1,1e-20\n");
  EXPECT_EQ(write_csv(values, {}, {}), "1,-0.5\n0.1,1e-20\n");
}

TEST(Csv, FieldsThatNeedQuotesHaveThem) {
  const Matrix values = Matrix::Ones(1, 4);
  EXPECT_EQ(write_csv(values, {"a\nb"}, {",", "\"", "“it”", " "}),
            ",\",\",\"\"\"\",“it”,\" \"\n\"a\nb\",1,1,1,1\n");
}

TEST(Csv, WhatIsNoNumberHasAName) {
  Matrix values(1, 3);
  const float infinity = std::numeric_limits<float>::infinity();
  values << std::numeric_limits<float>::quiet_NaN(), infinity, -infinity;
  EXPECT_EQ(write_csv(values, {}, {}), "NaN,Infinity,-Infinity\n");
}

TEST(Csv, NumbersReadBackBitForBit) {
  HardNumbers random(3);
  const Matrix values = random.matrix(500, 1);
  const std::string text = write_csv(values, {}, {});
  const char* at = text.c_str();
  for (attention::Index i = 0; i < values.rows(); ++i) {
    char* end = nullptr;
    EXPECT_TRUE(same_bits(std::strtof(at, &end), values(i, 0), true)) << values(i, 0);
    at = end + 1;
  }
}

}  // namespace
}  // namespace lab
