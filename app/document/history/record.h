#pragma once

#include <string>
#include <string_view>

namespace lab {

/// One committed command, undo or redo.
struct RecordLine {
  std::string text;    ///< one JSON object, without line end
  bool grows = false;  ///< the command became part of the step before it (History::commit_merged)
  bool operator==(const RecordLine&) const = default;
};

/// The lines that undo and redo one command in a record.
inline constexpr std::string_view kUndoLine = R"({"do":"undo"})";
inline constexpr std::string_view kRedoLine = R"({"do":"redo"})";

}  // namespace lab
