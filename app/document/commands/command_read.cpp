#include <array>
#include <limits>
#include <utility>

#include "app/base/byte_text.h"
#include "app/document/commands/command.h"
#include "app/document/commands/command_json.h"
#include "app/document/commands/command_legacy.h"
#include "app/document/commands/command_members.h"
#include "app/document/commands/command_spelling.h"
#include "app/document/commands/layered_line.h"

namespace lab {

namespace {

using Members = CommandMembers;

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
