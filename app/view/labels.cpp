#include "app/view/labels.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lab {
namespace {

/// Tells every request from every other.
std::string key_of(const TextRequest& request) {
  return std::to_string(request.size) + ' ' + std::to_string(request.angle) + ' ' +
         std::to_string(static_cast<int>(request.face)) +
         (request.markup ? " markup " : " plain ") + std::to_string(request.ink.r) + ' ' +
         std::to_string(request.ink.g) + ' ' + std::to_string(request.ink.b) + ' ' + request.text;
}

/// The tint of a picture that brings its own colours: only `colour`'s opacity.
ImU32 opacity_of(ImU32 colour) { return colour | ~IM_COL32_A_MASK; }

/// The same text in ink of that colour, for text beside an emoji, which must not be tinted.
TextRequest inked(TextRequest request, ImU32 colour) {
  const auto channel = [colour](int shift) { return static_cast<std::uint8_t>(colour >> shift); };
  request.ink = {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
  return request;
}

}  // namespace

LabelCache::~LabelCache() {
  for (const auto& [key, entry] : entries_)
    if (entry.texture) sink_.destroy(entry.texture);
}

LabelCache::Entry& LabelCache::entry(const TextRequest& request) {
  const auto [found, is_new] = entries_.try_emplace(key_of(request));
  Entry& entry = found->second;
  if (is_new) {
    entry.image = draw_text(request);
    if (!request.text.empty() && !entry.image.rgba.empty())
      entry.texture = sink_.create_image(entry.image.width, entry.image.height, entry.image.rgba);
    entry.image.rgba = {};
  }
  entry.last_used = frame_;
  return entry;
}

const TextImage& LabelCache::metrics(const TextRequest& request) { return entry(request).image; }

void LabelCache::draw(ImDrawList& list, const TextRequest& request, ImVec2 at, ImU32 colour) {
  const bool coloured = entry(request).image.coloured;
  const Entry& label = entry(coloured ? inked(request, colour) : request);
  if (!label.texture) return;
  const TextImage& image = label.image;
  const ImVec2 min{static_cast<float>(std::round(at.x - image.origin_x)),
                   static_cast<float>(std::round(at.y - image.origin_y))};
  const ImVec2 max{min.x + static_cast<float>(image.width),
                   min.y + static_cast<float>(image.height)};
  list.AddImage(sink_.image_id(label.texture), min, max, {0, 0}, {1, 1},
                coloured ? opacity_of(colour) : colour);
}

void LabelCache::end_frame() {
  ++frame_;
  if (entries_.size() <= kCapacity) return;
  std::vector<decltype(entries_)::iterator> oldest;
  oldest.reserve(entries_.size());
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) oldest.push_back(entry);
  const auto kept = oldest.begin() + (entries_.size() - kCapacity);
  std::nth_element(oldest.begin(), kept, oldest.end(), [](const auto& a, const auto& b) {
    return a->second.last_used < b->second.last_used;
  });
  for (auto entry = oldest.begin(); entry != kept; ++entry) {
    if ((*entry)->second.texture) sink_.destroy((*entry)->second.texture);
    entries_.erase(*entry);
  }
}

}  // namespace lab
