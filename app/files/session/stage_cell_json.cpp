#include "app/files/session/stage_cell_json.h"

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/files/session/json_reading.h"

namespace lab::files {

using nlohmann::json;

attention::Stage stage_named(const std::string& name, const std::string& path) {
  const auto stage = attention::stage_from_name(name);
  if (!stage) wrong(path, in_quotes(name) + " is no stage");
  return *stage;
}

int read_head(const json& value, const std::string& path) {
  const int head = read_size(value, path);
  if (head < 1) wrong(path, "0, should be a whole number from 1");
  return head - 1;
}

StageCell read_stage_cell(const json& object, const std::string& path) {
  checked_object(object, path);
  const auto member = [&](const char* name) -> const json& { return require(object, path, name); };
  StageCell cell;
  cell.stage = stage_named(read_string(member("stage"), path + ".stage"), path + ".stage");
  if (const json* head = find(object, "head")) cell.head = read_head(*head, path + ".head");
  cell.row = read_size(member("row"), path + ".row");
  cell.col = read_size(member("col"), path + ".col");
  return cell;
}

std::string stage_cell_json(const StageCell& cell) {
  return "\"stage\": " + json_string(stage_name(cell.stage)) +
         ", \"head\": " + std::to_string(cell.head + 1) + ", \"row\": " + std::to_string(cell.row) +
         ", \"col\": " + std::to_string(cell.col);
}

}  // namespace lab::files
