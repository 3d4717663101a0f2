#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/interventions.h"

namespace lab {

/// What comes before the name of a layer or head: "", "cross." or "encoder.".
std::string sublayer_prefix(attention::network::Sublayer sublayer);

/// "3", "cross.0" or "encoder.2": what a layer is called, from 0.
std::string layer_name(const attention::network::LayerId& at);
/// The layer of that name; nothing when it is none.
std::optional<attention::network::LayerId> layer_from_name(std::string_view name);

/// Why a layer of `network` cannot be shown or edited that has no attention: it does not exist, or
/// is a convolution.
std::string without_attention(const attention::network::Network& network,
                              const attention::network::LayerId& at);

/// Every attention sublayer of a network: those of the only stack or the decoder, then those of the
/// decoder to the encoder, then those of the encoder.
std::vector<attention::network::LayerId> all_layer_ids(const attention::network::Network& network);

/// A head of a layer, from 0.
struct HeadRef {
  attention::network::LayerId at;
  attention::Index head = 0;
  bool operator==(const HeadRef&) const = default;
};
/// The head that is called so, see model_head_name(); nothing when it is none.
std::optional<HeadRef> model_head_from_name(std::string_view name);

/// "L9H3", "cross.L0H1" or "encoder.L2H0": layers and heads from 0, as the literature names them.
std::string model_head_name(const attention::network::LayerId& at, attention::Index head);

}  // namespace lab
