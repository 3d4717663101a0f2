#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/document/commands/reducer.h"
#include "app/files/io/bytes.h"
#include "app/files/model/model_session.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

// The schema that describes sessions to other programs, against what this one writes and refuses.

namespace lab {
namespace {

using nlohmann::json;

const char* const kFull = R"({
  "head": 2, "second_head": 1, "further_heads": [3],
  "selected": {"stage": "scores", "head": 1, "row": 0, "col": 2},
  "pins": [{"stage": "weights", "head": 2, "row": 1, "col": 1}],
  "pins_aside": {"queries": [{"text": "c", "before": 1}], "keys": [{"text": "c", "before": 1}],
                 "pins": [{"stage": "weights", "head": 1, "row": 1, "col": 1}]},
  "zoom": {"weights": [0.25, 0, 0.5, 1]}, "large": "weights", "range": "locked",
  "locked": {"scores": [-2, 2.5]}, "heads_order": "entropy", "heads_shown": "mean",
  "token_lines": "all", "weights_palette": "viridis",
  "edited": {"matrix": "W_O", "row": 1, "col": 0}})";

// What this program refuses, or leaves out of the view: a JSON pointer and a value.
const std::vector<std::pair<const char*, json>> kRefused = {
    {"/type", "attention-lab lesson"},
    {"/version", 0},
    {"/title", 3},
    {"/sentence", nullptr},
    {"/tokenizer", "bytes"},
    {"/tokenizer", json::object()},
    {"/tokenizer", {{"file", "english"}, {"special_tokens", 1}}},
    {"/tokens", json::array()},
    {"/tokens", {{{"text", "a"}, {"id", -1}}}},
    {"/tokens", {{{"text", "a"}, {"bytes", {0}}}}},
    {"/tokens", {"a"}},
    {"/tokens", {{{"key", "a"}}}},
    {"/dimensions", {"x", 1}},
    {"/kv_labels", {"a"}},
    {"/config", nullptr},
    {"/config/d_model", 2.5},
    {"/config/d_k", 0},
    {"/config/n_heads", 65},
    {"/config/scale", 1},
    {"/config/temperature", 0},
    {"/config/causal", "causal"},
    {"/config/positions", "absolute"},
    {"/config/dropout_rate", 1},
    {"/config/n_kv_heads", 1},
    {"/embedding", json::array()},
    {"/embedding/a", "zero"},
    {"/heads", json::array()},
    {"/heads/0", json::object()},
    {"/heads/0/W_Q", "zero"},
    {"/heads/0/W_Q/1/0", true},
    {"/heads/0/W_Q/1/0", 1e39},
    {"/W_O", {{"fill", "ones"}}},
    {"/W_O", {{"fill", "zero"}, {"seed", -1}}},
    {"/overrides", {1}},
    {"/overrides", {{{"stage", "logits"}, {"row", 0}, {"col", 0}, {"value", 1}}}},
    {"/overrides", {{{"stage", "X"}, {"row", 0}, {"col", 0}, {"value", 1}, {"comment", ""}}}},
    {"/head_mix", 1},
    {"/shared_words", 1},
    {"/new_word_scale", 0},
    {"/new_word_scale", "1"},
    {"/set_aside", 1},
    {"/set_aside/queries", {{{"before", 0}}}},
    {"/set_aside/mask", {{0}}},
    {"/set_aside/bias", {{0, 1, "x"}}},
    {"/set_aside/overrides", {1}},
    {"/view/head", 0},
    {"/view/further_heads", {0}},
    {"/view/pins", {{{"stage", "weights"}}}},
    {"/view/pins_aside", json::object()},
    {"/view/pins_aside", {{"pins", json::array()}, {"keys", {{{"text", "a"}}}}}},
    {"/view/zoom", {{"weights", {0, 0, 2, 1}}}},
    {"/view/zoom", {{"logits", {0, 0, 1, 1}}}},
    {"/view/locked", {{"weights", {0}}}},
    {"/view/edited", {{"matrix", "W_X"}, {"row", 0}, {"col", 0}}},
};

json good_session() {
  json root = json::parse(write_session(value_of(read_session(small_session()))));
  root["view"] = json::parse(kFull);
  return root;
}

bool is_understood(const json& root) {
  const auto session = read_whole_session(root.dump());
  return session && session->notes.empty();
}

// Runs the check; what Python says stays on standard output.
int check(const std::string& python, const TemporaryFolder& folder, const char* name) {
  const std::string schema = assets_folder() + "/schema/" + name;
  return std::system(
      (python + " '" CHECK_SCHEMA "' '" + schema + "' '" + (folder / ".") + "'").c_str());
}

TEST(SessionSchema, DescribesWhatIsWrittenAndNothingThatIsRefused) {
  const std::string python = python_with("jsonschema");
  if (python.empty()) GTEST_SKIP() << "no Python with jsonschema";
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_bytes(folder / (name + ".json"), text));
  };
  for (unsigned seed = 0; seed < 60; ++seed)
    write("good-" + std::to_string(seed),
          write_session(value_of(apply(random_document(seed), SetSentence{"The mat."}))));
  for (const ExampleInfo& example : examples())
    write("good-" + example.name, value_of(read_bytes(example.path)));
  ASSERT_TRUE(is_understood(good_session()));
  write("good-view", good_session().dump());
  int number = 0;
  for (const auto& [place, value] : kRefused) {
    json root = good_session();
    root[json::json_pointer(place)] = value;
    EXPECT_FALSE(is_understood(root)) << place << " " << value;
    write("bad-" + std::to_string(number++), root.dump());
  }
  EXPECT_EQ(check(python, folder, "session.schema.json"), 0);
}

