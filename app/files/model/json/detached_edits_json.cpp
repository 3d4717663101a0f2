#include "app/files/model/json/detached_edits_json.h"

#include <algorithm>

#include "app/document/model/remap_edits.h"
#include "app/files/model/json/model_edits_json.h"
#include "app/files/session/detached_json.h"
#include "core/layer/stage_info.h"

namespace lab::files {
namespace {

using attention::Axis;
using attention::Index;
using attention::network::CellOverride;
using attention::network::Interventions;
using attention::network::Network;
using attention::network::StreamOverride;
using attention::network::Sublayer;

constexpr Index kMostUnnamed = 4096;  // tokens of older sessions

// How many places there are in the lines of both texts.
struct LineLengths {
  Index text, decoder_text;
};

LineLengths line_lengths(const ModelDocument& model) {
  return {std::ssize(text_line(model)), std::ssize(decoder_text_line(model))};
}

// Calls visit(member, sublayer, axis, place) for the row and the column where they stand for
// tokens.
template <typename Visit>
void for_each_index(const CellOverride& one, Visit visit) {
  const attention::StageInfo& info = attention::stage_info(one.cell.stage);
  const auto visit_along = [&](Axis axis, const char* member, Index index) {
    if (axis == Axis::kQueries || axis == Axis::kKeys) visit(member, one.at.sublayer, axis, index);
  };
  visit_along(info.rows, ".row", one.cell.row);
  visit_along(info.cols, ".col", one.cell.col);
}
template <typename Visit>
void for_each_index(const StreamOverride& one, Visit visit) {
  visit(".row", one.at.sublayer, Axis::kQueries, one.row);
}

// Calls visit(path, is_of_decoder_text, index) for all of them.
template <typename Visit>
void for_each_index(const Interventions& all, const std::string& path,
                    const attention::network::Network& network, Visit visit) {
  const auto visit_list = [&](const auto& list, const char* name) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for_each_index(list[i], [&](const char* member, Sublayer sublayer, Axis axis, Index index) {
        visit(path + name + "[" + std::to_string(i) + "]" + member,
              is_of_decoder_text(network, sublayer, axis), index);
      });
  };
  visit_list(all.overrides, "overrides");
  visit_list(all.stream, "stream");
}

template <typename Visit>
void for_each_detached_index(const ModelDocument& model, const std::string& path, Visit visit) {
  for_each_index(model.detached.edits, path + "set_aside.", model.network, visit);
  for_each_index(model.detached.switched_off, path + "set_aside.switched_off.", model.network,
                 visit);
}

// Moves what is switched off and beyond the texts to what is detached.
void detach_switched_off(ModelDocument& model) {
  const LineLengths lengths = line_lengths(model);
  const auto move = [&](auto& from, auto& to) {
    std::erase_if(from, [&](const auto& item) {
      bool beyond = false;
      for_each_index(item, [&](const char*, Sublayer sublayer, Axis axis, Index index) {
        const bool decoder = is_of_decoder_text(model.network, sublayer, axis);
        beyond |= index >= (decoder ? lengths.decoder_text : lengths.text);
      });
      if (beyond) to.push_back(item);
      return beyond;
    });
  };
  move(model.switched_off.overrides, model.detached.switched_off.overrides);
  move(model.switched_off.stream, model.detached.switched_off.stream);
}

// Adds a token without a text at the end of a text for each position beyond it.
void add_unnamed_tokens(ModelDocument& model, const std::string& path) {
  const LineLengths lengths = line_lengths(model);
  LineLengths needed = lengths;
  for_each_detached_index(
      model, path, [&](const std::string& item_path, bool decoder, Index index) {
        const Index length = decoder ? lengths.decoder_text : lengths.text;
        if (index >= length + kMostUnnamed)
          throw BadInput(item_path + ": " + std::to_string(index) + " is far beyond the text");
        Index& count = decoder ? needed.decoder_text : needed.text;
        count = std::max(count, index + 1);
      });
  const auto add = [](std::vector<RemovedToken>& tokens, Index length, Index count) {
    tokens.insert(tokens.end(), static_cast<std::size_t>(count - length), RemovedToken{{}, length});
  };
  add(model.detached.tokens, lengths.text, needed.text);
  add(model.detached.decoder_tokens, lengths.decoder_text, needed.decoder_text);
}

// What is switched off is about tokens of the texts; what is detached also about removed ones.
void check_indices(const ModelDocument& model, const std::string& path) {
  const auto check_below = [](const LineLengths& lengths, const char* what) {
    return [lengths, what](const std::string& item_path, bool decoder, Index index) {
      const Index length = decoder ? lengths.decoder_text : lengths.text;
      if (index >= length)
        throw BadInput(item_path + ": " + std::to_string(index) + ", should be below " +
                       std::to_string(length) + ", the number of " + what);
    };
  };
  const LineLengths tokens{std::ssize(model.text.ids), std::ssize(model.decoder_text.ids)};
  for_each_index(model.switched_off, path + "switched_off.", model.network,
                 check_below(tokens, "tokens"));
  for_each_detached_index(model, path,
                          check_below(line_lengths(model), "tokens and removed tokens"));
}

void read_members(const JsonCursor& detached, ModelDocument& model) {
  detached.object_of(
      {"tokens", "decoder_tokens", "overrides", "patches", "stream", "switched_off"});
  DetachedEdits& all = model.detached;
  const FieldReader members(detached);
  members.unless_default("tokens", all.tokens, RemovedTokens(std::ssize(model.text.ids)));
  members.unless_default("decoder_tokens", all.decoder_tokens,
                         RemovedTokens(std::ssize(model.decoder_text.ids)));
  all.edits = read_interventions(detached, model.network);
  all.switched_off = read_switched_off(detached, model.network);
}

}  // namespace

void write_switched_off(JsonWriter& out, const Interventions& switched_off) {
  if (switched_off == Interventions{}) return;
  out.member("switched_off");
  out.object([&] { write_interventions(out, switched_off); });
}

Interventions read_switched_off(const JsonCursor& object, const Network& network) {
  const auto off = object.find("switched_off");
  if (!off) return {};
  return read_interventions(off->object_of({"overrides", "patches", "stream"}), network);
}

void write_detached_edits(JsonWriter& out, const DetachedEdits& detached) {
  if (detached.empty()) return;
  out.member("set_aside");
  out.begin('{');
  write_unless_default(out, "tokens", detached.tokens);
  write_unless_default(out, "decoder_tokens", detached.decoder_tokens);
  write_interventions(out, detached.edits);
  write_switched_off(out, detached.switched_off);
  out.end('}');
}

void read_detached_edits(const JsonCursor& object, ModelDocument& model) {
  if (const auto detached = object.find("set_aside")) read_members(*detached, model);
  const bool names_tokens =
      !model.detached.tokens.empty() || !model.detached.decoder_tokens.empty();
  if (!names_tokens) {
    detach_switched_off(model);
    add_unnamed_tokens(model, object.path_of(""));
  }
  check_indices(model, object.path_of(""));
  remap_edits(model);
}

}  // namespace lab::files
