#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/files/model/weights/weights_hash.h"
#include "app/files/session/json_fields.h"

// Which model a session is of, as the member "model" of the session (see model_session.h).

namespace lab::files {

/// A place in a run of training.
struct NamedStep {
  int branch = 0;
  std::int64_t step = 0;
  bool operator==(const NamedStep&) const = default;
};

/// The model of a session.
struct NamedModel {
  std::string folder;
  std::string name;  ///< empty: it cannot be opened by a name
  std::vector<WeightsHash> weights;
  std::optional<WeightsHash> config = {};  ///< not in older sessions
  std::optional<NamedStep> training = {};  ///< of a run that is trained here
};

template <>
struct JsonFields<NamedStep> : StrictLines {
  static void visit(auto& position, auto&& members) {
    members("branch", position.branch);
    members("step", position.step);
  }
};

/// A hash as sha256sum prints it.
struct Sha256Codec {
  static std::string read(const JsonCursor& value) {
    std::string digits = value.text();
    if (digits.size() != 64 || digits.find_first_not_of("0123456789abcdef") != digits.npos)
      value.refuse(in_quotes(digits) +
                   ", should be 64 digits of hexadecimal, as sha256sum prints them");
    return digits;
  }
  static void write(JsonWriter& out, const std::string& digits) { out.string(digits); }
};

template <>
struct JsonFields<WeightsHash> : StrictLines {
  static void visit(auto& hash, auto&& members) {
    members("file", hash.file);
    members("sha256", hash.sha256, Sha256Codec());
  }
};

template <>
struct JsonFields<NamedModel> : StrictLines {
  static void visit(auto& model, auto&& members) {
    members("folder", model.folder);
    members.unless_default("training", model.training);
    members.unless_default("name", model.name);
    members("weights", model.weights);
    members.unless_default("config", model.config);
  }
};

}  // namespace lab::files
