#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lab::figure {

/// A colour in sRGB, 8 bits per channel.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};

/// The palettes; colour-blind readers can distinguish the colours of each.
enum class Palette {
  kViridis,
  kCividis,
  kMagma,
  kBlues,    ///< sequential, from the surface colour to deep blue (dark theme: to bright blue)
  kRedBlue,  ///< diverging: blue − … surface 0 … red +
};

/// Number of colours in a palette.
inline constexpr int kPaletteSize = 256;
using PaletteTable = std::array<Rgb, kPaletteSize>;

/// "viridis", "cividis", "magma", "blues", "red-blue".
std::string_view palette_name(Palette palette);
/// The palette of that name, or nothing.
std::optional<Palette> palette_from_name(std::string_view name);
/// Every palette in menu order.
std::span<const Palette> all_palettes();
/// True for palettes with a neutral middle.
bool is_diverging(Palette palette);

/// The colours of a palette from the low end of the range to the high end. Blues and red-blue start
/// from, or pass through, the surface colour of the theme; in the dark theme their ends are bright
/// (red-blue: bright blue to orange).
const PaletteTable& palette_table(Palette palette, bool dark);

/// The fill of cells that have no colour in the palette: NaN and −∞.
Rgb special_fill(bool dark);
/// The line colour of the NaN cross and the hatching.
Rgb special_ink(bool dark);

/// How the colours of a palette are spread over a range. Numbers on both sides of `Range::zero` are
/// treated alike, so that it keeps its colour.
enum class Spread {
  kLinear,       ///< evenly
  kSquareRoot,   ///< by the square root of the distance d from zero, 1 at the farther end
  kLogarithmic,  ///< by log(1 + 999 d): nearly a third of the colours for each of three decades
};

/// Every spread in menu order.
std::span<const Spread> all_spreads();
/// "linear", "sqrt", "log".
std::string_view spread_name(Spread spread);
/// The spread of that name, or nothing.
std::optional<Spread> spread_from_name(std::string_view name);

/// The range of values that a palette covers.
struct Range {
  float lo = 0;
  float hi = 1;
  Spread spread = Spread::kLinear;
  float zero = 0;  ///< where a spread that is not linear measures distances from
  bool operator==(const Range&) const = default;
};

/// Where `value` is between the ends of the palette, 0 … 1, clamped; 0 for NaN and when the range
/// is empty or has an end that is not finite.
double share_of(const Range& range, float value);
/// The number at `share`, 0 … 1, of the palette: the inverse of share_of.
float value_at(const Range& range, double share);

/// The colour of `value`: the entry at share_of.
Rgb colour_of(const PaletteTable& table, const Range& range, float value);

/// The ink colours for text on a coloured cell. One of them has a contrast of at least 4.5 on any
/// fill.
inline constexpr Rgb kDarkInk{0, 0, 0};
inline constexpr Rgb kLightInk{255, 255, 255};

/// Relative luminance as WCAG 2 defines it: 0 for black, 1 for white.
double relative_luminance(Rgb colour);
/// Contrast ratio as WCAG 2 defines it: 1 for equal colours, 21 for black and white.
double contrast(Rgb a, Rgb b);
/// True when dark text reads better on `fill` than light text (WCAG relative luminance).
bool needs_dark_text(Rgb fill);
/// The ink that reads better on `fill`: kDarkInk or kLightInk.
Rgb ink_on(Rgb fill);

/// Most heads whose lines can be distinguished by colour.
inline constexpr int kLineColours = 7;

/// The colour of the lines of the head at `index` among several, 0 … kLineColours − 1; readers with
/// any colour vision can distinguish them.
Rgb head_line_colour(int index);

}  // namespace lab::figure
