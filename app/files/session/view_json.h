#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/files/session/json_writer.h"
#include "app/files/session/session_view.h"

namespace lab::files {

/// The view in the member "view" of a session; heads count from 1 there. Nothing in it is wrong
/// enough to keep a session from being opened: what is not understood is left out, and `notes` gets
/// a sentence for each.
SessionView read_view(const nlohmann::json& object, std::vector<std::string>& notes);

/// Writes that member.
void write_view(JsonWriter& out, const SessionView& view);

}  // namespace lab::files
