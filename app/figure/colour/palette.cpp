#include "app/figure/colour/palette.h"

#include <algorithm>
#include <cmath>

namespace lab::figure {
namespace {

/// A colour at a position of the palette, 0 … 1.
struct Anchor {
  double at;
  std::uint32_t rgb;  // 0xRRGGBB
};

constexpr std::array kAll = {Palette::kBlues, Palette::kRedBlue, Palette::kViridis,
                             Palette::kCividis, Palette::kMagma};

// Viridis and magma (Smith and van der Walt 2015) at every 17th of their 256 entries, cividis
// (Nuñez, Anderton and Renslow 2018) at every tenth of its length.
constexpr std::array<std::uint32_t, 16> kViridis = {
    0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
    0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
constexpr std::array<std::uint32_t, 16> kMagma = {
    0x000004, 0x0b0924, 0x20114b, 0x3b0f70, 0x57157e, 0x721f81, 0x8c2981, 0xa8327d,
    0xc43c75, 0xde4968, 0xf1605d, 0xfa7f5e, 0xfe9f6d, 0xfebf84, 0xfddea0, 0xfcfdbf};
constexpr std::array<std::uint32_t, 11> kCividis = {0x00204c, 0x00316f, 0x31446b, 0x4d556b,
                                                    0x666870, 0x7b7b78, 0x958f78, 0xaea373,
                                                    0xcab969, 0xe6d059, 0xffe945};

// Our own palettes. The light diverging one passes through RdBu of ColorBrewer.
constexpr std::array kBluesLight = {Anchor{0, 0xfbfcfe}, Anchor{0.25, 0xcfe2f6},
                                    Anchor{0.5, 0x7db1e1}, Anchor{0.75, 0x2e75bb},
                                    Anchor{1, 0x08306b}};
constexpr std::array kBluesDark = {Anchor{0, 0x1d2127}, Anchor{0.25, 0x203868},
                                   Anchor{0.5, 0x3b6cbd}, Anchor{0.75, 0x80affa},
                                   Anchor{1, 0xe3f2ff}};
constexpr std::array kRedBlueLight = {
    Anchor{0, 0x2166ac},    Anchor{0.105, 0x4393c3}, Anchor{0.22, 0x92c5de},
    Anchor{0.34, 0xd1e5f0}, Anchor{0.5, 0xf7f7f7},   Anchor{0.66, 0xfddbc7},
    Anchor{0.78, 0xf4a582}, Anchor{0.895, 0xd6604d}, Anchor{1, 0xb2182b}};
constexpr std::array kRedBlueDark = {
    Anchor{0, 0x3f9bff},    Anchor{0.105, 0x3374bd}, Anchor{0.22, 0x274a77},
    Anchor{0.35, 0x202b3a}, Anchor{0.5, 0x1d2127},   Anchor{0.65, 0x402825},
    Anchor{0.78, 0x89422e}, Anchor{0.895, 0xc9643f}, Anchor{1, 0xff8c54}};

double channel(std::uint32_t rgb, int shift) { return (rgb >> shift) & 0xff; }

std::uint8_t blend(const Anchor& a, const Anchor& b, double share, int shift) {
  return static_cast<std::uint8_t>(
      std::lround(std::lerp(channel(a.rgb, shift), channel(b.rgb, shift), share)));
}

Rgb colour_at(std::span<const Anchor> anchors, double at) {
  std::size_t i = 1;
  while (i + 1 < anchors.size() && anchors[i].at < at) ++i;
  const Anchor& a = anchors[i - 1];
  const Anchor& b = anchors[i];
  const double share = (at - a.at) / (b.at - a.at);
  return {blend(a, b, share, 16), blend(a, b, share, 8), blend(a, b, share, 0)};
}

PaletteTable table_of(std::span<const Anchor> anchors) {
  PaletteTable table;
  for (int i = 0; i < kPaletteSize; ++i)
    table[i] = colour_at(anchors, static_cast<double>(i) / (kPaletteSize - 1));
  return table;
}

template <std::size_t N>
PaletteTable table_of_even(const std::array<std::uint32_t, N>& colours) {
  std::array<Anchor, N> anchors{};
  for (std::size_t i = 0; i < N; ++i) anchors[i] = {static_cast<double>(i) / (N - 1), colours[i]};
  return table_of(anchors);
}

double linear(std::uint8_t encoded) {
  const double c = encoded / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

std::string_view palette_name(Palette palette) {
  switch (palette) {
    case Palette::kViridis:
      return "viridis";
    case Palette::kCividis:
      return "cividis";
    case Palette::kMagma:
      return "magma";
    case Palette::kBlues:
      return "blues";
    case Palette::kRedBlue:
      return "red-blue";
  }
  return "";
}

std::optional<Palette> palette_from_name(std::string_view name) {
  for (const Palette palette : kAll)
    if (palette_name(palette) == name) return palette;
  return std::nullopt;
}

std::span<const Palette> all_palettes() { return kAll; }

bool is_diverging(Palette palette) { return palette == Palette::kRedBlue; }

const PaletteTable& palette_table(Palette palette, bool dark) {
  static const PaletteTable viridis = table_of_even(kViridis);
  static const PaletteTable cividis = table_of_even(kCividis);
  static const PaletteTable magma = table_of_even(kMagma);
  static const std::array blues = {table_of(kBluesLight), table_of(kBluesDark)};
  static const std::array red_blue = {table_of(kRedBlueLight), table_of(kRedBlueDark)};
  switch (palette) {
    case Palette::kViridis:
      return viridis;
    case Palette::kCividis:
      return cividis;
    case Palette::kMagma:
      return magma;
    case Palette::kBlues:
      return blues[dark];
    case Palette::kRedBlue:
      return red_blue[dark];
  }
  return viridis;
}

Rgb colour_of(const PaletteTable& table, const Range& range, float value) {
  return table[static_cast<std::size_t>(std::lround(share_of(range, value) * (kPaletteSize - 1)))];
}

double relative_luminance(Rgb colour) {
  return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double contrast(Rgb a, Rgb b) {
  const auto [low, high] = std::minmax({relative_luminance(a), relative_luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

bool needs_dark_text(Rgb fill) { return contrast(fill, kDarkInk) >= contrast(fill, kLightInk); }

Rgb ink_on(Rgb fill) { return needs_dark_text(fill) ? kDarkInk : kLightInk; }

Rgb head_line_colour(int index) {
  // The bright scheme of Paul Tol.
  static constexpr std::array<Rgb, kLineColours> kColours{{{0x44, 0x77, 0xAA},
                                                           {0xEE, 0x66, 0x77},
                                                           {0x22, 0x88, 0x33},
                                                           {0xCC, 0xBB, 0x44},
                                                           {0x66, 0xCC, 0xEE},
                                                           {0xAA, 0x33, 0x77},
                                                           {0xBB, 0xBB, 0xBB}}};
  return kColours[static_cast<std::size_t>(index)];
}

Rgb special_fill(bool dark) { return dark ? Rgb{46, 52, 61} : Rgb{236, 238, 241}; }

Rgb special_ink(bool dark) { return dark ? Rgb{120, 130, 144} : Rgb{140, 149, 161}; }

}  // namespace lab::figure
