#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/training/options.h"

// What the menus of the Training card offer.

namespace lab::view {

/// Something that a menu offers.
struct OfferedOptions {
  std::string id;                                ///< within its menu
  std::string text;                              ///< of its line
  bool chosen = false;                           ///< it is what is chosen now
  attention::training::TrainingOptions options;  ///< with it
};

/// The lines of a menu, in groups with a line between them.
using OfferGroups = std::vector<std::vector<OfferedOptions>>;

/// A row of the card.
struct OptionRow {
  const char* id;
  const char* label;  ///< in English, for tr()
  /// What is chosen, in a few characters.
  std::string (*value)(const attention::training::TrainingOptions& now);
  /// What can be chosen instead; options that a trainer would refuse are left out. Reads the whole
  /// text where there is one: not for every frame.
  OfferGroups (*offered)(const attention::training::TrainingOptions& now);
};

/// The rows from top to bottom; the first one is the task.
std::span<const OptionRow> option_rows();

}  // namespace lab::view
