#include "app/files/session/session_versions.h"

#include <array>
#include <string>

#include "app/base/json_cursor.h"
#include "app/files/session/session.h"

namespace lab::files {
namespace {

using nlohmann::json;

// The mask rule was a name; the other rules were numbers beside it even then.
void name_to_causal(json& root) {
  const auto config = root.find("config");
  if (config == root.end() || !config->is_object() || !config->contains("mask")) return;
  const JsonCursor mask((*config)["mask"], std::string("config.mask"));
  const std::string name = mask.text();
  if (name != "causal" && name != "none")
    mask.refuse(in_quotes(name) + ", should be \"none\" or \"causal\"");
  config->erase("mask");
  (*config)["causal"] = name == "causal";
}

using Step = void (*)(json& root);
constexpr std::array<Step, kSessionVersion - 1> kSteps{name_to_causal};  // from version 1 on

}  // namespace

void bring_up_to_date(json& root, std::uint64_t from) {
  for (std::uint64_t version = from; version < kSessionVersion; ++version)
    kSteps.at(version - 1)(root);
}

}  // namespace lab::files
