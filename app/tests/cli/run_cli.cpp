#include "app/tests/cli/run_cli.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "app/files/session/session.h"
#include "app/tests/rooms.h"

namespace lab::test {

namespace {

// Standard input from a file as long as this lives.
class InputFrom {
 public:
  explicit InputFrom(const std::string& path) : saved_(dup(STDIN_FILENO)) {
    if (freopen(path.c_str(), "rb", stdin) == nullptr) ADD_FAILURE() << "cannot read " << path;
  }
  ~InputFrom() {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
    clearerr(stdin);
  }
  InputFrom(const InputFrom&) = delete;
  InputFrom& operator=(const InputFrom&) = delete;

 private:
  int saved_;
};

bool within(float found, float expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  return found == expected || std::abs(found - expected) <= tolerance;
}

void expect_same_tensor(const Tensor& found, const Tensor& expected, double share) {
  ASSERT_EQ(found.shape, expected.shape) << expected.name;
  double largest = 0;
  for (const float value : expected.values) {
    if (std::isfinite(value)) largest = std::max<double>(largest, std::abs(value));
  }
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    ASSERT_TRUE(within(found.values[i], expected.values[i], share * largest))
        << expected.name << ", number " << i << ": " << found.values[i] << " instead of "
        << expected.values[i] << ", largest magnitude " << largest;
  }
}

}  // namespace

Outcome run(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"attention-lab"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  argv.push_back(nullptr);

  Outcome outcome;
  DisplayVerbs display;
  display.window = [&](const WindowRequest& request) -> Expected<void> {
    outcome.windows.push_back(request);
    return {};
  };
  display.screenshot = [&](const ScreenshotRequest& request) -> Expected<void> {
    outcome.screenshots.push_back(request);
    return {};
  };
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  outcome.code = run_command_line(static_cast<int>(argv.size()) - 1, argv.data(), display);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

Outcome run_with_input(const std::vector<std::string>& arguments, std::string_view input) {
  const TempFolder folder;
  const InputFrom redirected(folder.write("input", input));
  return run(arguments);
}

bool is_one_message(const std::string& text) {
  return text.starts_with("attention-lab: ") && std::ranges::count(text, '\n') == 1 &&
         text.back() == '\n' && text.find("attention-lab: ", 1) == std::string::npos;
}

std::string bytes_of(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

Document small_document() {
  attention::Config config;
  config.d_model = 4;
  config.n_heads = 2;
  config.d_k = 2;
  config.d_v = 3;
  config.d_out = 4;
  Document document = make_document("The cat saw the dog 7 7 2 and it", config, 5);
  document.title = "Small";
  document.dimensions = {"alpha", "beta", "gamma", "delta"};
  return document;
}

std::string small_session(const TempFolder& folder) {
  return folder.write("small.json", write_session(small_document()));
}

std::string golden(const std::string& name) { return ATTENTION_LAB_GOLDEN "/" + name; }

std::string small_model(const std::string& name) { return ATTENTION_LAB_MODELS "/" + name; }

nlohmann::json json_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

void expect_same_tensors(const TensorFile& found, const TensorFile& expected, double share) {
  for (const Tensor& tensor : expected.tensors) {
    const Tensor* same = found.find(tensor.name);
    if (same == nullptr) {
      ADD_FAILURE() << "there is no " << tensor.name;
    } else {
      expect_same_tensor(*same, tensor, share);
    }
  }
}

}  // namespace lab::test
