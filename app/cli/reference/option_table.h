#pragma once

#include <string>
#include <vector>

namespace lab::cli {

/// What a shell can offer as the value of an option or argument.
enum class Values {
  kNothing,  ///< the user's number or text
  kFiles,
  kFolders,
  kExamples,
  kInputs,  ///< examples and models
  kModels,
  kLessons,   ///< lessons and examples, which worksheets are made from too
  kOpenable,  ///< what the window opens: examples, lessons, models
  kStages,
  kPalettes,
  kThemes,
  kLanguages,
  kTasks,
  kTokenizers,
  kPresets,
};

/// The name of values that the program itself lists ("stages"), for the verb `complete`; empty for
/// nothing, files and folders.
std::string values_name(Values values);

/// One option or argument of a verb, as it was declared.
struct OptionRow {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its name alone: "IN"
  std::string type;                ///< what stands for its value: "FILE"; empty for a flag
  std::string text;                ///< what the help says of it, in one line
  std::string group;               ///< the heading that it has in the help
  Values values = Values::kNothing;
  bool argument = false;  ///< without a name
  bool required = false;
  bool hidden = false;

  /// True if a value follows the name.
  bool takes_value() const { return !argument && !type.empty(); }
};

/// A verb with everything that was declared for it.
struct VerbRow {
  std::string name;     ///< empty: the window
  std::string summary;  ///< one line
  std::string about;    ///< what it does
  std::string usage;    ///< its usage lines, without "Usage: "
  std::string closing;  ///< the rest of its help
  std::vector<OptionRow> rows;

  /// The arguments without a name, in order.
  std::vector<OptionRow> arguments() const;
  /// The options, in the order of the help.
  std::vector<OptionRow> options() const;
};

/// The window, as the first row, and all verbs that the help lists.
std::vector<VerbRow> verb_rows();

}  // namespace lab::cli
