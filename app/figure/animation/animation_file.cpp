#include "app/figure/animation/animation_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <stdexcept>

#include "app/embedded_session/session_formats.h"

namespace lab::figure {
namespace {

constexpr double kLargestFrameSide = 16383;  // what a WebP can have
constexpr double kLargestFrameArea = 50e6;
constexpr double kMostPixelsInAll = 2e9;  // in all frames together
constexpr int kPaint = 8;                 // times the work of measuring

constexpr std::array kAnimationFormats{
    AnimationFormat{".webp", "WebP", true, false, embedded_session::add_webp_session, webp_encoder},
    AnimationFormat{".gif", "GIF", false, true, nullptr, gif_encoder},
};

Expected<void> check_size(double width, double height, int count) {
  if (width <= kLargestFrameSide && height <= kLargestFrameSide &&
      width * height <= kLargestFrameArea && width * height * count <= kMostPixelsInAll)
    return {};
  return fail(ErrorType::kUsage,
              "The animation would be too large: its frames may have up to 16383 pixels on a side "
              "and 50 megapixels each, 2000 megapixels in all. Choose a smaller width or "
              "resolution, or fewer frames.");
}

/// Paints every figure and passes it to `take`.
template <typename Take>
Expected<void> for_each_frame(AnimationFigures& figures, const WriteOptions& writing, Take&& take) {
  for (int i = 0; i < figures.count(); ++i) {
    const auto timed = figures.at(i);
    if (!timed) return tl::make_unexpected(timed.error());
    const FigureImage frame = figure_pixels(timed->figure, writing.dpi / kPointsPerInch);
    if (frame.rgba.empty()) throw std::bad_alloc();
    take(frame, timed->milliseconds);
    attention::report_work(writing.watch, kPaint);
  }
  return {};
}

Expected<std::string> encoded(AnimationFigures& figures, FrameEncoder& encoder, bool learns,
                              const WriteOptions& writing) {
  if (learns) {
    const auto learn = [&](const FigureImage& frame, int) { encoder.learn(frame); };
    if (auto done = for_each_frame(figures, writing, learn); !done)
      return tl::make_unexpected(done.error());
  }
  const auto add = [&](const FigureImage& frame, int time) { encoder.add(frame, time); };
  if (auto done = for_each_frame(figures, writing, add); !done)
    return tl::make_unexpected(done.error());
  return encoder.finish();
}

Expected<std::string> write(const Animation& animation, const AnimationFormat& format,
                            const WriteOptions& writing, const Snapshot* kept) {
  const int painted = format.learns ? 2 : 1;
  attention::expect_work(writing.watch, attention::Index{animation.count} *
                                            (AnimationFigures::kPasses + painted * kPaint));
  auto figures = AnimationFigures::measured(animation, kept, writing.watch);
  if (!figures) return tl::make_unexpected(figures.error());
  if (figures->transparent() && !format.transparent)
    return fail(ErrorType::kUsage, "a " + std::string(format.name) +
                                       " has no soft edges on a transparent background; choose "
                                       "WebP, or keep the background");
  const double scale = writing.dpi / kPointsPerInch;
  const double width = std::ceil(figures->width() * scale);
  const double height = std::ceil(figures->height() * scale);
  if (auto fits = check_size(width, height, animation.count); !fits)
    return tl::make_unexpected(fits.error());
  const auto encoder = format.encoder(static_cast<int>(width), static_cast<int>(height));
  auto bytes = encoded(*figures, *encoder, format.learns, writing);
  if (bytes && format.embed != nullptr && !writing.session.empty())
    format.embed(*bytes, writing.session);
  return bytes;
}

}  // namespace

std::span<const AnimationFormat> animation_formats() { return kAnimationFormats; }

const AnimationFormat* animation_format(std::string_view ending) {
  const auto found = std::ranges::find(kAnimationFormats, ending, &AnimationFormat::ending);
  return found == kAnimationFormats.end() ? nullptr : &*found;
}

Expected<std::string> animation_file(const Animation& animation, const AnimationFormat& format,
                                     const WriteOptions& writing, const Snapshot* kept) try {
  return write(animation, format, writing, kept);
} catch (const std::bad_alloc&) {
  return fail(ErrorType::kFailed, "There is not enough memory for this animation.");
} catch (const std::runtime_error& problem) {
  return fail(ErrorType::kFailed, problem.what());
}

}  // namespace lab::figure
