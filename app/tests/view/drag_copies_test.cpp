// The memory cost of a drag: each frame copies only the edited matrix, and only once.
#include <gtest/gtest.h>

#include "app/tests/memory_peak.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

// 128 tokens, d_model 512, 8 heads.
Document large_document() {
  attention::Config config;
  config.d_model = config.d_out = 512;
  config.n_heads = 8;
  config.d_k = config.d_v = 64;
  std::string sentence;
  for (int i = 0; i < 128; ++i) sentence += "w" + std::to_string(i) + " ";
  return make_document(sentence, config, 1);
}

// The number of allocations of the size of `matrix` in each frame of a drag of its first cell.
std::vector<int> copies_in_frames(Screen& screen, MatrixRef matrix) {
  constexpr std::size_t kAround = 8192;  // for alignment, and pages of the allocator
  const auto size = static_cast<std::size_t>((*matrix_of(screen.document(), matrix)).size());
  const Rect cell = screen.place("matrix/" + std::string(matrix_name(matrix.id)) + "/0/0");
  screen.move({cell.x + 4, cell.y + 4});
  screen.press();
  screen.move({cell.x + 4, cell.y - 20});
  std::vector<int> copies;
  for (int step = 1; step <= 4; ++step) {
    const float before = screen.cell(matrix, 0, 0);
    const BlocksTaken taken(size * sizeof(float), size * sizeof(float) + kAround);
    screen.move({cell.x + 4, cell.y - 20 - static_cast<float>(step)});
    copies.push_back(taken.count());
    EXPECT_NE(screen.cell(matrix, 0, 0), before);
  }
  screen.release();
  return copies;
}

TEST(DragCopies, TheMatrixOnceAFrame) {
  if (!MemoryPeak::is_measured()) GTEST_SKIP() << "allocations cannot be seen here";
  Screen screen(large_document());
  EXPECT_EQ(copies_in_frames(screen, {MatrixId::kWQ, 0}), std::vector<int>(4, 1));
}

}  // namespace
}  // namespace lab
