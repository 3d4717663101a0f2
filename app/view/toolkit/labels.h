#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "app/figure/text/text_image.h"
#include "app/view/toolkit/texture_sink.h"

namespace lab::view {

/// The longest beginning of `text` that `fits` with … appended; only … when none does. `fits` must
/// be false for every text that is longer than one that does not fit.
std::string shortened(const std::string& text, const std::function<bool(const std::string&)>& fits);

/// The beginning of a label's text that can be visible at all, with … if it is longer: a word may
/// have thousands of letters.
std::string beginning_of(const std::string& text);

/// Text drawn by Pango, cached as textures: token labels in any script, formulas, rotated labels.
/// The least recently used are released when there are more than kCapacity.
class LabelCache {
 public:
  static constexpr std::size_t kCapacity = 6000;

  /// Textures go to `sink`, which must outlive the cache.
  explicit LabelCache(TextureSink& sink) : sink_(sink) {}
  ~LabelCache();
  /// Can be neither copied nor moved: it owns the textures.
  LabelCache(const LabelCache&) = delete;
  LabelCache& operator=(const LabelCache&) = delete;

  /// The metrics of a label, which is drawn on first use; without pixels. Valid until end_frame.
  const figure::TextImage& metrics(const figure::TextRequest& request);
  /// The advance of a label along its baseline, measured once, without drawing it.
  double width(const figure::TextRequest& request);
  /// The text of the request, or its longest beginning that fits with … into `width`. Cached.
  const std::string& fitting(const figure::TextRequest& request, double width);
  /// Draws the label into `list` with the start of its baseline at `at`, rounded to whole pixels so
  /// that it stays sharp, in `colour` (an emoji keeps its own colours).
  void draw(ImDrawList& list, const figure::TextRequest& request, ImVec2 at, ImU32 colour);
  /// Ends a frame: discards what has not been used for long.
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
  struct FittingRequest {
    figure::TextRequest request;
    long width = 0;  // pixels
    bool operator==(const FittingRequest&) const = default;
  };
  struct Hash {
    std::size_t operator()(const figure::TextRequest& request) const;
    std::size_t operator()(const FittingRequest& fitting) const;
  };
  Entry& entry(const figure::TextRequest& request);

  TextureSink& sink_;
  std::unordered_map<figure::TextRequest, Entry, Hash> entries_;
  std::unordered_map<figure::TextRequest, Width, Hash> widths_;
  std::unordered_map<FittingRequest, Fitted, Hash> fitted_;
  std::uint64_t frame_ = 0;
};

}  // namespace lab::view
