#include "app/files/tensors/npy.h"
#include "app/tests/files/support.h"
#include "app/tests/files/zip_support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

TEST(Npz, AnyTensorsReadBackBitForBit) {
  HardNumbers random(13);
  TensorFile file;
  file.tensors = {random.tensor("X", {7, 3}), random.tensor("empty", {0, 5}),
                  random.tensor("scalar", {}), random.tensor("été/“a”", {2, 3, 4, 5})};
  file.metadata = {{"scale", "false"}, {"tokens", R"(["a","แมว"])"}};
  expect_same(value_of(read_npz(value_of(write_npz(file)))), file);
  file.metadata.clear();
  expect_same(value_of(read_npz(value_of(write_npz(file)))), file);
}

TEST(Npz, AnArchiveWithNothingInItIsOne) {
  expect_same(value_of(read_npz(value_of(write_npz({})))), {});
}

TEST(Npz, TheSameTensorsAreTheSameBytes) {
  EXPECT_EQ(value_of(write_npz(small_problem())), value_of(write_npz(small_problem())));
  // Day 1 of month 1 of year 0 (1980), at 0:00, in the local record
  const std::string bytes = value_of(write_npz(small_problem()));
  EXPECT_EQ(bytes.substr(10, 4), std::string("\0\0\x21\0", 4));
}

TEST(Npz, StoredAndDeflatedArraysAreRead) {
  const std::vector<float> values(10'000, 1.5f);
  const std::string bytes =
      make_zip({{"a.npy", array(values), ZIP_CM_STORE}, {"b.npy", array(values), ZIP_CM_DEFLATE}});
  const TensorFile file = value_of(read_npz(bytes));
  EXPECT_EQ(file.find("a")->values, values);
  EXPECT_EQ(file.find("b")->values, values);
  EXPECT_EQ(file.find("c"), nullptr);
}

// A matrix of zeros shrinks as far as deflate can; it must not be taken for a bomb.
TEST(Npz, ZerosMayShrinkAThousandfold) {
  const std::vector<float> zeros(5'000'000, 0.0f);
  const std::string bytes = make_zip({{"z.npy", array(zeros), ZIP_CM_DEFLATE}});
  ASSERT_LT(bytes.size(), 25'000u);
  EXPECT_EQ(value_of(read_npz(bytes)).tensors[0].values, zeros);
}

}  // namespace
}  // namespace lab
