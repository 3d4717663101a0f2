#pragma once

#include <random>
#include <vector>

#include "app/files/model/model_folder.h"
#include "app/tests/rooms.h"
#include "core/network/network_evaluator.h"

namespace lab {

/// What a forward pass is computed from.
struct NetworkState {
  attention::network::Network network;
  attention::network::Tokens tokens;
  attention::network::Interventions interventions;
};

/// Edits that a person could make to a forward pass, at random: interventions come, change and go,
/// ids and token types change, texts become longer or shorter, and numbers of weights are replaced.
class RandomNetworkEditor {
 public:
  /// Begins with the model as it is and a random text.
  RandomNetworkEditor(const Model& model, unsigned seed);

  /// Does one edit, and returns the first layer and row of the only stack, or of the decoder, that
  /// depends on it: the number of layers and of tokens when none does.
  attention::network::StackReport edit();

  /// The state after the last edit.
  const NetworkState& state() const { return state_; }
  /// True when some query may see a later key because of an intervention.
  bool sees_ahead() const;

 private:
  using Index = attention::Index;
  using LayerId = attention::network::LayerId;
  using StackReport = attention::network::StackReport;

  Index below(Index limit) { return static_cast<Index>(engine_() % static_cast<unsigned>(limit)); }
  float number() { return std::normal_distribution<float>()(engine_); }
  std::uint32_t token_id();
  std::vector<std::uint32_t> text(Index n);

  Index n() const { return static_cast<Index>(state_.tokens.ids.size()); }
  Index layers() const { return static_cast<Index>(state_.network.stack.blocks.size()); }
  StackReport nothing() const { return {layers(), n()}; }
  StackReport from(const LayerId& at, Index row) const;
  StackReport from(const attention::network::CellOverride& override) const;

  LayerId place();
  attention::Shape shape_of(const LayerId& at, attention::Stage stage) const;
  attention::Matrix numbers_of(const LayerId& at, attention::Stage stage);
  attention::network::CellOverride cell_override();
  attention::network::StreamOverride stream_override();

  StackReport edit_gain();
  StackReport edit_patch();
  StackReport edit_override();
  StackReport edit_stream();
  StackReport edit_id();
  StackReport edit_types();
  StackReport edit_length();
  StackReport edit_weight();

  std::mt19937 engine_;
  Index vocabulary_;
  NetworkState state_;
};

}  // namespace lab
