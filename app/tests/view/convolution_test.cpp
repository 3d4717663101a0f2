// A model some of whose layers are convolutions, in the window.
#include <gmock/gmock.h>

#include "app/tests/view/model_screen.h"
#include "app/view/model/tile_numbers.h"

namespace lab {
namespace {

using ::testing::HasSubstr;

Document opened_lfm2() {
  auto model = open_model_source(std::string(GOLDEN_MODELS) + "/lfm2");
  if (!model) throw std::runtime_error(model.error().message);
  return std::move(model->document);
}

// With what ModelScreen has besides.
struct Lfm2Screen : Screen {
  Lfm2Screen() : Screen(opened_lfm2(), {1600, 1000}) { settle(); }
  void settle() {
    frames(3);
    for (int i = 0; i < 3000 && view.model_numbers().busy(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      frames();
    }
    frames(2);
  }
  attention::Index layer() const { return document().layer.at.layer; }
};

TEST(ConvolutionInTheWindow, HasARowThatSaysSo) {
  Lfm2Screen screen;
  EXPECT_EQ(screen.layer(), 1) << "the first layer that attends";
  for (const char* row : {"tile/convolution/0", "tile/convolution/2"})
    EXPECT_TRUE(screen.shows(row)) << row;
  EXPECT_FALSE(screen.shows("tile/convolution/1"));
}

TEST(ConvolutionInTheWindow, CannotBeLookedAt) {
  Lfm2Screen screen;
  screen.click("tile/convolution/2");
  screen.settle();
  EXPECT_EQ(screen.layer(), 1);
  EXPECT_THAT(screen.workspace.message(), HasSubstr("is a convolution: it has no attention"));
}

TEST(ConvolutionInTheWindow, IsThereWhateverTheTilesShow) {
  Lfm2Screen screen;
  for (const TileView view :
       {TileView::kEffect, TileView::kWritten, TileView::kReadOut, TileView::kPrevious,
        TileView::kInduction, TileView::kFirst, TileView::kDuplicate, TileView::kEntropy,
        TileView::kSensitivity, TileView::kAttention}) {
    screen.view.state().model.tiles = view;
    screen.settle();
    EXPECT_EQ(screen.shows("tile/convolution/0"), view != TileView::kReadOut)
        << static_cast<int>(view);
  }
}

}  // namespace
}  // namespace lab
