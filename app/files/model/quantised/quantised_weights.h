#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/files/model/weights/checkpoint.h"

namespace lab::files {

/// Replaces the quantised weights of `checkpoint` by ones whose numbers are computed while they are
/// read, as quantization_config in the config.json `config` says; nothing where there is none.
/// Returns what a person should know, one sentence each. Throws BadInput naming the member when the
/// method, or how it is used, is not supported, and the tensor when one is missing or does not fit.
/// `in_out`: the family stores linear maps [in × out], for which this is not supported.
std::vector<std::string> widen_quantised_weights(const nlohmann::json& config, bool in_out,
                                                 Checkpoint& checkpoint);

}  // namespace lab::files
