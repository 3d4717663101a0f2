#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "app/base/byte_text.h"
#include "app/document/commands/command.h"
#include "app/document/commands/command_json.h"
#include "app/document/commands/command_members.h"
#include "app/document/commands/command_spelling.h"

namespace lab {
namespace {

using Members = CommandMembers;

// What earlier versions of the program wrote into records, journals and command files.

constexpr MatrixRef kMask{MatrixId::kMask, 0}, kScoreBias{MatrixId::kScoreBias, 0};

// Whether the mask of that name is causal.
std::optional<bool> causal_from_name(std::string_view name) {
  if (name == "none") return false;
  return name == "causal" ? std::optional(true) : std::nullopt;
}

Command read_mask_cell(Members& members) {
  const int row = members.whole("row", 0), col = members.whole("col", 0);
  return SetCell{kMask, row, col, members.boolean("allowed") ? 1.0f : 0.0f};
}

Command read_bias_cell(Members& members) {
  const int row = members.whole("row", 0), col = members.whole("col", 0);
  return SetCell{kScoreBias, row, col, members.number("value")};
}

Command read_fill_bias(Members& members) {
  return FillMatrix{kScoreBias, attention::FillType::kZero, 0, members.number("value")};
}

// "mask": "none" (no rule at all) or "causal", which set_mask had before it had rules of its own;
// other members may follow and take precedence.
void read_legacy_members(SetMask& command, Members& members) {
  if (!members.has("mask")) return;
  command.causal = members.named("mask", causal_from_name, "none or causal");
  if (!*command.causal) command.key_count = command.window = 0;
}

// Other commands have no such members.
void read_legacy_members(auto& /*command*/, Members& /*members*/) {}

// The replacement for a command that is no longer written: set_mask_cell and set_bias_cell set
// cells of the matrices "mask" and "score_bias", fill_bias fills the latter. Nothing for any other
// `name`.
std::optional<Command> read_legacy_command(std::string_view name, Members& members) {
  if (name == "set_mask_cell") return read_mask_cell(members);
  if (name == "set_bias_cell") return read_bias_cell(members);
  if (name == "fill_bias") return read_fill_bias(members);
  return std::nullopt;
}

std::string read_text(Members& members, const char* name) {
  const std::string hex_name = std::string(name) + "_hex";
  if (!members.has(hex_name.c_str())) return members.text(name);
  auto bytes = from_hex(members.text(hex_name.c_str()));
  if (!bytes)
    throw std::invalid_argument("“" + hex_name + "” must be two digits 0 … 9 or a … f per byte");
  return std::move(*bytes);
}

// Reads each field that a command names.
class FieldReader {
 public:
  explicit FieldReader(Members& members) : members_(members) {}

  void operator()(const char* name, std::string& field) { field = read_text(members_, name); }
  void operator()(const char* name, bool& field) { field = members_.boolean(name); }
  void operator()(const char* name, int& field) { field = members_.whole(name, 0); }
  void operator()(const char* name, CountedFromOne<int> field) {
    field.number = members_.whole(name, 1) - 1;
  }
  void operator()(const char* name, HeadNumber<int> field) { field.number = members_.head(name); }
  void operator()(const char* name, AnyWhole<int> field) {
    field.number = members_.whole(name, std::numeric_limits<int>::min());
  }
  void operator()(const char* name, std::uint64_t& field) { field = members_.seed(name); }
  void operator()(const char* name, float& field) { field = members_.number(name); }
  void operator()(const char* name, attention::Matrix& field) { field = members_.rows(name); }
  void operator()(const char* name, std::vector<SetBlock>& field) {
    for (Members& one : members_.objects(name)) {
      SetBlock::fields(field.emplace_back(), FieldReader(one));
      one.finish();
    }
  }
  void operator()(const char* name, std::vector<chat::Turn>& field) {
    for (Members& one : members_.objects(name, kListOfTurns)) {
      chat::Turn& turn = field.emplace_back();
      turn.role = read_text(one, "role");
      turn.content = read_text(one, "content");
      one.finish();
    }
  }
  template <Spelt Id>
  void operator()(const char* name, Id& field) {
    field = members_.named(name, Spelling<Id>::id, Spelling<Id>::kAllowed);
  }
  template <typename Field>
  void operator()(const char* name, std::optional<Field>& field) {
    if (members_.has(name)) (*this)(name, field.emplace());
  }
  void operator()(const char* name, NamedTokenizer& field) {
    if (members_.has(name)) field.name = members_.text(name);
  }
  void operator()(MatrixRef& field) { field = members_.matrix(); }
  void operator()(StageCell& field) { field = members_.stage_cell(); }

 private:
  Members& members_;
};

template <typename Edit>
Command read(Members& members) {
  Edit edit{};
  read_legacy_members(edit, members);
  Edit::fields(edit, FieldReader(members));
  return edit;
}

struct Reader {
  std::string_view name;
  Command (*read)(Members&);
};

template <typename... Edits>
constexpr auto readers_of(const std::variant<Edits...>*) {
  return std::array{Reader{Edits::kName, read<Edits>}...};
}
constexpr auto kReaders = readers_of(static_cast<const Command*>(nullptr));

Command read_members(Members& members) {
  const std::string name = members.text("do");
  for (const Reader& reader : kReaders) {
    if (reader.name == name) return reader.read(members);
  }
  if (auto command = read_legacy_command(name, members)) return std::move(*command);
  throw std::invalid_argument("unknown command " + quoted_name(name));
}

tl::unexpected<Error> not_a_command(const std::exception& error) {
  return fail(ErrorType::kBadInput, std::string("Not a command: ") + error.what());
}

// What `read` makes of the members of the line.
template <typename Read>
auto read_line(std::string_view line, int first_head, Read read)
    -> Expected<std::invoke_result_t<Read, Members&>> {
  try {
    const nlohmann::json json = parse_command_json(line);
    CommandMembers members(json, first_head);
    auto result = read(members);
    members.finish();
    return result;
  } catch (const BadInput& error) {
    return not_a_command(error);
  } catch (const std::invalid_argument& error) {
    return not_a_command(error);
  }
}

}  // namespace

Expected<Command> command_from_json_line(std::string_view line) {
  return read_line(line, 1, read_members);
}

Expected<LayeredLine> layered_line_from_json(std::string_view line) {
  return read_line(line, 0, [](Members& members) {
    std::optional<std::string> layer;
    if (members.has("layer")) layer = members.text("layer");
    return LayeredLine{std::move(layer), read_members(members)};
  });
}

}  // namespace lab
