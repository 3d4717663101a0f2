#include "app/files/model/json/detached_edits_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/document/model/remap_edits.h"
#include "app/files/model/json/interventions_json.h"
#include "app/files/session/detached_json.h"
#include "app/files/session/json_reading.h"
#include "core/layer/stage_info.h"

namespace lab::files {
namespace {

using attention::Axis;
using attention::Index;
using attention::network::CellOverride;
using attention::network::Interventions;
using attention::network::StreamOverride;
using attention::network::Sublayer;
using nlohmann::json;

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
void for_each_place(const CellOverride& one, Visit visit) {
  const attention::StageInfo& info = attention::stage_info(one.cell.stage);
  const auto visit_along = [&](Axis axis, const char* member, Index place) {
    if (axis == Axis::kQueries || axis == Axis::kKeys) visit(member, one.at.sublayer, axis, place);
  };
  visit_along(info.rows, ".row", one.cell.row);
  visit_along(info.cols, ".col", one.cell.col);
}
template <typename Visit>
void for_each_place(const StreamOverride& one, Visit visit) {
  visit(".row", one.at.sublayer, Axis::kQueries, one.row);
}

// Calls visit(path, of_decoder_text, place) for all of them.
template <typename Visit>
void for_each_place(const Interventions& all, const std::string& path,
                    const attention::network::Network& network, Visit visit) {
  const auto visit_list = [&](const auto& list, const char* name) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for_each_place(list[i], [&](const char* member, Sublayer sublayer, Axis axis, Index place) {
        visit(indexed(path + name, i) + member, is_of_decoder_text(network, sublayer, axis), place);
      });
  };
  visit_list(all.overrides, "overrides");
  visit_list(all.stream, "stream");
}

template <typename Visit>
void for_each_detached_place(const ModelDocument& model, const std::string& path, Visit visit) {
  for_each_place(model.detached.edits, path + "set_aside.", model.network, visit);
  for_each_place(model.detached.switched_off, path + "set_aside.switched_off.", model.network,
                 visit);
}

// Moves what is switched off and beyond the texts to what is detached.
void detach_switched_off(ModelDocument& model) {
  const LineLengths lengths = line_lengths(model);
  const auto move = [&](auto& from, auto& to) {
    std::erase_if(from, [&](const auto& item) {
      bool beyond = false;
      for_each_place(item, [&](const char*, Sublayer sublayer, Axis axis, Index place) {
        const bool decoder = is_of_decoder_text(model.network, sublayer, axis);
        beyond |= place >= (decoder ? lengths.decoder_text : lengths.text);
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
  for_each_detached_place(model, path, [&](const std::string& own, bool decoder, Index place) {
    const Index length = decoder ? lengths.decoder_text : lengths.text;
    if (place >= length + kMostUnnamed)
      wrong(own, std::to_string(place) + " is far beyond the text");
    Index& count = decoder ? needed.decoder_text : needed.text;
    count = std::max(count, place + 1);
  });
  const auto add = [](std::vector<RemovedToken>& tokens, Index length, Index count) {
    tokens.insert(tokens.end(), static_cast<std::size_t>(count - length), RemovedToken{{}, length});
  };
  add(model.detached.tokens, lengths.text, needed.text);
  add(model.detached.decoder_tokens, lengths.decoder_text, needed.decoder_text);
}

// What is switched off is about tokens of the texts; what is detached also about removed ones.
void check_places(const ModelDocument& model, const std::string& path) {
  const auto check_below = [](const LineLengths& lengths, const char* what) {
    return [lengths, what](const std::string& own, bool decoder, Index place) {
      const Index length = decoder ? lengths.decoder_text : lengths.text;
      if (place >= length)
        wrong(own, std::to_string(place) + ", should be below " + std::to_string(length) +
                       ", the number of " + what);
    };
  };
  const LineLengths tokens{std::ssize(model.text.ids), std::ssize(model.decoder_text.ids)};
  for_each_place(model.switched_off, path + "switched_off.", model.network,
                 check_below(tokens, "tokens"));
  for_each_detached_place(model, path,
                          check_below(line_lengths(model), "tokens and removed tokens"));
}

void read_members(const json& detached, const std::string& path, ModelDocument& model) {
  check_members(detached, path,
                {"tokens", "decoder_tokens", "overrides", "patches", "stream", "switched_off"});
  DetachedEdits& all = model.detached;
  all.tokens = read_removed_tokens(detached, "tokens", path, std::ssize(model.text.ids));
  all.decoder_tokens =
      read_removed_tokens(detached, "decoder_tokens", path, std::ssize(model.decoder_text.ids));
  all.edits = read_interventions(detached, path + ".", model.network);
  if (const json* off = find(detached, "switched_off")) {
    const std::string own = path + ".switched_off";
    check_members(*off, own, {"overrides", "patches", "stream"});
    all.switched_off = read_interventions(*off, own + ".", model.network);
  }
}

}  // namespace

void write_detached_edits(JsonWriter& out, const DetachedEdits& detached) {
  if (detached.empty()) return;
  out.member("set_aside");
  out.begin('{');
  write_removed_tokens(out, "tokens", detached.tokens);
  write_removed_tokens(out, "decoder_tokens", detached.decoder_tokens);
  write_interventions(out, detached.edits);
  if (!(detached.switched_off == Interventions{})) {
    out.member("switched_off");
    out.begin('{');
    write_interventions(out, detached.switched_off);
    out.end('}');
  }
  out.end('}');
}

void read_detached_edits(const json& object, const std::string& path, ModelDocument& model) {
  if (const json* detached = find(object, "set_aside"))
    read_members(*detached, path + "set_aside", model);
  const bool names_tokens =
      !model.detached.tokens.empty() || !model.detached.decoder_tokens.empty();
  if (!names_tokens) {
    detach_switched_off(model);
    add_unnamed_tokens(model, path);
  }
  check_places(model, path);
  remap_edits(model);
}

}  // namespace lab::files
