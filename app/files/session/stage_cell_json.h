#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/document/commands/command.h"

// A cell of a stage as sessions hold it: {"stage": "weights", "head": 2, "row": 0, "col": 1}; heads
// count from 1 there. Everything that reads throws BadInput, as json_reading.h does.

namespace lab::files {

/// The stage of that name.
attention::Stage stage_named(const std::string& name, const std::string& path);

/// A head, from 0.
int read_head(const nlohmann::json& value, const std::string& path);

/// The cell; its head is 0 where none is named. What else the object holds is not looked at.
StageCell read_stage_cell(const nlohmann::json& object, const std::string& path);

/// The members without the braces: "stage": "weights", "head": 2, "row": 0, "col": 1.
std::string stage_cell_json(const StageCell& cell);

}  // namespace lab::files
