#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using nlohmann::json;

float number(const json& value) {
  if (value.is_number()) return value.get<float>();
  return std::strtof(value.get<std::string>().c_str(), nullptr);
}

TEST(TensorsJson, HoldsEveryTensorBitForBit) {
  HardNumbers random(5);
  TensorFile file;
  file.tensors = {random.tensor("Q", {2, 3, 4}), random.tensor("a \"b\"\n", {50}),
                  random.tensor("scalar", {}), random.tensor("empty", {2, 0})};
  file.metadata = {{"scale", "true"}, {"tokens", R"(["a","\""])"}};
  const json root = json::parse(write_tensors_json(file));
  EXPECT_EQ(root["metadata"].get<decltype(file.metadata)>(), file.metadata);
  ASSERT_EQ(root["tensors"].size(), file.tensors.size());
  for (const Tensor& tensor : file.tensors) {
    const json& written = root["tensors"][tensor.name];
    EXPECT_EQ(written["shape"].get<std::vector<std::int64_t>>(), tensor.shape);
    ASSERT_EQ(written["values"].size(), tensor.values.size());
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
      EXPECT_TRUE(same_bits(number(written["values"][i]), tensor.values[i], true));
  }
}

TEST(TensorsJson, NamesWhatIsNoNumber) {
  const float infinity = std::numeric_limits<float>::infinity();
  const TensorFile file{{{"x", {3}, {std::nanf(""), infinity, -infinity}}}, {}};
  const json root = json::parse(write_tensors_json(file));
  EXPECT_EQ(root["tensors"]["x"]["values"], json({"NaN", "Infinity", "-Infinity"}));
}

TEST(TensorsJson, NothingIsStillAnObject) {
  EXPECT_EQ(json::parse(write_tensors_json({})),
            json({{"metadata", json::object()}, {"tensors", json::object()}}));
}

}  // namespace
}  // namespace lab
