#include <clocale>
#include <cstdlib>
#include <locale>

#include "app/files/csv.h"
#include "app/files/problem_file.h"
#include "app/files/session.h"
#include "app/tests/files/support.h"
#include "core/evaluator.h"

// Numbers are read and written with a point wherever the program runs.

namespace lab {
namespace {

bool has_decimal_comma() { return std::string(std::localeconv()->decimal_point) == ","; }

// Makes a German locale in `folder` when the system has none.
bool set_german_locale(const TemporaryFolder& folder) {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
    if (std::setlocale(LC_ALL, name) && has_decimal_comma()) return true;
  const std::string make =
      "localedef -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8") + "' >/dev/null 2>&1";
  if (std::system(make.c_str()) != 0) return false;
  ::setenv("LOCPATH", (folder / ".").c_str(), 1);
  return std::setlocale(LC_ALL, "de_DE.UTF-8") && has_decimal_comma();
}

class Locale : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!set_german_locale(folder_)) GTEST_SKIP() << "no locale with a decimal comma";
  }
  void TearDown() override {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
  }
  TemporaryFolder folder_;
};

TEST_F(Locale, SessionsAreTheSame) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Document document = random_document(seed);
    const std::string text = write_session(document);
    expect_same(value_of(read_session(text)), document);
    std::setlocale(LC_ALL, "C");
    EXPECT_EQ(write_session(document), text);
    ASSERT_TRUE(set_german_locale(folder_));
  }
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
