#include "app/base/names.h"

#include <gtest/gtest.h>

namespace lab::test {
namespace {

TEST(Misspelling, IsALetterOrTwo) {
  const std::vector<std::string> known{"W_Q", "gamma", "temperature"};
  EXPECT_EQ(suggested_name("gama", known), "gamma");
  EXPECT_EQ(suggested_name("Gamma", known), "gamma");
  EXPECT_EQ(suggested_name("tempreatrue", known), "temperature")
      << "neighbours changed places, twice";
  EXPECT_EQ(suggested_name("w_q", known), "W_Q");
  EXPECT_EQ(suggested_name("W_K", known), "") << "too short to tell";
  EXPECT_EQ(suggested_name("", known), "");
}

}  // namespace
}  // namespace lab::test
