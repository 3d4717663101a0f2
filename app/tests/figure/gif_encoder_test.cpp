#include <gmock/gmock.h>

#include "app/figure/animation/frame_encoder.h"
#include "app/figure/animation/gif_palette.h"
#include "app/tests/figure/film.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using testing::SizeIs;

FigureImage picture(int width, int height) {
  FigureImage image{width, height, {}};
  image.rgba.assign(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 255);
  return image;
}

void set(FigureImage& image, int place, Rgb colour) {
  std::uint8_t* pixel = image.rgba.data() + 4 * place;
  pixel[0] = colour.r, pixel[1] = colour.g, pixel[2] = colour.b;
}

/// As many colours as asked for, one a pixel, from `first` on.
FigureImage colours(int count, int first = 0) {
  FigureImage image = picture(count, 1);
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<unsigned>(first + i) * 2654435u;
    set(image, i,
        {static_cast<std::uint8_t>(n >> 16), static_cast<std::uint8_t>(n >> 8),
         static_cast<std::uint8_t>(n)});
  }
  return image;
}

Film film_of(const std::vector<FigureImage>& frames) {
  const auto encoder = gif_encoder(frames.front().width, frames.front().height);
  for (const FigureImage& frame : frames) encoder->learn(frame);
  for (const FigureImage& frame : frames) encoder->add(frame, 40);
  return film_in_gif(encoder->finish());
}

TEST(GifEncoder, IsExactUpTo255ColoursOfAllFramesTogether) {
  for (const int count : {1, 2, 3, 4, 64, 127, 128}) {
    const std::vector<FigureImage> frames{colours(count), colours(count, 127), colours(count)};
    const Film film = film_of(frames);
    ASSERT_THAT(film.frames, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(film.frames[i].rgba, frames[i].rgba) << count;
  }
}

TEST(GifEncoder, FlatAreasStayFlatAndNearWhereColoursAreTooMany) {
  FigureImage image = picture(1000, 40);
  const FigureImage many = colours(1000);
  for (int i = 0; i < 1000; ++i)
    set(image, i, {many.rgba[4 * i], many.rgba[4 * i + 1], many.rgba[4 * i + 2]});
  const Film film = film_of({image});
  ASSERT_THAT(film.frames, SizeIs(1));
  const FigureImage& shown = film.frames.front();
  for (int i = 1000; i < 40000; ++i)
    for (int c = 0; c < 3; ++c) ASSERT_GE(shown.rgba[4 * i + c], 254) << i;
}

TEST(GifEncoder, AFrameThatIsTheSameStands) {
  const Film film = film_of({colours(5), colours(5), colours(5, 1)});
  ASSERT_THAT(film.frames, SizeIs(3));
  EXPECT_EQ(film.frames[1].rgba, colours(5).rgba);
  EXPECT_EQ(film.frames[2].rgba, colours(5, 1).rgba);
}

TEST(ColourCount, GivesNoMoreThanAskedFor) {
  for (const std::size_t most : {1u, 2u, 16u, 255u}) {
    ColourCount count(most);
    count.add(colours(3000));
    EXPECT_THAT(count.colours(), SizeIs(most));
  }
}

}  // namespace
}  // namespace lab
