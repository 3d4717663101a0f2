#include "app/document/model/layer_name.h"

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"

namespace lab {

using attention::Index;
using attention::network::LayerId;
using attention::network::Sublayer;

namespace {

// Takes "cross." or "encoder." off the front.
Sublayer take_sublayer(std::string_view& text) {
  for (const Sublayer sublayer : {Sublayer::kCross, Sublayer::kEncoder}) {
    const std::string prefix = sublayer_prefix(sublayer);
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    return sublayer;
  }
  return Sublayer::kSelf;
}

// Takes `letter` and the number after it off the front.
std::optional<Index> take_index(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) return std::nullopt;
  text.remove_prefix(1);
  const auto number = take_number<std::uint32_t>(text);
  return number ? std::optional<Index>(*number) : std::nullopt;
}

}  // namespace

std::string sublayer_prefix(Sublayer sublayer) {
  return sublayer == Sublayer::kCross ? "cross." : sublayer == Sublayer::kEncoder ? "encoder." : "";
}

std::string model_head_name(const LayerId& at, Index head) {
  return sublayer_prefix(at.sublayer) + "L" + std::to_string(at.layer) + "H" + std::to_string(head);
}

std::optional<HeadRef> model_head_from_name(std::string_view name) {
  const Sublayer sublayer = take_sublayer(name);
  const auto layer = take_index(name, 'L');
  const auto head = layer ? take_index(name, 'H') : std::nullopt;
  if (!head || !name.empty()) return std::nullopt;
  return HeadRef{{sublayer, *layer}, *head};
}

std::string layer_name(const LayerId& at) {
  return sublayer_prefix(at.sublayer) + std::to_string(at.layer);
}

std::optional<LayerId> layer_from_name(std::string_view name) {
  const Sublayer sublayer = take_sublayer(name);
  const auto layer = parse_number<std::uint32_t>(name);
  if (!layer) return std::nullopt;
  return LayerId{sublayer, static_cast<Index>(*layer)};
}

std::string without_attention(const attention::network::Network& network, const LayerId& at) {
  const std::string layer = "layer " + in_quotes(layer_name(at));
  return is_convolution(network, at)
             ? layer + " is a convolution: it has no attention, and so no heads"
             : "the model has no " + layer;
}

std::vector<LayerId> all_layer_ids(const attention::network::Network& network) {
  std::vector<LayerId> ids;
  for (const Sublayer sublayer : {Sublayer::kSelf, Sublayer::kCross, Sublayer::kEncoder})
    for (const Index layer : attending_layers(network, sublayer)) ids.push_back({sublayer, layer});
  return ids;
}

}  // namespace lab
