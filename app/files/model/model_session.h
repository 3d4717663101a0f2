#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/model/model_document.h"
#include "app/files/model/model_folder.h"
#include "app/files/model/weights/weights_hash.h"
#include "app/files/session/session_view.h"

namespace lab::files {

// A session of a trained model names the model and holds what was done to it, in one JSON file:
//   { "type": "attention-lab model session", "version": 1,
//     "model": { "folder": "/home/me/gpt2", "name": "gpt2",
//                "weights": [ { "file": "model.safetensors", "sha256": "…" } ],
//                "config": { "file": "config.json", "sha256": "…" },
//                "training": { "branch": 0, "step": 1240 } },
//     "text": { "typed": "a small", "ids": [5, 7],
//               "chat": { "on": true, "turns": [ { "role": "user", "content": "Hi" } ],
//                         "plain": { "typed": "a small" },
//                         "from_turns": [ { "turn": 1, "begin": 18, "end": 20 } ] } },
//     "decoder_text": { … }, "types": [0, 0],
//     "adapter_gain": 0.5,
//     "layer": "3",
//     "gains": [ { "head": "L9H3", "mute": true, "solo": true, "gain": 0.5 } ],
//     "overrides": [ { "head": "L1H2", "stage": "weights", "row": 0, "col": 1, "value": 0.5 },
//                    { "layer": "1", "stage": "output", "row": 0, "col": 1, "value": 0.5 } ],
//     "patches": [ { "head": "L1H2", "stage": "head_output", "values": M } ],
//     "stream": [ { "layer": "2", "row": 0, "col": 1, "value": 0.5 } ],
//     "weights": [ { "layer": "3", "matrix": "W_Q", "head": 2, "cells": [ [0, 1, 0.5] ] } ],
//     "set_aside": { "tokens": [ { "text": "Ġcat", "before": 1 } ], "decoder_tokens": […],
//                    "overrides": […], "patches": […], "stream": […],
//                    "switched_off": { "overrides": […], "patches": […], "stream": […] } },
//     "switched_off": { "gains": […], "overrides": […], "patches": […], "stream": […],
//                       "weights": […] },
//     "batch": { "current": 2,
//                "sentences": [ { "text": { … }, "decoder_text": { … }, "types": […],
//                                 "overrides": […], "patches": […], "stream": […],
//                                 "set_aside": { … }, "switched_off": { … } }, {} ] },
//     "view": { … } }
// "training" is there for a model at a step of a run of training: "folder" is then that of the run,
// see run_folder.h, and "weights" is empty. M is a list of rows. "config" is missing in older
// sessions. "name" is there for models that can be opened by name; "typed" unless ids were given;
// with "chat" on it is what the chat template made of the turns, "plain" is what is read without
// it, and "from_turns" are the bytes that are of a turn, which counts from 1. "decoder_text" with
// two stacks; the rest when it is not empty; "view" is that of other sessions. Layers and heads
// count from 0. "weights" holds only what differs from the model's own numbers: [row, col, number]
// for each cell, or "values": M when these are many. In "set_aside" rows and columns that stand for
// tokens are places in the line of their text, removed tokens included; older sessions have
// positions beyond the text and no tokens there. "batch" holds the other texts, with what was done
// to their numbers; they count from 1, as the commands do, and the place of the text of the session
// itself is empty. Numbers read back bit for bit; NaN and ±∞ are the strings "NaN", "Infinity",
// "-Infinity". assets/schema/model-session.schema.json describes it too.

/// The type that such a session names at its beginning.
inline constexpr const char* kModelSessionType = "attention-lab model session";
/// The version that the program writes.
inline constexpr std::uint64_t kModelSessionVersion = 1;

/// What may be done about a model that is not where it was, or not what it was.
struct ModelChoice {
  std::string folder;       ///< its new place; empty: where the session says
  bool changed = false;     ///< opens the session also with weights or a config.json that are not
                            ///< those it was made with
  std::string beside = {};  ///< the folder of the session's file, where the run of its training is
                            ///< looked for first; empty: the session is in no file of the user's
};

/// A session of a model, opened together with the model.
struct ModelSession {
  std::shared_ptr<const Model> model;  ///< null when it is a step of a run of training
  ModelDocument document;
  std::vector<WeightsHash> weights;
  std::optional<WeightsHash> config;  ///< like `weights`, nothing until the session was read
  std::optional<SessionView> view;    ///< how it was viewed, if the session says so
  std::vector<std::string> notes;     ///< what a person should know, one sentence each
};

/// True when the file at `path` is a session of a model, by its beginning, or a figure that embeds
/// one. "-" is standard input, which stays to be read.
bool is_model_session(const std::string& path);

/// Reads a session of a model and opens the model. Fails with kIo when the model is not there, and
/// with kBadInput, naming the member, when the session is no session of this model, or was made
/// with other weights or another config.json. Reports its progress to `watch`, which may be null,
/// and throws attention::WorkStopped as it says.
Expected<ModelSession> read_model_session(std::string_view json, const ModelChoice& choice,
                                          attention::WorkWatch* watch = nullptr);

/// Opens the session at `path`, or the one that the figure there embeds. Fails as
/// read_model_session() does, naming the file.
Expected<ModelSession> open_model_session(const std::string& path, const ModelChoice& choice,
                                          attention::WorkWatch* watch = nullptr);

/// The session as JSON; without a hash of config.json when there is none.
std::string write_model_session(const ModelDocument& document,
                                const std::vector<WeightsHash>& weights,
                                const std::optional<WeightsHash>& config = {},
                                const std::optional<SessionView>& view = {});

/// Computes the hashes of the session's model, unless it has them. Fails with kIo.
Expected<void> add_hashes(ModelSession& session, attention::WorkWatch* watch = nullptr);

}  // namespace lab::files
