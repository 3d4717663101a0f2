#include "app/lessons/lesson_names.h"

#include <array>

#include "app/base/names.h"

namespace lab::lessons {
namespace {

constexpr std::array<std::string_view, 9> kControls{"sentence", "embeddings", "weights",
                                                    "mask",     "sizes",      "switches",
                                                    "heads",    "overrides",  "training"};
constexpr std::array<std::string_view, 15> kPanels{
    "edit",   "model",      "heads",    "tokens", "explain",       "row",    "head",  "network",
    "layers", "next_token", "training", "curves", "position_loss", "became", "glance"};
constexpr std::array<std::string_view, 8> kTileViews{
    "attention", "effect", "written", "previous", "induction", "duplicate", "first", "entropy"};

template <std::size_t size>
std::string joined(const std::array<std::string_view, size>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

std::string_view control_name(Control control) { return name_of_id(kControls, control); }

std::optional<Control> control_from_name(std::string_view name) {
  return id_from_name<Control>(kControls, name);
}

std::span<const std::string_view> hideable_panels() { return kPanels; }

std::span<const std::string_view> tile_views() { return kTileViews; }

std::string control_names() { return joined(kControls); }
std::string panel_names() { return joined(kPanels); }

}  // namespace lab::lessons
