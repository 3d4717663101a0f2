#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "app/tests/rooms.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/labels.h"

namespace lab {
namespace {

/// A sink that remembers which textures are alive.
class FakeSink final : public TextureSink {
 public:
  TextureId create_values(const attention::MatrixView&) override { return 0; }
  TextureId create_image(int width, int height, std::span<const std::uint8_t> rgba) override {
    EXPECT_EQ(rgba.size(), static_cast<std::size_t>(width) * height * 4);
    alive.insert(++created);
    return created;
  }
  void destroy(TextureId texture) override { EXPECT_EQ(alive.erase(texture), 1u); }
  void paint(ImDrawList&, TextureId, const HeatMapPaint&) override {}
  ImTextureID image_id(TextureId texture) const override { return compat::texture_id(texture); }
  std::uint64_t uploads() const override { return created; }

  TextureId created = 0;
  std::set<TextureId> alive;
};

TextRequest text(std::string words) { return {.text = std::move(words), .size = 13}; }

class LabelCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    list = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
    list->_ResetForNewFrame();
    list->PushClipRect({0, 0}, {1000, 1000});
  }
  void TearDown() override {
    list.reset();
    ImGui::DestroyContext();
  }

  FakeSink sink;
  LabelCache labels{sink};
  std::unique_ptr<ImDrawList> list;
};

TEST_F(LabelCacheTest, DrawsATextOnce) {
  labels.metrics(text("animal"));
  labels.draw(*list, text("animal"), {10, 20}, IM_COL32_WHITE);
  labels.end_frame();
  labels.draw(*list, text("animal"), {50, 20}, IM_COL32_BLACK);
  EXPECT_EQ(sink.created, 1u);
}

TEST_F(LabelCacheTest, TellsRequestsApart) {
  TextRequest request = text("W");
  labels.metrics(request);
  request.size = 13.5;
  labels.metrics(request);
  request.angle = 45;
  labels.metrics(request);
  request.face = TextFace::kMono;
  labels.metrics(request);
  request.markup = true;
  labels.metrics(request);
  request.text = "V";
  labels.metrics(request);
  EXPECT_EQ(sink.created, 6u);
}

TEST_F(LabelCacheTest, KeepsMetricsButNoPixels) {
  const TextImage& image = labels.metrics(text("street"));
  EXPECT_GT(image.width, 10);
  EXPECT_GT(image.advance, 10);
  EXPECT_TRUE(image.rgba.empty());
}

TEST_F(LabelCacheTest, StandsOnWholePixelsWithItsBaselineWhereAsked) {
  const ImVec2 at{100.4f, 50.7f};
  labels.draw(*list, text("animal"), at, IM_COL32(1, 2, 3, 255));
  const TextImage& image = labels.metrics(text("animal"));
  ASSERT_EQ(list->VtxBuffer.Size, 4);
  const ImDrawVert& min = list->VtxBuffer[0];
  const ImDrawVert& max = list->VtxBuffer[2];
  EXPECT_EQ(min.pos.x, std::floor(min.pos.x));
  EXPECT_EQ(min.pos.y, std::floor(min.pos.y));
  EXPECT_NEAR(min.pos.x + image.origin_x, at.x, 0.51);
  EXPECT_NEAR(min.pos.y + image.origin_y, at.y, 0.51);
  EXPECT_EQ(max.pos.x - min.pos.x, static_cast<float>(image.width));
  EXPECT_EQ(max.pos.y - min.pos.y, static_cast<float>(image.height));
  EXPECT_EQ(min.col, IM_COL32(1, 2, 3, 255));
}

TEST_F(LabelCacheTest, AnEmojiKeepsItsColours) {
  const TextRequest emoji = text("\U0001F600");
  if (!labels.metrics(emoji).coloured) GTEST_SKIP() << "no font with coloured emoji";
  labels.draw(*list, emoji, {10, 10}, IM_COL32(1, 2, 3, 77));
  EXPECT_EQ(list->VtxBuffer[0].col, IM_COL32(255, 255, 255, 77));
}

TEST_F(LabelCacheTest, NoTextDrawsNothing) {
  labels.draw(*list, text(""), {10, 10}, IM_COL32_WHITE);
  EXPECT_EQ(list->VtxBuffer.Size, 0);
}

TEST_F(LabelCacheTest, ForgetsWhatWasNotUsedForLongest) {
  for (std::size_t i = 0; i < LabelCache::kCapacity; ++i) labels.metrics(text(std::to_string(i)));
  labels.end_frame();
  EXPECT_EQ(sink.alive.size(), LabelCache::kCapacity);
  labels.metrics(text("0"));  // used again
  labels.metrics(text("new 1"));
  labels.metrics(text("new 2"));
  labels.end_frame();
  EXPECT_EQ(sink.alive.size(), LabelCache::kCapacity);
  const TextureId before = sink.created;
  for (const char* kept : {"0", "new 1", "new 2"}) labels.metrics(text(kept));
  EXPECT_EQ(sink.created, before);
}

TEST(LabelCache, GivesEverythingBack) {
  FakeSink sink;
  {
    LabelCache labels(sink);
    labels.metrics(text("a"));
    labels.metrics(text("b"));
    EXPECT_EQ(sink.alive.size(), 2u);
  }
  EXPECT_TRUE(sink.alive.empty());
}

}  // namespace
}  // namespace lab
