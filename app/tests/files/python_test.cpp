#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/files/io/bytes.h"
#include "app/files/io/little_endian.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

// What this program writes, numpy and safetensors read, and the other way round.

namespace lab {
namespace {

namespace fs = std::filesystem;

TensorFile python_sample() {
  HardNumbers random(23);
  TensorFile file;
  file.tensors = {random.tensor("X", {7, 3}), random.tensor("scalar", {}),
                  random.tensor("empty", {0, 5}), random.tensor("deep", {2, 3, 4, 5})};
  file.metadata["tokens"] = R"(["a","b"])";
  return file;
}

std::vector<float> expected_values(const std::string& path) {
  const std::string bytes = value_of(read_bytes(path));
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

class Python : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string command = python_with("numpy");
    if (command.empty()) GTEST_SKIP() << "no Python with numpy";
    write_sample();
    const std::string run = command + " '" CHECK_ARRAYS "' '" + (folder_ / ".") + "'";
    ASSERT_EQ(std::system(run.c_str()), 0);
  }

  void write_sample() {
    const TensorFile file = python_sample();
    nlohmann::json list = nlohmann::json::array();
    std::string bytes;
    for (const Tensor& tensor : file.tensors) {
      list.push_back({tensor.name, tensor.shape});
      append_floats(bytes, tensor.values);
    }
    ASSERT_TRUE(write_bytes(folder_ / "expected.json", list.dump()));
    ASSERT_TRUE(write_bytes(folder_ / "expected.bin", bytes));
    ASSERT_TRUE(write_bytes(folder_ / "written.npz", value_of(write_npz(file))));
    ASSERT_TRUE(write_bytes(folder_ / "written.npy", write_npy(file.tensors[0])));
    ASSERT_TRUE(write_bytes(folder_ / "written.safetensors", write_safetensors(file)));
  }

  void expect_array(const std::string& name, const Tensor& tensor) {
    SCOPED_TRACE(name);
    TensorFile expected{{tensor}, {}};
    expected.tensors[0].values = expected_values(folder_ / (name + ".bin"));
    expect_same({{tensor}, {}}, expected, true);
  }

  TemporaryFolder folder_;
};

TEST_F(Python, ArraysOfEveryTypeAreReadAsNumpyReadsThem) {
  int count = 0;
  for (const std::string& file_name : folder_.names()) {
    if (!file_name.ends_with(".npy") || file_name == "written.npy") continue;
    const auto tensor = read_npy(value_of(read_bytes(folder_ / file_name)));
    EXPECT_EQ(tensor.has_value(), file_name != "objects_refused.npy") << file_name;
    if (!tensor) continue;
    expect_array(file_name.substr(0, file_name.size() - 4), *tensor);
    ++count;
  }
  EXPECT_EQ(count, 50);
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const TensorFile file = value_of(read_npz(value_of(read_bytes(folder_ / name))));
    EXPECT_EQ(file.tensors.size(), 50u);
    for (const Tensor& tensor : file.tensors) expect_array(tensor.name, tensor);
  }
}

TEST_F(Python, SafetensorsOfTheFormatsOwnWriterAreRead) {
  if (!fs::exists(folder_ / "python.safetensors")) GTEST_SKIP() << "no Python with safetensors";
  TensorFile file =
      value_of(read_safetensors(value_of(read_bytes(folder_ / "python.safetensors"))));
  TensorFile expected = python_sample();
  std::ranges::sort(file.tensors, {}, &Tensor::name);
  std::ranges::sort(expected.tensors, {}, &Tensor::name);
  expect_same(file, expected);
}

}  // namespace
}  // namespace lab
