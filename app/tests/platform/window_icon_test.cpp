// The icon that the window draws itself is the one of the desktop.

#include "app/platform/window_icon.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/files/open.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

// Red, green, blue and opacity of every pixel of assets/desktop/attention-lab.svg, as other
// programs draw it.
std::vector<std::uint8_t> drawn_by_others(int size) {
  const std::string text = std::to_string(size),
                    svg = files::assets_folder() + "/desktop/attention-lab.svg";
  const std::string command =
      "rsvg-convert -w " + text + " -h " + text + " '" + svg + "' | convert png:- -depth 8 rgba:-";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(size) * size * 4);
  pixels.resize(std::fread(pixels.data(), 1, pixels.size(), pipe.get()));
  return pixels;
}

TEST(WindowIcon, IsThatOfTheDesktop) {
  if (std::system("command -v rsvg-convert convert >/dev/null") != 0)
    GTEST_SKIP() << "rsvg-convert or ImageMagick is not installed";
  for (const int size : {32, 64, 128}) {
    const std::vector<std::uint8_t> own = icon_pixels(size), other = drawn_by_others(size);
    ASSERT_EQ(own.size(), other.size());
    double difference = 0;
    for (std::size_t i = 0; i < own.size(); i += 4) {
      difference += std::abs(own[i + 3] - other[i + 3]);
      if (own[i + 3] < 255 || other[i + 3] < 255) continue;
      for (std::size_t channel = 0; channel < 3; ++channel)
        difference += std::abs(own[i + channel] - other[i + channel]);
    }
    EXPECT_LT(difference / static_cast<double>(own.size()), 2) << size;  // of 255
  }
}

}  // namespace
}  // namespace lab
