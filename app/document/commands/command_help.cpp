#include "app/document/commands/command_help.h"

#include <optional>
#include <utility>
#include <variant>

#include "app/document/commands/command.h"
#include "app/document/commands/command_members.h"
#include "app/document/commands/command_spelling.h"
#include "core/layer/stage_info.h"

namespace lab {

namespace {

constexpr const char* kFromZero = "a whole number from 0";
constexpr const char* kFromOne = "a whole number from 1";

std::string stage_names() {
  std::string names;
  for (const attention::StageInfo& info : attention::kStageInfos)
    if (!info.input) names += (names.empty() ? "one of " : ", ") + std::string(info.name);
  return names;
}

// Describes each field that a command names.
class FieldHelp {
 public:
  explicit FieldHelp(std::vector<MemberHelp>& members) : members_(members) {}

  void operator()(const char* name, const std::string&) { add(name, kAnyText); }
  void operator()(const char* name, const bool&) { add(name, kEitherWay); }
  void operator()(const char* name, const int&) { add(name, kFromZero); }
  void operator()(const char* name, CountedFromOne<int>) { add(name, kFromOne); }
  void operator()(const char* name, HeadNumber<int>) { add(name, kFromOne); }
  void operator()(const char* name, AnyWhole<int>) { add(name, "a whole number"); }
  void operator()(const char* name, const std::uint64_t&) { add(name, kAnySeed); }
  void operator()(const char* name, const float&) { add(name, kAnyNumber); }
  void operator()(const char* name, const attention::Matrix&) { add(name, kRowsOfNumbers); }
  void operator()(const char* name, const std::vector<SetBlock>&) { add(name, kListOfBlocks); }
  void operator()(const char* name, const std::vector<chat::Turn>&) { add(name, kListOfTurns); }
  template <Spelt Id>
  void operator()(const char* name, const Id&) {
    add(name, Spelling<Id>::kAllowed);
  }
  template <typename Field>
  void operator()(const char* name, const std::optional<Field>&) {
    Field field{};
    (*this)(name, field);
    members_.back().optional = true;
  }
  void operator()(const char* name, const NamedTokenizer&) {
    add(name, "a tokenizer.json, a folder that contains one, or a built-in tokenizer");
    members_.back().optional = true;
  }
  void operator()(const MatrixRef&) {
    add("matrix", kMatrixNames);
    add("head", std::string(kFromOne) + "; only for the matrices that every head has");
  }
  void operator()(const StageCell&) {
    add("stage", stage_names());
    add("head", std::string(kFromOne) + "; only for the stages that every head has");
    add("row", kFromZero);
    add("col", kFromZero);
  }

 private:
  void add(const char* name, std::string values) {
    members_.push_back({name, std::move(values), false});
  }

  std::vector<MemberHelp>& members_;
};

template <typename Edit>
CommandHelp help_of() {
  CommandHelp help{Edit::kName, {}};
  Edit edit{};
  Edit::fields(edit, FieldHelp(help.members));
  return help;
}

template <typename... Edits>
std::vector<CommandHelp> helps_of(const std::variant<Edits...>*) {
  return {help_of<Edits>()...};
}

}  // namespace

std::vector<CommandHelp> all_command_helps() {
  return helps_of(static_cast<const Command*>(nullptr));
}

}  // namespace lab
