#pragma once

#include "app/document/commands/command.h"
#include "app/files/session/json_fields.h"
#include "core/layer/stage_info.h"

// Stages and their cells in JSON.

namespace lab::files {

/// The name of a stage: "weights".
template <>
struct JsonValue<attention::Stage> {
  static attention::Stage read(const JsonCursor& value) {
    return value.named(attention::stage_from_name, " is no stage");
  }
  static void write(JsonWriter& out, attention::Stage stage) { out.string(stage_name(stage)); }
};

/// A cell: {"stage": "weights", "head": 2, "row": 0, "col": 1}, where heads count from 1, and a
/// missing one is the first.
template <>
struct JsonFields<StageCell> : OpenLine {
  static void visit(auto& cell, auto&& members) {
    members("stage", cell.stage);
    members.may_miss("head", cell.head, JsonFromOne());
    members("row", cell.row);
    members("col", cell.col);
  }
};

}  // namespace lab::files
