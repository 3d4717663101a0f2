#pragma once

#include <string>

#include "app/document/commands/command.h"

namespace lab {

/// The name of the step of a head that is called `head`: "L1H0 muted".
std::string head_mix_label(const SetHeadMix& command, const std::string& head);

}  // namespace lab
