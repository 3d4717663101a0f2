#pragma once

#include <array>
#include <span>
#include <string>

#include "app/files/model/config_reader.h"
#include "app/files/model/description.h"
#include "app/files/model/tensor_names.h"

namespace lab::files {

/// A second spelling of a member of config.json: its value is copied to `member`, the name that the
/// family's function asks for and messages name.
struct ConfigAlias {
  const char* spelling = nullptr;
  const char* member = nullptr;
  bool if_missing =
      false;  ///< it counts only where `member` is missing; else it counts even before it
};

using ConfigAliases = std::array<ConfigAlias, 5>;

/// A family of models: how its config.json and its tensors are spelt.
struct Family {
  const char* type;  ///< model_type in config.json
  const char* name;  ///< for people: "GPT-2"
  void (*describe)(const ConfigReader& config, Description& description);
  const ModelNames& names;
  ConfigAliases aliases{};     ///< in the order in which they count
  bool has_text_part = false;  ///< what describes the network is in text_config
};

/// All families that can be opened.
std::span<const Family> families();

/// The description that a config.json gives. Throws BadInput, naming the member, when the type of
/// model is not supported, a value is missing or impossible, or the sizes do not fit each other.
Description read_description(const nlohmann::json& file);

/// The family of a description that read_description() returned.
const Family& family_of(const Description& description);
/// How the tensors of a model are named.
const ModelNames& names_of(const Description& description);

}  // namespace lab::files
