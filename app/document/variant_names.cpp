#include "app/document/variant_names.h"

#include "app/base/names.h"
#include "app/translation/words.h"

namespace lab {

using attention::HeadBuild;
using attention::Positions;
using attention::RotaryPairs;

namespace {

constexpr std::array<std::string_view, 5> kPositions = {tr_later("none"), tr_later("sinusoidal"),
                                                        tr_later("learned"), tr_later("rotary"),
                                                        tr_later("alibi")};
constexpr std::array<std::string_view, 2> kPairs = {tr_later("adjacent"), tr_later("halves")};
constexpr std::array<std::string_view, 2> kBuilds = {tr_later("separate"), tr_later("split")};

}  // namespace

std::string_view positions_name(Positions positions) { return name_of_id(kPositions, positions); }
std::optional<Positions> positions_from_name(std::string_view name) {
  return id_from_name<Positions>(kPositions, name);
}

std::string_view rotary_pairs_name(RotaryPairs pairs) { return name_of_id(kPairs, pairs); }
std::optional<RotaryPairs> rotary_pairs_from_name(std::string_view name) {
  return id_from_name<RotaryPairs>(kPairs, name);
}

std::string_view head_build_name(HeadBuild build) { return name_of_id(kBuilds, build); }
std::optional<HeadBuild> head_build_from_name(std::string_view name) {
  return id_from_name<HeadBuild>(kBuilds, name);
}

}  // namespace lab
