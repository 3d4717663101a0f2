#include <cmath>
#include <nlohmann/json.hpp>

#include "app/base/byte_text.h"
#include "app/base/unicode_text.h"
#include "app/document/commands/command.h"
#include "app/document/commands/command_json.h"
#include "app/document/commands/command_spelling.h"

namespace lab {

namespace {

using Json = OrderedJson;

Json number_json(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json rows_json(const attention::Matrix& values) {
  Json rows = Json::array();
  for (attention::Index i = 0; i < values.rows(); ++i) {
    Json row = Json::array();
    for (attention::Index j = 0; j < values.cols(); ++j) row.push_back(number_json(values(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

// Writes each field that a command names.
class FieldWriter {
 public:
  FieldWriter(Json& json, int first_head) : json_(json), first_head_(first_head) {}

  void operator()(const char* name, const std::string& field) {
    if (is_utf8(field)) {
      json_[name] = field;
    } else {
      json_[std::string(name) + "_hex"] = to_hex(field);
    }
  }
  void operator()(const char* name, bool field) { json_[name] = field; }
  void operator()(const char* name, int field) { json_[name] = field; }
  void operator()(const char* name, CountedFromOne<const int> field) {
    json_[name] = field.number + 1;
  }
  void operator()(const char* name, HeadNumber<const int> field) {
    json_[name] = field.number + first_head_;
  }
  void operator()(const char* name, AnyWhole<const int> field) { json_[name] = field.number; }
  void operator()(const char* name, std::uint64_t field) { json_[name] = field; }
  void operator()(const char* name, float field) { json_[name] = number_json(field); }
  void operator()(const char* name, const attention::Matrix& field) {
    json_[name] = rows_json(field);
  }
  void operator()(const char* name, const std::vector<SetBlock>& field) {
    Json blocks = Json::array();
    for (const SetBlock& block : field)
      SetBlock::fields(block, FieldWriter(blocks.emplace_back(), first_head_));
    json_[name] = std::move(blocks);
  }
  void operator()(const char* name, const std::vector<chat::Turn>& field) {
    Json turns = Json::array();
    for (const chat::Turn& turn : field) {
      FieldWriter members(turns.emplace_back(), first_head_);
      members("role", turn.role);
      members("content", turn.content);
    }
    json_[name] = std::move(turns);
  }
  template <Spelt Id>
  void operator()(const char* name, Id field) {
    json_[name] = std::string(Spelling<Id>::name(field));
  }
  template <typename Field>
  void operator()(const char* name, const std::optional<Field>& field) {
    if (field) (*this)(name, *field);
  }
  void operator()(const char* name, const NamedTokenizer& field) {
    if (!field.name.empty()) (*this)(name, field.name);
  }
  void operator()(const MatrixRef& field) {
    json_["matrix"] = std::string(matrix_name(field.id));
    if (is_per_head(field.id)) json_["head"] = field.head + first_head_;
  }
  void operator()(const StageCell& field) {
    json_["stage"] = std::string(stage_name(field.stage));
    if (is_per_head(field.stage)) json_["head"] = field.head + first_head_;
    json_["row"] = field.row;
    json_["col"] = field.col;
  }

 private:
  Json& json_;
  int first_head_;
};

// Adds the command to what is in `json`.
void write_command(const Command& command, int first_head, Json& json) {
  std::visit(
      [&]<typename Edit>(const Edit& edit) {
        json["do"] = std::string(Edit::kName);
        Edit::fields(edit, FieldWriter(json, first_head));
      },
      command);
}

}  // namespace

std::string command_name(const Command& command) {
  return std::visit([]<typename Edit>(const Edit&) { return std::string(Edit::kName); }, command);
}

std::string to_json_line(const Command& command) {
  Json json;
  write_command(command, 1, json);
  return json.dump();
}

std::string to_json_line(const LayeredLine& line) {
  Json json;
  if (line.layer) json["layer"] = *line.layer;
  write_command(line.command, 0, json);
  return json.dump();
}

}  // namespace lab
