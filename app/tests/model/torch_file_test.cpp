#include "app/files/tensors/torch_file.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "app/base/bad_input.h"
#include "app/files/model/weights/checkpoint.h"
#include "app/tests/files/damage.h"
#include "app/tests/model/support.h"
#include "app/tests/temporary_folder.h"
#include "core/tests/matrix_compare.h"

namespace lab {
namespace {

using attention::test::all_identical;
using ::testing::HasSubstr;

constexpr std::int64_t kMany = 1 << 20;

std::string torch_file(const std::string& name) { return text_of_file(golden_path("torch", name)); }

std::string complaint_of(const std::string& bytes) {
  try {
    files::read_torch_file(bytes, kMany);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

class TorchFile : public ::testing::TestWithParam<const char*> {};

TEST_P(TorchFile, HoldsTheTensorsOfTheCheckpoint) {
  const TemporaryFolder folder;
  folder.write("pytorch_model.bin", torch_file(GetParam()));
  const auto found = files::Checkpoint::open(folder.path());
  ASSERT_TRUE(found) << found.error().message;
  const auto expected = files::Checkpoint::open(golden_path("gpt2", ""));
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_EQ(found->tensors().size(), expected->tensors().size());
  for (const auto& [name, tensor] : expected->tensors())
    EXPECT_TRUE(all_identical(found->matrix(name).values(), expected->matrix(name).values()))
        << name;
}

TEST_P(TorchFile, ThatIsDamagedIsRefusedOrRead) {
  const std::string whole = torch_file(GetParam());
  // What says where the tensors are: the pickle and the list of files.
  const std::string front = whole.substr(0, 6000);
  damage(front, [&](std::string_view damaged) {
    const std::string bytes =
        std::string(damaged) + (damaged.size() == front.size() ? whole.substr(front.size()) : "");
    try {
      for (const files::TorchEntry& entry : files::read_torch_file(bytes, kMany)) {
        EXPECT_LE(entry.begin, entry.end);
        EXPECT_LE(entry.end, bytes.size());
      }
    } catch (const BadInput& error) {
      EXPECT_STRNE(error.what(), "");
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, TorchFile, ::testing::Values("zip.bin", "legacy.bin"),
                         [](const auto& of) {
                           return std::string(of.param).substr(0, std::string(of.param).find('.'));
                         });

TEST(TorchFile, RunsNothingAndNamesWhatItWasAskedFor) {
  const std::string command =
      "\x80\x02"
      "cos\nsystem\nX\x04" +
      std::string(3, '\0') + "echo\x85R.";
  EXPECT_THAT(complaint_of(command), HasSubstr("\"os.system\""));
  EXPECT_THAT(complaint_of("\x80\x02"
                           "c__builtin__\neval\n)\x81."),
              HasSubstr("instruction"));
}

TEST(TorchFile, ThatIsNestedDeeplyIsRefused) {
  EXPECT_THAT(complaint_of(std::string(100'000, ']') + std::string(100'000, 'a') + "."),
              HasSubstr("nested"));
}

TEST(TorchFile, ThatIsNoneIsRefused) {
  EXPECT_NE(complaint_of(""), "");
  EXPECT_NE(complaint_of("PK"), "");
  EXPECT_NE(complaint_of("\x80\x02}q\0."), "");
}

}  // namespace
}  // namespace lab
