// Explain with sums of many terms.
#include <gtest/gtest.h>

#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Stage;

TEST(LongSums, ShowTheirTenLargestTermsOnWish) {
  attention::Config config;
  config.n_heads = 1;
  config.d_model = config.d_out = 8;
  config.d_k = 40;
  Screen screen(make_document("one two three", config, 7));
  screen.view.state().selection.stage = Stage::kScores;
  screen.frames(2);
  EXPECT_TRUE(screen.shows("explain/0/3"));
  EXPECT_FALSE(screen.shows("explain/0/4")) << "only the beginning";
  screen.click("explain/order");
  EXPECT_TRUE(screen.view.state().reading.largest_first);
  EXPECT_TRUE(screen.shows("explain/0/9"));
  EXPECT_FALSE(screen.shows("explain/0/10")) << "… 30 more";
  screen.click("explain/order");
  EXPECT_FALSE(screen.view.state().reading.largest_first);
}

}  // namespace
}  // namespace lab
