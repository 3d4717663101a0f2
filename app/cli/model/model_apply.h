#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/cli/model/model_arguments.h"

namespace lab::cli {

/// The edits to apply to a model.
struct ModelEdits {
  std::string_view lines;  ///< one JSON object a line, see model_command_from_json_line()
  std::string name;        ///< of the file that they are in, for messages
};

/// Applies `edits` to the model, or the session of one, that `input` means and returns the session
/// as JSON; --layer is the layer of the lines that name none. Appends the lines that were applied
/// to `record`. Fails with kBadInput, naming the line, when one cannot be applied, else as
/// open_model_input() does.
Expected<std::string> apply_to_model(const std::string& input, const ModelArguments& arguments,
                                     const ModelEdits& edits, std::string& record);

}  // namespace lab::cli
