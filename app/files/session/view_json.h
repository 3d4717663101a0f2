#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/files/session/json_writer.h"
#include "app/files/session/session_view.h"

namespace lab::files {

/// The view in the member "view" of a session, where heads count from 1. A session opens whatever
/// its view holds: what is not understood is skipped, with a sentence in `notes`.
SessionView read_view(const nlohmann::json& object, std::vector<std::string>& notes);

/// Writes that member to `out`.
void write_view(JsonWriter& out, const SessionView& view);

}  // namespace lab::files
