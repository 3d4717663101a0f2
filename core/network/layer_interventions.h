#pragma once

#include "core/network/interventions.h"

namespace attention::network {

/// The interventions in one sublayer.
struct LayerInterventions {
  const Interventions* all = nullptr;  ///< null: none
  LayerPlace at;

  /// True when a number of this sublayer is overridden.
  bool any_override() const;
  /// True when one of that stage is, of `head` (from 0; 0 for stages without heads).
  bool any_override(Stage stage, Index head) const;
};

/// Writes what replaces numbers of `stage` in `head` (from 0; 0 for stages without heads) into
/// `rows`, which are some of the stage's from `first_row` on: first a patch, then overrides, times
/// `factor`.
void replace(const LayerInterventions& interventions, Stage stage, Index head, Index first_row,
             MatrixSlot rows, float factor = 1);

/// The factor of the output of `head`, see head_gain().
float gain_of(const LayerInterventions& interventions, Index head);

}  // namespace attention::network
