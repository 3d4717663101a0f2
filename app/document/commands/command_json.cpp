#include "app/document/commands/command_json.h"

#include <stdexcept>

#include "app/base/strict_json.h"
#include "app/base/visible_text.h"
#include "app/document/commands/command.h"

namespace lab {

namespace {

// Rows and numbers each count as one value.
constexpr JsonLimits kLimits{.most_values = 4 * static_cast<std::size_t>(kLargestBlock),
                             .text_or_list_counts = 1,
                             .most_members = 64};

std::string message_of(const BadJson& bad, std::string_view line) {
  switch (bad.problem) {
    case BadJson::Problem::kSyntax: {
      const bool curly = line.find("“") != line.npos || line.find("”") != line.npos;
      return "the line is not JSON from byte " + std::to_string(bad.at + 1) + " on" +
             (curly ? "; write straight quotes, \"" : "");
    }
    case BadJson::Problem::kNumber:
      return kNumberTooLarge;
    case BadJson::Problem::kRepeatedMember:
      return "member " + quoted_name(bad.member) + " is there twice";
    case BadJson::Problem::kLimit:
      break;
  }
  return bad.what();
}

}  // namespace

std::string quoted_name(std::string_view name) {
  constexpr std::size_t kShown = 40;
  return "“" + printable(name.substr(0, kShown)) + (name.size() > kShown ? "…”" : "”");
}

nlohmann::json parse_command_json(std::string_view line) {
  if (line.size() > kLongestCommand) {
    throw std::invalid_argument("the line is longer than the " + std::to_string(kLongestCommand) +
                                " bytes of the longest command");
  }
  try {
    return parse_json(line, kLimits);
  } catch (const BadJson& bad) {
    throw std::invalid_argument(message_of(bad, line));
  }
}

}  // namespace lab
