#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/document/commands/command.h"

// A cell of a stage as it is written in sessions: {"stage": "weights", "head": 2, "row": 0, "col":
// 1}, where heads count from 1. All readers throw BadInput as in json_reading.h.

namespace lab::files {

/// The stage of that name.
attention::Stage stage_named(const std::string& name, const std::string& path);

/// The index of a head, from 0.
int read_head(const nlohmann::json& value, const std::string& path);

/// The cell; its head is 0 when none is given. Other members are ignored.
StageCell read_stage_cell(const nlohmann::json& object, const std::string& path);

/// The members without braces: "stage": "weights", "head": 2, "row": 0, "col": 1.
std::string stage_cell_json(const StageCell& cell);

}  // namespace lab::files
