#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace lab::files {

/// Two names of tensors without ".weight" and ".bias": in GGUF and in a model's folder. {} stands
/// for a number: of a layer, then of an expert.
struct GgufName {
  std::string_view gguf;
  std::string_view other;
};

/// A tensor [experts × rows × columns], or of biases [experts × rows], that holds a map of all
/// experts of a layer, and the names of what it is in a model's folder: one map, or two of which
/// each expert has the first and the second half of its rows.
struct GgufStack {
  std::string_view gguf;
  std::array<std::string_view, 2> parts;
};

/// How the keys of a family's experts are read, where families differ.
enum class GgufRouting {
  kNone,     ///< it has no experts
  kPlain,    ///< a softmax; every layer has experts (Mixtral, OLMoE)
  kQwen,     ///< a softmax; layers without a router have no experts
  kSigmoid,  ///< a sigmoid, by groups; the first layers have no experts (GLM-4 MoE, DeepSeek-V3)
  kGroups,   ///< a softmax, by groups; the first layers have no experts (DeepSeek-V2)
  kChosen,   ///< a softmax of the chosen alone (gpt-oss)
  kBeside,   ///< a softmax; every layer has experts, and an MLP beside them (Gemma 4)
};

/// An architecture of GGUF: the family that it is, and what is stored in another way than in a
/// model's folder.
struct GgufArchitecture {
  std::string_view name;                               ///< general.architecture
  const char* type;                                    ///< model_type in config.json
  std::array<std::span<const GgufName>, 2> tensors{};  ///< the first name that is found counts
  std::span<const GgufStack> stacks{};
  GgufRouting routing = GgufRouting::kNone;
  std::string_view only_with = {};  ///< it is this one where the file has this tensor,
  std::string_view counted = {};    ///< or where this key is more than `above`
  int above = 0;
  bool adjacent_pairs = false;  ///< the features that are rotated together lie side by side
  bool partial = false;         ///< heads may be rotated in part
  bool one_added = false;       ///< weights of norms have the 1 of the family added
  bool in_out = false;          ///< the family stores maps [in × out], GGUF [out × in] as always
  bool by_part = false;  ///< Q, K and V of all heads follow each other, and not so in the family
  bool latent = false;   ///< multi-head latent attention
  bool convolutions = false;  ///< layers without key and value heads have one in place of attention
};

/// All architectures that are read; several may have one name.
std::span<const GgufArchitecture> gguf_architectures();

/// The architecture that `metadata` names, in a file with these tensors. Throws BadInput when none
/// is named, or for one that is not supported, with what is missing for it or the closest one.
const GgufArchitecture& gguf_architecture(const nlohmann::json& metadata,
                                          const std::set<std::string>& tensors);

/// The name in a model's folder of the tensor `name`; its own when there is none.
std::string family_name(const GgufArchitecture& architecture, const std::string& name);

/// The stack that the tensor `name` is; null for other tensors.
const GgufStack* gguf_stack(const GgufArchitecture& architecture, const std::string& name);

/// The number of the layer that the tensor `name` is in; -1 outside the layers.
int layer_of(const std::string& name);

/// `name` with its first {} replaced by `layer`, and its second one by `expert`.
std::string numbered(std::string_view name, int layer, int expert);

}  // namespace lab::files
