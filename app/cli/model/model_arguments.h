#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "core/network/interventions.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// What a verb reads with a model, and what it does to its heads.
struct ModelArguments {
  std::optional<std::string> text, decoder_text;
  std::optional<std::string> ids, decoder_ids;  ///< "1,2,3"
  bool chat = false;                            ///< --text is what the user of a chat says
  std::optional<std::string> system;            ///< --system: the instruction before it
  std::optional<std::string> mute;              ///< "L9H9,L7H3"
  std::optional<std::string> gain;              ///< "L3H1=0.5"
  std::string folder;          ///< --model: the new location of the model of a session
  bool changed_model = false;  ///< accepts that its weights are others
  std::string layer;           ///< "3", "cross.0", "encoder.1" or "all"; empty: not set
  std::string sentence;        ///< --sentence, of a batch of sentences: "2"; empty: not set

  /// True when any was set that only models have.
  bool any() const;
};

/// Adds the options --text, --decoder-text, --ids, --decoder-ids, --chat, --system, --mute and
/// --gain, and for sessions of models --model and --changed-model.
void add_model_options(CLI::App& app, ModelArguments& arguments);

/// Adds only --chat and --system, which say how --text is read.
void add_chat_options(CLI::App& app, ModelArguments& arguments);

/// Adds only the options for sessions of models, --model and --changed-model, for verbs that need
/// no text.
void add_model_location_options(CLI::App& app, ModelArguments& arguments);

/// Adds --layer, for verbs that show one layer, or the weights of all.
void add_layer_option(CLI::App& app, ModelArguments& arguments);
/// The same with another help text.
void add_layer_option(CLI::App& app, ModelArguments& arguments, const char* help);
/// The help of --layer, for verbs that are about one layer.
inline constexpr const char* kOneLayerHelp =
    "the layer, from 0; in models with two stacks also cross.0 and\nencoder.0";

/// The layer that --layer means: its number from 0, of a model with two stacks also cross.0 and
/// encoder.0. Fails with kUsage for anything else.
Expected<attention::network::LayerId> parse_layer(const std::string& text);
/// The same, of `network`. Fails with kUsage, naming the layers that there are, when it has no such
/// layer.
Expected<attention::network::LayerId> parse_layer(const std::string& text,
                                                  const attention::network::Network& network);

/// The sublayer whose layers --layer means together: all, cross.all or encoder.all; nothing if it
/// means one.
std::optional<attention::network::Sublayer> parse_all_layers(const std::string& text);

/// The ids of a list such as "1,2,3". Fails with kUsage, naming `option`.
Expected<std::vector<std::uint32_t>> parse_ids(const char* option, std::string_view text);

/// The gains that --mute and --gain ask for. A head is named L9H9, from 0, of a decoder's attention
/// to its encoder cross.L0H1, and of the encoder encoder.L0H1. Fails with kUsage for anything else,
/// and for a head that is named twice.
Expected<std::vector<attention::network::HeadGain>> parse_gains(const ModelArguments& arguments);

}  // namespace lab::cli
