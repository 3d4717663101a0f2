#include "app/document/command.h"

#include <array>

#include "app/document/wording.h"

namespace lab {

namespace {

constexpr std::array<std::string_view, 9> kMatrixNames = {"X",   "W_Q", "W_K", "W_V", "W_O",
                                                          "b_Q", "b_K", "b_V", "b_O"};
constexpr std::array<std::string_view, 4> kSizeNames = {"d_model", "n_heads", "d_k", "d_v"};

// The value of the enumeration that has `name`, or nothing.
template <typename Id, std::size_t n>
std::optional<Id> id_from_name(const std::array<std::string_view, n>& names,
                               std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Id>(i);
  }
  return std::nullopt;
}

std::string matrix_label(MatrixRef ref) {
  std::string label(matrix_name(ref.id));
  if (is_per_head(ref.id)) label += ", head " + std::to_string(ref.head + 1);
  return label;
}

std::string_view fill_label(attention::FillKind kind) {
  switch (kind) {
    case attention::FillKind::kZero:
      return "zeros";
    case attention::FillKind::kIdentity:
      return "the identity";
    case attention::FillKind::kNormal:
      return "normal numbers";
    case attention::FillKind::kXavier:
      return "Xavier";
  }
  return {};
}

struct Label {
  std::string operator()(const SetSentence&) const { return "Change sentence"; }
  std::string operator()(const SetTokenMode& command) const {
    return command.mode == TokenMode::kWords ? "Cut into words" : "Cut into characters";
  }
  std::string operator()(const SetSize& command) const {
    return "Set " + std::string(size_name(command.size)) + " to " + std::to_string(command.value);
  }
  std::string operator()(const SetScale& command) const {
    return command.on ? "Scale on" : "Scale off";
  }
  std::string operator()(const SetTemperature& command) const {
    return "Set temperature to " + shortest(command.value);
  }
  std::string operator()(const SetMask& command) const {
    return command.causal ? "Mask causal" : "Mask none";
  }
  std::string operator()(const SetCell& command) const {
    return "Edit " + matrix_label(command.matrix);
  }
  std::string operator()(const FillMatrix& command) const {
    return "Fill " + matrix_label(command.matrix) + " with " +
           std::string(fill_label(command.kind));
  }
};

}  // namespace

std::string_view matrix_name(MatrixId id) { return kMatrixNames[static_cast<std::size_t>(id)]; }

std::optional<MatrixId> matrix_from_name(std::string_view name) {
  return id_from_name<MatrixId>(kMatrixNames, name);
}

bool is_per_head(MatrixId id) {
  return id != MatrixId::kX && id != MatrixId::kWO && id != MatrixId::kBO;
}

bool is_per_kv_head(MatrixId id) {
  return id == MatrixId::kWK || id == MatrixId::kWV || id == MatrixId::kBK || id == MatrixId::kBV;
}

std::string_view size_name(SizeId id) { return kSizeNames[static_cast<std::size_t>(id)]; }

std::optional<SizeId> size_from_name(std::string_view name) {
  return id_from_name<SizeId>(kSizeNames, name);
}

std::string command_label(const Command& command) { return std::visit(Label{}, command); }

}  // namespace lab
