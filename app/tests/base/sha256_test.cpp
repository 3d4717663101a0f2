#include "app/base/sha256.h"

#include <gtest/gtest.h>

#include "app/base/byte_text.h"

namespace lab {
namespace {

// The examples of FIPS 180-4.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, IsReadBetweenPieces) {
  Sha256 checksum;
  checksum.add("ab");
  EXPECT_EQ(checksum.hex(), sha256("ab"));
  checksum.add("c");
  EXPECT_EQ(checksum.hex(), sha256("abc"));
  EXPECT_EQ(base64(checksum.bytes()), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

}  // namespace
}  // namespace lab