// A session that uses every member, of a built-in model.
const char* const kFullModelSession = R"({
  "type": "attention-lab model session", "version": 1,
  "model": {"folder": "/nowhere", "name": "words", "weights": []},
  "text": {"typed": "a small dog", "ids": [65, 593, 900],
           "chat": {"turns": [{"role": "user", "content": "waits"}]}}, "layer": "3",
  "gains": [{"head": "L0H1", "mute": true, "solo": false, "gain": 2}],
  "overrides": [{"head": "L1H0", "stage": "weights", "row": 2, "col": 1, "value": 0.5}],
  "patches": [{"head": "L2H0", "stage": "weights", "values": [[1, 0, 0], [0, 1, 0], [0, 0, "NaN"]]}],
  "stream": [{"layer": "4", "row": 0, "col": 1, "value": "-Infinity"}],
  "weights": [{"layer": "0", "matrix": "W_V", "head": 1, "cells": [[0, 1, 0.5], [2, 0, -0.0]]},
              {"layer": "0", "matrix": "b_O", "cells": [[0, 3, 1]]}],
  "set_aside": {"overrides": [{"head": "L0H0", "stage": "scores", "row": 9, "col": 1, "value": 1}]},
  "batch": {"current": 2, "sentences": [
    {"text": {"typed": "a small dog", "ids": [65, 593, 900],
              "chat": {"on": true, "turns": [{"role": "user", "content": "small"}],
                       "plain": {"typed": "small"},
                       "from_turns": [{"turn": 1, "begin": 2, "end": 7}]}},
     "overrides": [{"head": "L1H0", "stage": "weights", "row": 2, "col": 1, "value": 0.5}],
     "switched_off": {"stream": [{"layer": "4", "row": 0, "col": 1, "value": 1}]},
     "set_aside": {"tokens": [{"text": "x", "before": 1}],
                   "overrides": [{"head": "L0H0", "stage": "scores", "row": 1, "col": 0, "value": 1}]}},
    {}]}})";

const std::vector<std::pair<const char*, json>> kRefusedOfModels = {
    {"/type", "attention-lab session"},
    {"/version", 2},
    {"/comment", 1},
    {"/model", nullptr},
    {"/model/folder", 1},
    {"/model/weights", {{{"file", "model.safetensors"}}}},
    {"/model/weights", {{{"file", "model.safetensors"}, {"sha256", "00"}}}},
    {"/model/config", {{"file", "config.json"}}},
    {"/text", json::object()},
    {"/text/ids", json::array()},
    {"/text/chat", json::object()},
    {"/text/chat/turns", json::array()},
    {"/text/chat/turns/0/name", "x"},
    {"/batch/sentences/0/text/chat/on", 1},
    {"/batch/sentences/0/text/chat/plain/ids", "x"},
    {"/batch/sentences/0/text/chat/from_turns/0/turn", 0},
    {"/batch/sentences/0/text/chat/from_turns/0/end", -1},
    {"/text/ids", {0.5}},
    {"/text/typed", 1},
    {"/types", {-1}},
    {"/layer", "L3"},
    {"/layer", 3},
    {"/gains/0/head", "1"},
    {"/gains/0/mute", 1},
    {"/gains/0/gain", "loud"},
    {"/overrides/0/stage", "X"},
    {"/overrides/0/row", -1},
    {"/overrides/0/value", nullptr},
    {"/patches/0/stage", "scores"},
    {"/patches/0/values", json::array()},
    {"/stream/0/layer", "last"},
    {"/weights/0/matrix", "gamma"},
    {"/weights/0/cells/0", {0, 1}},
    {"/weights/0/values", {{0}}},
    {"/set_aside/gains", json::array()},
    {"/batch", json::array()},
    {"/batch/padded", true},
    {"/batch/current", 0},
    {"/batch/sentences", json(65, json::object())},
    {"/batch/sentences/0/text", json::object()},
    {"/batch/sentences/0/gains", json::array()},
    {"/batch/sentences/0/switched_off", {{"weights", json::array()}}},
    {"/batch/sentences/1", "x"},
};

TEST(ModelSessionSchema, DescribesWhatIsWrittenAndNothingThatIsRefused) {
  const std::string python = python_with("jsonschema");
  if (python.empty()) GTEST_SKIP() << "no Python with jsonschema";
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_bytes(folder / (name + ".json"), text));
  };
  const json good = json::parse(kFullModelSession);
  const ModelChoice any{"", true};
  const auto session = read_model_session(good.dump(), any);
  ASSERT_TRUE(session) << session.error().message;
  write("good-full", good.dump());
  write("good-written", write_model_session(session->document, session->weights, session->config));
  int number = 0;
  for (const auto& [place, value] : kRefusedOfModels) {
    json root = good;
    root[json::json_pointer(place)] = value;
    EXPECT_FALSE(read_model_session(root.dump(), any)) << place << " " << value;
    write("bad-" + std::to_string(number++), root.dump());
  }
  EXPECT_EQ(check(python, folder, "model-session.schema.json"), 0);
}

}  // namespace
}  // namespace lab
