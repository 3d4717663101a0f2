#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lab::files {

/// The texts stored with tensors, by name.
using Metadata = std::map<std::string, std::string>;

/// Metadata from a JSON object of strings; throws BadInput when it is something else.
Metadata metadata_from_json(const nlohmann::json& object);

/// The metadata as one JSON object on one line.
std::string metadata_to_json(const Metadata& metadata);

}  // namespace lab::files
