#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/commands/command.h"

namespace lab {

/// A line with a command on a trained model: as of a session, but heads count from 0 in it, and
/// "layer" names the layer.
struct LayeredLine {
  std::optional<std::string> layer;  ///< as written; unset: not specified
  Command command;
};

/// The line as JSON, as to_json_line() of command.h writes it.
std::string to_json_line(const LayeredLine& line);

/// Reads such a line. Fails as command_from_json_line() does.
Expected<LayeredLine> layered_line_from_json(std::string_view line);

}  // namespace lab
