#include "app/cli/model/model_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/spelt_number.h"
#include "app/cli/arguments.h"
#include "app/cli/text.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::network::HeadGain;
using attention::network::LayerPlace;
using attention::network::Sublayer;

// Takes `letter` and the number after it off the front.
std::optional<Index> take_place(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) return std::nullopt;
  text.remove_prefix(1);
  const auto number = take_number<std::uint32_t>(text);
  return number ? std::optional<Index>(*number) : std::nullopt;
}

// Takes "cross." or "encoder." off the front.
Sublayer take_sublayer(std::string_view& text) {
  const auto take = [&](std::string_view prefix) {
    const bool there = text.starts_with(prefix);
    if (there) text.remove_prefix(prefix.size());
    return there;
  };
  if (take("cross.")) return Sublayer::kCross;
  return take("encoder.") ? Sublayer::kEncoder : Sublayer::kSelf;
}

std::optional<HeadGain> head_of(std::string_view text) {
  HeadGain gain;
  gain.at.sublayer = take_sublayer(text);
  const auto layer = take_place(text, 'L');
  const auto head = layer ? take_place(text, 'H') : std::nullopt;
  if (!head || !text.empty()) return std::nullopt;
  gain.at.layer = *layer;
  gain.head = *head;
  return gain;
}

Expected<HeadGain> gain_of(const char* option, std::string_view text) {
  const bool with_number = option == std::string_view("--gain");
  const std::size_t sign = with_number ? text.find('=') : text.size();
  auto gain = sign == text.npos ? std::nullopt : head_of(text.substr(0, sign));
  const auto number =
      with_number && gain ? finite_number(text.substr(sign + 1)) : std::optional<float>(0);
  if (!gain || !number)
    return fail(ErrorKind::kUsage, std::string(option) + " " + in_quotes(text) + ": should be " +
                                       (with_number ? "a head and a number, such as L3H1=0.5"
                                                    : "a head, such as L9H9 (both from 0)"));
  gain->gain = *number;
  return *gain;
}

Expected<void> add_gains(const char* option, std::string_view list, std::vector<HeadGain>& gains) {
  if (list.empty()) return {};
  for (const std::string_view part : parts_of_list(list)) {
    const auto gain = gain_of(option, part);
    if (!gain) return tl::make_unexpected(gain.error());
    const bool twice = std::ranges::any_of(gains, [&](const HeadGain& other) {
      return other.at == gain->at && other.head == gain->head;
    });
    if (twice)
      return fail(ErrorKind::kUsage,
                  std::string(option) + " " + in_quotes(part) + ": this head is named twice");
    gains.push_back(*gain);
  }
  return {};
}

}  // namespace

bool ModelArguments::any() const {
  return text || decoder_text || ids || decoder_ids || !mute.empty() || !gain.empty() ||
         !layer.empty();
}

void add_model_options(CLI::App& app, ModelArguments& arguments) {
  constexpr const char* kGroup = "With a model's folder";
  app.add_option("--text", arguments.text, "the text that the model reads")->group(kGroup);
  app.add_option("--decoder-text", arguments.decoder_text,
                 "of a model with two stacks, what its decoder reads")
      ->group(kGroup);
  app.add_option("--ids", arguments.ids, "token ids instead of a text: 1,2,3")->group(kGroup);
  app.add_option("--decoder-ids", arguments.decoder_ids, "the same for the decoder")->group(kGroup);
  app.add_option("--mute", arguments.mute,
                 "heads whose output is 0: L9H9,L7H3 (from 0); in models\n"
                 "with two stacks also cross.L0H1, encoder.L0H1")
      ->group(kGroup);
  app.add_option("--gain", arguments.gain, "factors of heads' outputs: L3H1=0.5")->group(kGroup);
}

void add_layer_option(CLI::App& app, ModelArguments& arguments) {
  app.add_option("--layer", arguments.layer,
                 "the layer, from 0, or all for the weights of every layer; in\nmodels with two "
                 "stacks also cross.0 and encoder.0")
      ->group("With a model's folder");
}

Expected<LayerPlace> parse_layer(const std::string& text) {
  std::string_view rest = text;
  const Sublayer sublayer = take_sublayer(rest);
  const auto layer = spelt_number<std::uint32_t>(rest);
  if (layer) return LayerPlace{sublayer, static_cast<Index>(*layer)};
  return fail(ErrorKind::kUsage, "--layer " + in_quotes(text) +
                                     ": should be the number of a layer, from 0, such as 3, "
                                     "cross.0 or encoder.0");
}

std::optional<Sublayer> parse_all_layers(const std::string& text) {
  std::string_view rest = text;
  const Sublayer sublayer = take_sublayer(rest);
  return rest == "all" ? std::optional(sublayer) : std::nullopt;
}

Expected<std::vector<std::uint32_t>> parse_ids(const char* option, std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (const std::string_view part : parts_of_list(text)) {
    const auto id = spelt_number<std::uint32_t>(part);
    if (!id)
      return fail(ErrorKind::kUsage, std::string(option) + " " + in_quotes(part) +
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
