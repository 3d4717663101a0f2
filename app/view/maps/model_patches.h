#pragma once

#include <string>
#include <vector>

#include "app/document/analysis/model_analysis.h"
#include "app/view/maps/model_heads.h"

// Patching heads of a trained model from the state A that it is compared with.

namespace lab::view {

/// True when A and the edited state are the same model and read as many tokens: then numbers are
/// patched position by position, whatever the tokens are.
bool has_positions_of_a(const Ui& ui);

/// The model in state A with its forward pass, when heads of the edited state, which is shown, can
/// be patched from it, see has_positions_of_a(). Otherwise null pointers.
AnalysedModel model_of_a(const Ui& ui);

/// Why model_of_a() is null although A is a trained model and B is shown, one sentence; empty when
/// it is not null, or there is no such A.
std::string why_no_model_of_a(const Ui& ui);

/// Replaces the output of these heads by what they write in A; one undo step. Does nothing
/// where model_of_a() is null.
void patch_from_a(Ui& ui, const std::vector<HeadRef>& heads);
/// Takes such patches and all other overrides of the output of these heads away; one undo step.
void remove_patches(Ui& ui, std::vector<HeadRef> heads);

}  // namespace lab::view
