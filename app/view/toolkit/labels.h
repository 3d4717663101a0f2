#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "app/figure/text/text_image.h"
#include "app/view/toolkit/texture_sink.h"

namespace lab::view {

/// The longest beginning of `text` that `fits` with … behind it; the … alone when none does. Longer
/// ones must not fit where shorter ones do not.
std::string shortened(const std::string& text, const std::function<bool(const std::string&)>& fits);

/// As much of a label's text as anybody can see of it, with … where it is longer: a word may have
/// thousands of letters.
std::string beginning_of(const std::string& text);

/// Text drawn by Pango, kept as textures: token labels in any script, formulas, turned labels. The
/// least recently used are given back when there are more than kCapacity.
class LabelCache {
 public:
  static constexpr std::size_t kCapacity = 6000;

  /// Textures go to `sink`, which must outlive the cache.
  explicit LabelCache(TextureSink& sink) : sink_(sink) {}
  ~LabelCache();
  LabelCache(const LabelCache&) = delete;
  LabelCache& operator=(const LabelCache&) = delete;

  /// Metrics of a label, drawn on first use; the pixels are not kept. Valid until end_frame.
  const figure::TextImage& metrics(const figure::TextRequest& request);
  /// How far a label reaches along its baseline: the advance of its metrics, without drawing it.
  /// Measured once.
  double width(const figure::TextRequest& request);
  /// The text of the request, or its longest beginning that fits with … into `width`. Found once.
  const std::string& fitting(const figure::TextRequest& request, double width);
  /// Draws the label into `list` with the start of its baseline at `at`, rounded to whole pixels so
  /// that it stays sharp, in `colour` (an emoji keeps its own colours).
  void draw(ImDrawList& list, const figure::TextRequest& request, ImVec2 at, ImU32 colour);
  /// Ends a frame: forgets what has not been used for long.
  void end_frame();

 private:
  struct Entry {
    figure::TextImage image;  // without pixels
    TextureId texture = 0;
    std::uint64_t last_used = 0;
  };
  struct Width {
    double pixels = 0;
    std::uint64_t last_used = 0;
  };
  struct Fitted {
    std::string text;
    std::uint64_t last_used = 0;
  };
  Entry& entry(const figure::TextRequest& request);

  TextureSink& sink_;
  std::unordered_map<std::string, Entry> entries_;
  std::unordered_map<std::string, Width> widths_;
  std::unordered_map<std::string, Fitted> fitted_;
  std::uint64_t frame_ = 0;
};

}  // namespace lab::view
