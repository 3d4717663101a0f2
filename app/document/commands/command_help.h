#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// One member of a command's text form.
struct MemberHelp {
  std::string name;
  std::string values;     ///< what it may be: "true or false"
  bool optional = false;  ///< left out, it keeps its value
};

/// A command's text form.
struct CommandHelp {
  std::string_view name;
  std::vector<MemberHelp> members;  ///< besides "do", in order
};

/// The text form of every command, from the same table of fields that reads and writes them.
std::vector<CommandHelp> all_command_helps();

}  // namespace lab
