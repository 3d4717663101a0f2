#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.h"
#include "app/document/document.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab::test {

/// What a run of the command line left behind.
struct Outcome {
  int code = 0;
  std::string out;                             ///< standard output
  std::string err;                             ///< standard error
  std::vector<WindowRequest> windows;          ///< what the window verb was handed
  std::vector<ScreenshotRequest> screenshots;  ///< what the screenshot verb was handed
};

/// Runs the command line in this process; the display verbs only note what they are asked for.
Outcome run(const std::vector<std::string>& arguments);

/// The same with `input` as standard input.
Outcome run_with_input(const std::vector<std::string>& arguments, std::string_view input);

/// True when `text` is a single line "attention-lab: …": one error, shown once.
bool is_one_message(const std::string& text);

using TempFolder = TemporaryFolder;

/// The bytes of a file; fails the test when there is none.
std::string bytes_of(const std::string& path);

/// Two heads over "The cat saw the dog 7 7 2 and it" with the dimensions alpha, beta, gamma and
/// delta; d_k 2, d_v 3.
Document small_document();
/// small_document() as a session file in `folder`; returns its path.
std::string small_session(const TempFolder& folder);

/// Path of core/tests/golden/NAME.
std::string golden(const std::string& name);

/// Path of the small checkpoint NAME in app/tests/model/golden.
std::string small_model(const std::string& name);

/// What the command line prints with these arguments, read as JSON; fails the test when it fails.
nlohmann::json json_of(const std::vector<std::string>& arguments);

/// Every tensor of `found` has the shape and, within `share` of the largest finite magnitude, the
/// values of the one in `expected`; fails the test otherwise.
void expect_same_tensors(const TensorFile& found, const TensorFile& expected, double share);

}  // namespace lab::test
