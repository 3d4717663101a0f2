#pragma once

#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/document/error.h"
#include "core/work_watch.h"

namespace lab {

// A session is one JSON file:
//   { "type": "attention-lab session", "version": 1, "title": …, "sentence": …,
//     "tokenizer": "words", "dimensions": […],
//     "config": { "d_model": 8, "n_heads": 3, "d_k": 4, "d_v": 4, "scale": true,
//                 "temperature": 1, "mask": "none" },
//     "embedding": { "animal": [ … d_model numbers … ], … },
//     "heads": [ { "W_Q": M, "W_K": M, "W_V": M, "b_Q": […], … }, … ],
//     "W_O": M, "b_O": […] }
// M is a list of rows, or {"fill": "xavier", "seed": 7}; a fill may stand for a list of numbers
// too. Only when used: "d_out" in "config" (else d_model), "allowed": M of 0
// and 1, "bias": M, and, when the tokenizer would give others, "tokens": [{"text": …, "key":
// …}]. The variants of the layer, where they differ from the defaults: in "config" "n_kv_heads",
// "head_build" and those of for_each_variant; beside it "gamma": […], "beta": […],
// "position_table": M, "position_table_kv": M, "head_mix" and "overrides" (see variants.h). With
// n_kv_heads, "kv_heads": [ { "W_K": M, "W_V": M, "b_K": […], … }, … ] holds what "heads" does
// otherwise. Words without a row in "embedding" have their default embedding. NaN and ±∞ are the
// strings "NaN", "Infinity", "-Infinity".

/// Reads a session. Fails with kBadInput saying which member is wrong, what it is and what it
/// should be; unknown members are ignored, a newer version is an error. Tells `watch`, which may be
/// null, of the bytes that were read; throws as it does.
Expected<Document> read_session(std::string_view json, attention::WorkWatch* watch = nullptr);

/// Writes a session, one matrix row a line; every number reads back bit for bit.
std::string write_session(const Document& document);

/// Longest session that a picture carries, in bytes.
inline constexpr std::size_t kLongestCarried = std::size_t{8} << 20;

/// The session for a picture to carry, so that opening the picture brings it back; empty where it
/// is longer than kLongestCarried.
std::string carried_session_of(const Document& document);

}  // namespace lab
