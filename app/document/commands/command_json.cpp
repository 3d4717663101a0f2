#include "app/document/commands/command_json.h"

#include <set>
#include <stdexcept>

#include "app/base/printable.h"
#include "app/document/commands/command.h"

namespace lab {

namespace {

using Json = CommandJson;
using Event = Json::parse_event_t;

constexpr int kDeepest = 64;
constexpr std::size_t kMostMembers = 64;
constexpr attention::Index kMostValues = 4 * kLargestBlock;  // rows count, too

// Sees every part of a line as it is parsed, and refuses what would take memory, time or stack
// beyond that of any command.
class Guard {
 public:
  bool operator()(int depth, Event event, Json& parsed) {
    const bool begins = event == Event::array_start || event == Event::object_start;
    if (begins && depth >= kDeepest)
      throw std::invalid_argument("lists are nested deeper than 64 levels");
    if (event == Event::object_start && depth > 0)
      throw std::invalid_argument("no member of a command is an object");
    if (event == Event::key) see_member(parsed.get_ref<const std::string&>());
    if ((begins || event == Event::value) && ++values_ > kMostValues)
      throw std::invalid_argument("the line holds too many values");
    return true;
  }

 private:
  void see_member(const std::string& name) {
    if (members_.size() == kMostMembers) throw std::invalid_argument("there are too many members");
    if (!members_.insert(name).second)
      throw std::invalid_argument("member " + quoted_name(name) + " is there twice");
  }

  std::set<std::string> members_;
  attention::Index values_ = 0;
};

}  // namespace

std::string quoted_name(std::string_view name) {
  constexpr std::size_t kShown = 40;
  return "“" + printable(name.substr(0, kShown)) + (name.size() > kShown ? "…”" : "”");
}

Json parse_command_json(std::string_view line) {
  if (line.size() > kLongestCommand) {
    throw std::invalid_argument("the line is longer than the " + std::to_string(kLongestCommand) +
                                " bytes of the longest command");
  }
  if (line.find('\0') != line.npos) throw std::invalid_argument("there is a NUL byte in the line");
  try {
    return Json::parse(line, Guard());
  } catch (const Json::parse_error& error) {
    const bool curly = line.find("“") != line.npos || line.find("”") != line.npos;
    throw std::invalid_argument("the line is not JSON from byte " + std::to_string(error.byte) +
                                " on" + (curly ? "; write straight quotes, \"" : ""));
  } catch (const Json::exception&) {
    throw std::invalid_argument("a number in the line is too large");
  }
}

}  // namespace lab
