#include "app/document/commands/command.h"

#include <type_traits>

#include "app/base/names.h"

namespace lab {
namespace {

constexpr std::array<std::string_view, 5> kSizeNames = {"d_model", "n_heads", "d_k", "d_v",
                                                        "n_kv_heads"};

ModelComponent part_of(MatrixId id) {
  switch (id) {
    case MatrixId::kX:
    case MatrixId::kXKv:
    case MatrixId::kPositionTable:
    case MatrixId::kPositionTableKv:
      return ModelComponent::kEmbeddings;
    case MatrixId::kMask:
    case MatrixId::kScoreBias:
      return ModelComponent::kMask;
    default:
      return ModelComponent::kWeights;
  }
}

ModelComponent part_of(const SetBlocks& command) {
  ModelComponent part = ModelComponent::kWeights;
  for (const SetBlock& block : command.blocks)
    if (part != ModelComponent::kEmbeddings) part = part_of(block.matrix.id);
  return part;
}

}  // namespace

ModelComponent edited_component(const Command& command) {
  return std::visit(
      []<typename Edit>(const Edit& edit) {
        if constexpr (std::is_same_v<Edit, SetBlocks>) {
          return part_of(edit);
        } else if constexpr (requires { edit.matrix; }) {
          return part_of(edit.matrix.id);
        } else {
          return Edit::kComponent;
        }
      },
      command);
}

std::string_view size_name(SizeId id) { return name_of_id(kSizeNames, id); }

std::optional<SizeId> size_from_name(std::string_view name) {
  return id_from_name<SizeId>(kSizeNames, name);
}

}  // namespace lab
