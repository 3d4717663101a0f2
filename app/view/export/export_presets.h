#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// The named choices of the export dialog: a list to choose from, and a field with the name under
/// which the present ones are saved.
void preset_row(Ui& ui);

/// Saves the present choices under the name in the field, in place of those that have it; deletes
/// those. Both do nothing when there is no name.
void save_preset(Ui& ui);
/// Deletes those of that name; keeps the choices in the dialog.
void delete_preset(Ui& ui);

/// Takes the choices of the preset at `index` in the list; what belongs to the sentence stays.
void use_preset(Ui& ui, std::size_t index);

}  // namespace lab::view
