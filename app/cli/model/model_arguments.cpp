#include "app/cli/model/model_arguments.h"
#include "app/base/strings.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/cli/arguments.h"
#include "app/cli/text.h"
#include "app/document/model/layer_name.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::network::HeadGain;
using attention::network::LayerId;
using attention::network::Sublayer;

constexpr const char* kModelGroup = "With a trained model";

std::optional<HeadGain> head_of(std::string_view text) {
  const auto head = model_head_from_name(text);
  if (!head) return std::nullopt;
  return HeadGain{head->at, head->head, 1};
}

Expected<HeadGain> gain_of(const char* option, std::string_view text) {
  const bool with_number = option == std::string_view("--gain");
  const std::size_t sign = with_number ? text.find('=') : text.size();
  auto gain = sign == text.npos ? std::nullopt : head_of(text.substr(0, sign));
  const auto number =
      with_number && gain ? finite_number(text.substr(sign + 1)) : std::optional<float>(1);
  if (!gain || !number)
    return fail(ErrorType::kUsage, std::string(option) + " " + in_quotes(text) + ": should be " +
                                       (with_number ? "a head and a number, such as L3H1=0.5"
                                                    : "a head, such as L9H9 (both from 0)"));
  gain->gain = *number;
  gain->mute = !with_number;
  return *gain;
}

Expected<void> add_gains(const char* option, const std::optional<std::string>& list,
                         std::vector<HeadGain>& gains) {
  if (!list) return {};
  if (list->empty())
    return fail(ErrorType::kUsage,
                std::string(option) + " is empty; it should name heads, such as L9H9");
  for (const std::string_view item : split(*list, ',')) {
    const auto gain = gain_of(option, item);
    if (!gain) return tl::make_unexpected(gain.error());
    const bool twice = std::ranges::any_of(gains, [&](const HeadGain& other) {
      return other.at == gain->at && other.head == gain->head;
    });
    if (twice)
      return fail(ErrorType::kUsage,
                  std::string(option) + " " + in_quotes(item) + ": this head is named twice");
    gains.push_back(*gain);
  }
  return {};
}

// "; its layers are 0 to 3", of that type; empty when there are none.
std::string range_of_layers(const attention::network::Network& network, Sublayer sublayer) {
  const Index count = layer_count(network, sublayer);
  if (count == 0) return {};
  if (count == 1) return "; its only layer is 0";
  return "; its layers are 0 to " + std::to_string(count - 1);
}

// "; attention is in the layers 1, 3".
std::string attending_text(const attention::network::Network& network, Sublayer sublayer) {
  std::string list;
  for (const Index layer : attending_layers(network, sublayer))
    list += (list.empty() ? "" : ", ") + std::to_string(layer);
  return "; attention is in the layers " + list;
}

}  // namespace

bool ModelArguments::any() const {
  return text || decoder_text || ids || decoder_ids || chat || system || mute || gain ||
         !layer.empty() || !folder.empty() || changed_model;
}

void add_model_options(CLI::App& app, ModelArguments& arguments) {
  app.add_option("--text", arguments.text, "the text that the model reads")->group(kModelGroup);
  app.add_option("--decoder-text", arguments.decoder_text,
                 "of a model with two stacks, what its decoder reads")
      ->group(kModelGroup);
  app.add_option("--ids", arguments.ids, "token ids instead of a text: 1,2,3")->group(kModelGroup);
  app.add_option("--decoder-ids", arguments.decoder_ids, "the same for the decoder")
      ->group(kModelGroup);
  add_chat_options(app, arguments);
  app.add_option("--mute", arguments.mute,
                 "heads whose output is 0: L9H9,L7H3 (from 0); in models\n"
                 "with two stacks also cross.L0H1, encoder.L0H1")
      ->join(',')
      ->group(kModelGroup);
  app.add_option("--gain", arguments.gain, "factors of heads' outputs: L3H1=0.5")
      ->join(',')
      ->group(kModelGroup);
  add_model_location_options(app, arguments);
}

void add_chat_options(CLI::App& app, ModelArguments& arguments) {
  app.add_flag("--chat", arguments.chat,
               "puts --text into the model's chat template, as what a user says\nto its assistant")
      ->group(kModelGroup);
  app.add_option("--system", arguments.system, "with --chat, the instruction before it")
      ->group(kModelGroup);
}

void add_model_location_options(CLI::App& app, ModelArguments& arguments) {
  app.add_option("--model", arguments.folder,
                 "of a session of a model, the folder where the model is now")
      ->group(kModelGroup);
  app.add_flag(
         "--changed-model", arguments.changed_model,
         "opens such a session although the model's weights or its\nconfig.json are others now")
      ->group(kModelGroup);
}

void add_layer_option(CLI::App& app, ModelArguments& arguments) {
  add_layer_option(app, arguments,
                   "the layer, from 0, or all for the weights of every layer; in\nmodels with two "
                   "stacks also cross.0 and encoder.0");
}

void add_layer_option(CLI::App& app, ModelArguments& arguments, const char* help) {
  app.add_option("--layer", arguments.layer, help)->group(kModelGroup);
}

Expected<LayerId> parse_layer(const std::string& text) {
  if (const auto layer = layer_from_name(text)) return *layer;
  return fail(ErrorType::kUsage, "--layer " + in_quotes(text) +
                                     ": should be the number of a layer, from 0, such as 3, "
                                     "cross.0 or encoder.0");
}

Expected<LayerId> parse_layer(const std::string& text, const attention::network::Network& network) {
  auto at = parse_layer(text);
  if (!at || find_attention(network, *at) != nullptr) return at;
  if (is_convolution(network, *at))
    return fail(ErrorType::kUsage, "--layer " + in_quotes(text) + ": " +
                                       without_attention(network, *at) +
                                       attending_text(network, at->sublayer));
  return fail(ErrorType::kUsage, "--layer " + in_quotes(text) + ": the model has no such layer" +
                                     range_of_layers(network, at->sublayer));
}

std::optional<Sublayer> parse_all_layers(const std::string& text) {
  for (const Sublayer sublayer : {Sublayer::kSelf, Sublayer::kCross, Sublayer::kEncoder})
    if (text == sublayer_prefix(sublayer) + "all") return sublayer;
  return std::nullopt;
}

Expected<std::vector<std::uint32_t>> parse_ids(const char* option, std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (const std::string_view item : split(text, ',')) {
    const auto id = parse_number<std::uint32_t>(item);
    if (!id)
      return fail(ErrorType::kUsage, std::string(option) + " " + in_quotes(item) +
                                         ": should be token ids, such as 1,2,3");
    ids.push_back(*id);
  }
  return ids;
}

Expected<std::vector<HeadGain>> parse_gains(const ModelArguments& arguments) {
  std::vector<HeadGain> gains;
  if (auto added = add_gains("--mute", arguments.mute, gains); !added)
    return tl::make_unexpected(added.error());
  if (auto added = add_gains("--gain", arguments.gain, gains); !added)
    return tl::make_unexpected(added.error());
  return gains;
}

}  // namespace lab::cli
