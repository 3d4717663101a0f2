#include "app/document/commands/command.h"

#include "app/base/named.h"

namespace lab {

namespace {

constexpr std::array<std::string_view, 5> kSizeNames = {"d_model", "n_heads", "d_k", "d_v",
                                                        "n_kv_heads"};

}  // namespace

std::string_view size_name(SizeId id) { return name_of_id(kSizeNames, id); }

std::optional<SizeId> size_from_name(std::string_view name) {
  return id_from_name<SizeId>(kSizeNames, name);
}

}  // namespace lab
