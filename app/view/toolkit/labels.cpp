#include "app/view/toolkit/labels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

namespace lab::view {
namespace {

// Of the values that tell labels of one window apart: there is mostly one size, angle and face a
// text.
std::size_t combined(std::size_t hash, double value) {
  return hash * 31 + std::hash<double>()(value);
}

/// The tint of a picture with its own colours: only the opacity of `colour`.
ImU32 opacity_of(ImU32 colour) { return colour | ~IM_COL32_A_MASK; }

/// The same text drawn in that colour, for text beside an emoji, which must not be tinted.
figure::TextRequest inked(figure::TextRequest request, ImU32 colour) {
  const auto channel = [colour](int shift) { return static_cast<std::uint8_t>(colour >> shift); };
  request.ink = {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
  return request;
}

constexpr std::string_view kEllipsis = "…";

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

// Where `text` may be cut: before each of its characters.
std::vector<std::size_t> cuts_of(const std::string& text) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (starts_character(text[i])) cuts.push_back(i);
  return cuts;
}

template <typename Entries>
void forget_unused(Entries& entries, std::size_t capacity, auto forget) {
  if (entries.size() <= capacity) return;
  std::vector<typename Entries::iterator> oldest;
  oldest.reserve(entries.size());
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) oldest.push_back(entry);
  const auto kept = oldest.begin() + (entries.size() - capacity);
  std::nth_element(oldest.begin(), kept, oldest.end(), [](const auto& a, const auto& b) {
    return a->second.last_used < b->second.last_used;
  });
  for (auto entry = oldest.begin(); entry != kept; ++entry) {
    forget((*entry)->second);
    entries.erase(*entry);
  }
}

}  // namespace

std::string shortened(const std::string& text,
                      const std::function<bool(const std::string&)>& fits) {
  const auto beginning = [&](std::size_t end) { return text.substr(0, end).append(kEllipsis); };
  const std::vector<std::size_t> cuts = cuts_of(text);
  const auto too_long =
      std::ranges::partition_point(cuts, [&](std::size_t end) { return fits(beginning(end)); });
  return beginning(too_long == cuts.begin() ? 0 : *std::prev(too_long));
}

std::string beginning_of(const std::string& text) {
  constexpr std::size_t kMostBytes = 240;
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (!starts_character(text[end])) --end;
  return text.substr(0, end).append(kEllipsis);
}

std::size_t LabelCache::Hash::operator()(const figure::TextRequest& request) const {
  const std::size_t text = std::hash<std::string>()(request.text);
  return combined(combined(combined(text, request.size), request.angle),
                  static_cast<int>(request.face));
}

std::size_t LabelCache::Hash::operator()(const FittingRequest& fitting) const {
  return combined((*this)(fitting.request), static_cast<double>(fitting.width));
}

LabelCache::~LabelCache() {
  for (const auto& [key, entry] : entries_)
    if (entry.texture) sink_.destroy(entry.texture);
}

LabelCache::Entry& LabelCache::entry(const figure::TextRequest& request) {
  const auto [found, is_new] = entries_.try_emplace(request);
  Entry& entry = found->second;
  if (is_new) {
    entry.image = figure::draw_text(request);
    if (!request.text.empty() && !entry.image.rgba.empty())
      entry.texture = sink_.create_image(entry.image.width, entry.image.height, entry.image.rgba);
    entry.image.rgba = {};
  }
  entry.last_used = frame_;
  return entry;
}

const figure::TextImage& LabelCache::metrics(const figure::TextRequest& request) {
  return entry(request).image;
}

double LabelCache::width(const figure::TextRequest& request) {
  const auto [found, is_new] = widths_.try_emplace(request);
  if (is_new) found->second.pixels = figure::text_width(request);
  found->second.last_used = frame_;
  return found->second.pixels;
}

void LabelCache::draw(ImDrawList& list, const figure::TextRequest& request, ImVec2 at,
                      ImU32 colour) {
  const bool coloured = entry(request).image.coloured;
  const Entry& label = entry(coloured ? inked(request, colour) : request);
  if (!label.texture) return;
  const figure::TextImage& image = label.image;
  const ImVec2 min{static_cast<float>(std::round(at.x - image.origin_x)),
                   static_cast<float>(std::round(at.y - image.origin_y))};
  const ImVec2 max{min.x + static_cast<float>(image.width),
                   min.y + static_cast<float>(image.height)};
  list.AddImage(sink_.image_id(label.texture), min, max, {0, 0}, {1, 1},
                coloured ? opacity_of(colour) : colour);
}

const std::string& LabelCache::fitting(const figure::TextRequest& request, double width) {
  const auto [found, is_new] = fitted_.try_emplace(FittingRequest{request, std::lround(width)});
  if (is_new) {
    const bool fits = metrics(request).advance <= width + 0.5;
    figure::TextRequest cut = request;
    found->second.text =
        fits ? request.text : shortened(request.text, [&](const std::string& text) {
          cut.text = text;
          return figure::text_width(cut) <= width;
        });
  }
  found->second.last_used = frame_;
  return found->second.text;
}

void LabelCache::end_frame() {
  ++frame_;
  forget_unused(widths_, kCapacity, [](const Width&) {});
  forget_unused(fitted_, kCapacity, [](const Fitted&) {});
  forget_unused(entries_, kCapacity, [this](const Entry& entry) {
    if (entry.texture) sink_.destroy(entry.texture);
  });
}

}  // namespace lab::view
