#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/session/session_view.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

// A session is one JSON file:
//   { "type": "attention-lab session", "version": 2, "title": …, "sentence": …,
//     "tokenizer": "words", "dimensions": […],
//     "config": { "d_model": 8, "n_heads": 3, "d_k": 4, "d_v": 4, "scale": true,
//                 "temperature": 1, "causal": false },
//     "embedding": { "animal": [ … d_model numbers … ], … },
//     "heads": [ { "W_Q": M, "W_K": M, "W_V": M, "b_Q": […], "sink": […], … }, … ],
//     "W_O": M, "b_O": […], "view": { … } }
// M is a list of rows, or {"fill": "xavier", "seed": 7}; a fill may stand for a list of numbers
// too. Only when used: "d_out" in "config" (else d_model), "allowed": M of 0
// and 1, "bias": M, and, when the tokenizer would give others, "tokens": [{"text": …, "key":
// …}]. The variants of the layer, where they differ from the defaults: in "config" "n_kv_heads",
// "head_build" and those of for_each_variant; beside it "gamma": […], "beta": […],
// "norm_Q": […], "norm_K": […], "position_table": M, "position_table_kv": M, "head_mix",
// "overrides" and "switched_off" (see variants.h). With n_kv_heads, "kv_heads": [ { "W_K": M,
// "W_V": M, "b_K": […], …
// }, … ] holds what "heads" does otherwise. "set_aside" holds what belongs to words that were
// removed (see detached_json.h); "shared_words" is there when it is not false with a second
// sentence and true without one; "new_word_scale" when it is not 1. Words without a row in
// "embedding" have their default embedding. NaN and ±∞ are the strings "NaN", "Infinity",
// "-Infinity". "view" holds how it was viewed (see view_json.h). assets/schema/session.schema.json
// describes all of it.
//
// Version 1 had "mask": "none" or "causal" in "config" where "causal" is now, and no view.

/// The version that the program writes; older ones are upgraded when read.
inline constexpr std::uint64_t kSessionVersion = 2;

/// The content of a session file.
struct Session {
  Document document;
  std::optional<SessionView> view;  ///< nothing when the file has none
  std::vector<std::string> notes;   ///< what was not understood, one sentence each
  bool newer = false;               ///< written by a newer version: saving would lose parts of it
};

/// Reads a session. Fails with kBadInput naming the wrong member, what it is and what it should be;
/// unknown members are ignored. In a session of a newer version, optional parts that are not
/// understood are skipped with a note. Reports the bytes read to `watch`, which may be null; throws
/// as `watch` does.
Expected<Session> read_whole_session(std::string_view json, attention::WorkWatch* watch = nullptr);
/// The same, but returns only the document.
Expected<Document> read_session(std::string_view json, attention::WorkWatch* watch = nullptr);

/// The session as JSON, one matrix row per line; every number reads back bit for bit.
std::string write_session(const Document& document,
                          const std::optional<SessionView>& view = std::nullopt);

/// Longest session that a figure embeds, in bytes.
inline constexpr std::size_t kLongestEmbedded = std::size_t{8} << 20;

/// The session for a figure to embed, so that opening the figure restores it; empty when it would
/// be longer than kLongestEmbedded.
std::string embedded_session_of(const Document& document);

}  // namespace lab::files
