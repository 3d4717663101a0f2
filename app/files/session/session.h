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
//     "heads": [ { "W_Q": M, "W_K": M, "W_V": M, "b_Q": […], … }, … ],
//     "W_O": M, "b_O": […], "view": { … } }
// M is a list of rows, or {"fill": "xavier", "seed": 7}; a fill may stand for a list of numbers
// too. Only when used: "d_out" in "config" (else d_model), "allowed": M of 0
// and 1, "bias": M, and, when the tokenizer would give others, "tokens": [{"text": …, "key":
// …}]. The variants of the layer, where they differ from the defaults: in "config" "n_kv_heads",
// "head_build" and those of for_each_variant; beside it "gamma": […], "beta": […],
// "position_table": M, "position_table_kv": M, "head_mix" and "overrides" (see variants.h). With
// n_kv_heads, "kv_heads": [ { "W_K": M, "W_V": M, "b_K": […], … }, … ] holds what "heads" does
// otherwise. Words without a row in "embedding" have their default embedding. NaN and ±∞ are the
// strings "NaN", "Infinity", "-Infinity". "view" says how it was looked at (see view_json.h).
// assets/schema/session.schema.json describes all of it.
//
// Version 1 had "mask": "none" or "causal" in "config" where "causal" is now, and no view.

/// What the program writes; older versions are brought up to date as they are read.
inline constexpr std::uint64_t kSessionVersion = 2;

/// What a session file holds.
struct Session {
  Document document;
  std::optional<SessionView> view;  ///< nothing: the file says nothing of it
  std::vector<std::string> notes;   ///< what was not understood, a sentence each
  bool newer = false;               ///< written by a newer version: saving would lose some of it
};

/// Reads a session. Fails with kBadInput saying which member is wrong, what it is and what it
/// should be; unknown members are ignored. Of a newer version, what is optional and not understood
/// is left out, with a note. Tells `watch`, which may be null, of the bytes that were read; throws
/// as it does.
Expected<Session> read_whole_session(std::string_view json, attention::WorkWatch* watch = nullptr);
/// The same for those who need the document alone.
Expected<Document> read_session(std::string_view json, attention::WorkWatch* watch = nullptr);

/// Writes a session, one matrix row a line; every number reads back bit for bit.
std::string write_session(const Document& document,
                          const std::optional<SessionView>& view = std::nullopt);

/// Longest session that a picture carries, in bytes.
inline constexpr std::size_t kLongestCarried = std::size_t{8} << 20;

/// The session for a picture to carry, so that opening the picture brings it back; empty where it
/// is longer than kLongestCarried.
std::string carried_session_of(const Document& document);

}  // namespace lab::files
