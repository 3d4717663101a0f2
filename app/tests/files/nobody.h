#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/tests/rooms.h"

namespace lab {

/// Root may write anywhere: while this lives, the test is an ordinary user.
class Nobody {
 public:
  Nobody() : was_root_(::geteuid() == 0) { EXPECT_TRUE(!was_root_ || ::seteuid(65534) == 0); }
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;
  ~Nobody() { EXPECT_TRUE(!was_root_ || ::seteuid(0) == 0); }

 private:
  bool was_root_;
};

}  // namespace lab
