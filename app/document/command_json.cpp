#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/document/command.h"

namespace lab {

namespace {

// Members in the order they are set, and numbers as float throughout: they are written with as few
// digits as read back to the same float, and never pass through double.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                  std::int64_t, std::uint64_t, float>;

constexpr int kLargestInt = std::numeric_limits<int>::max();

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  throw std::invalid_argument("“text_hex” must be digits 0 … 9 and a … f");
}

std::string from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) throw std::invalid_argument("“text_hex” must have two digits a byte");
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(hex_digit(hex[i]) * 16 + hex_digit(hex[i + 1]));
  }
  return bytes;
}

Json number_json(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

void write_matrix(Json& json, MatrixRef ref) {
  json["matrix"] = std::string(matrix_name(ref.id));
  if (is_per_head(ref.id)) json["head"] = ref.head + 1;
}

// Whether the mask of that name is causal.
std::optional<bool> mask_from_name(std::string_view name) {
  if (name == "none") return false;
  return name == "causal" ? std::optional(true) : std::nullopt;
}

struct ToJson {
  Json operator()(const SetSentence& command) const {
    if (is_utf8(command.text)) return {{"do", "set_sentence"}, {"text", command.text}};
    return {{"do", "set_sentence"}, {"text_hex", to_hex(command.text)}};
  }
  Json operator()(const SetTokenMode& command) const {
    return {{"do", "set_token_mode"}, {"mode", std::string(token_mode_name(command.mode))}};
  }
  Json operator()(const SetSize& command) const {
    return {{"do", "set_size"},
            {"size", std::string(size_name(command.size))},
            {"value", command.value}};
  }
  Json operator()(const SetScale& command) const {
    return {{"do", "set_scale"}, {"on", command.on}};
  }
  Json operator()(const SetTemperature& command) const {
    return {{"do", "set_temperature"}, {"value", number_json(command.value)}};
  }
  Json operator()(const SetMask& command) const {
    return {{"do", "set_mask"}, {"mask", command.causal ? "causal" : "none"}};
  }
  Json operator()(const SetCell& command) const {
    Json json;
    json["do"] = "set_cell";
    write_matrix(json, command.matrix);
    json["row"] = command.row;
    json["col"] = command.col;
    json["value"] = number_json(command.value);
    return json;
  }
  Json operator()(const FillMatrix& command) const {
    Json json;
    json["do"] = "fill_matrix";
    write_matrix(json, command.matrix);
    json["fill"] = std::string(attention::fill_name(command.kind));
    json["seed"] = command.seed;
    return json;
  }
};

// Takes the members of one object one after the other; what is left at the end is unknown. Throws
// std::invalid_argument with the message for the person who wrote the line.
class Members {
 public:
  explicit Members(Json object) : left_(std::move(object)) {
    if (!left_.is_object()) throw std::invalid_argument("a command must be a JSON object");
  }

  bool has(const char* name) const { return left_.contains(name); }

  std::string text(const char* name) {
    const Json value = take(name);
    if (!value.is_string()) throw wrong(name, "a string", value);
    return value.get<std::string>();
  }

  bool boolean(const char* name) {
    const Json value = take(name);
    if (!value.is_boolean()) throw wrong(name, "true or false", value);
    return value.get<bool>();
  }

  // A whole number from `least` on that fits an int.
  int whole(const char* name, int least) {
    const Json value = take(name);
    const bool fits = value.is_number_unsigned()
                          ? value.get<std::uint64_t>() <= std::uint64_t{kLargestInt}
                          : value.is_number_integer();
    if (!fits || value.get<std::int64_t>() < least) {
      throw wrong(
          name,
          "a whole number from " + std::to_string(least) + " to " + std::to_string(kLargestInt),
          value);
    }
    return value.get<int>();
  }

  std::uint64_t seed(const char* name) {
    const Json value = take(name);
    if (!value.is_number_unsigned()) throw wrong(name, "a whole number from 0 to 2⁶⁴ − 1", value);
    return value.get<std::uint64_t>();
  }

  float number(const char* name) {
    const Json value = take(name);
    if (value.is_number()) return value.get<float>();
    if (value == "NaN") return std::numeric_limits<float>::quiet_NaN();
    if (value == "Infinity") return std::numeric_limits<float>::infinity();
    if (value == "-Infinity") return -std::numeric_limits<float>::infinity();
    throw wrong(name, "a number, or \"NaN\", \"Infinity\", \"-Infinity\"", value);
  }

  // A name that `from_name` knows.
  template <typename FromName>
  auto named(const char* name, FromName from_name, const char* allowed) {
    const std::string text_given = text(name);
    const auto value = from_name(text_given);
    if (!value) throw wrong(name, allowed, text_given);
    return *value;
  }

  MatrixRef matrix() {
    MatrixRef ref;
    ref.id = named("matrix", matrix_from_name, "one of X, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O");
    if (is_per_head(ref.id)) ref.head = whole("head", 1) - 1;
    return ref;
  }

  void finish() const {
    if (left_.empty()) return;
    throw std::invalid_argument("unknown member “" + printable(left_.begin().key()) + "”");
  }

 private:
  Json take(const char* name) {
    const auto found = left_.find(name);
    if (found == left_.end()) {
      throw std::invalid_argument("member “" + std::string(name) + "” is missing");
    }
    Json value = std::move(*found);
    left_.erase(found);
    return value;
  }

  static std::invalid_argument wrong(const std::string& name, const std::string& allowed,
                                     const Json& value) {
    constexpr std::size_t kShown = 40;
    std::string given = value.dump(-1, ' ', true);  // ASCII, so that it can be cut anywhere
    if (given.size() > kShown) given = given.substr(0, kShown) + "…";
    return std::invalid_argument("“" + name + "” must be " + allowed + ", not " + given);
  }

  Json left_;
};

SetSentence read_sentence(Members& members) {
  if (members.has("text_hex")) return {from_hex(members.text("text_hex"))};
  return {members.text("text")};
}

SetTokenMode read_token_mode(Members& members) {
  return {members.named("mode", token_mode_from_name, "words or characters")};
}

SetSize read_size(Members& members) {
  const SizeId size = members.named("size", size_from_name, "one of d_model, n_heads, d_k, d_v");
  return {size, members.whole("value", std::numeric_limits<int>::min())};
}

SetCell read_cell(Members& members) {
  SetCell command;
  command.matrix = members.matrix();
  command.row = members.whole("row", 0);
  command.col = members.whole("col", 0);
  command.value = members.number("value");
  return command;
}

FillMatrix read_fill(Members& members) {
  FillMatrix command;
  command.matrix = members.matrix();
  command.kind =
      members.named("fill", attention::fill_from_name, "one of zero, identity, normal, xavier");
  command.seed = members.seed("seed");
  return command;
}

Command read_members(Members& members) {
  const std::string name = members.text("do");
  if (name == "set_sentence") return read_sentence(members);
  if (name == "set_token_mode") return read_token_mode(members);
  if (name == "set_size") return read_size(members);
  if (name == "set_scale") return SetScale{members.boolean("on")};
  if (name == "set_temperature") return SetTemperature{members.number("value")};
  if (name == "set_mask") return SetMask{members.named("mask", mask_from_name, "none or causal")};
  if (name == "set_cell") return read_cell(members);
  if (name == "fill_matrix") return read_fill(members);
  throw std::invalid_argument("unknown command “" + printable(name.substr(0, 40)) + "”");
}

Json parse(std::string_view line) {
  if (line.size() > kLongestCommand) {
    throw std::invalid_argument("the line is longer than the " + std::to_string(kLongestCommand) +
                                " bytes of the longest command");
  }
  try {
    return Json::parse(line);
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument("the line is not JSON from byte " + std::to_string(error.byte) +
                                " on");
  } catch (const Json::exception&) {
    throw std::invalid_argument("a number in the line is too large");
  }
}

}  // namespace

std::string to_json_line(const Command& command) { return std::visit(ToJson{}, command).dump(); }

Expected<Command> command_from_json_line(std::string_view line) {
  try {
    Members members(parse(line));
    Command command = read_members(members);
    members.finish();
    return command;
  } catch (const std::invalid_argument& error) {
    return fail(ErrorKind::kBadInput, std::string("Not a command: ") + error.what());
  }
}

}  // namespace lab
