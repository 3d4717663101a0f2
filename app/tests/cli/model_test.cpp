// The verbs on trained models and on sessions of them.

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/files/open.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kModelLines =
    R"({"layer":"1","do":"set_head_mix","head":0,"mute":true}
# a comment
{"layer":"2","do":"set_cell","matrix":"W_Q","head":3,"row":0,"col":1,"value":0.5}
{"layer":"0","do":"set_override","stage":"weights","head":1,"row":1,"col":0,"value":0.9}
{"layer":"0","do":"set_override","stage":"weights","head":1,"row":2,"col":0,"value":0.25}
)";

// A session of the model words on "a small dog" after kModelLines.
class ModelSessionFile : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome =
        run({"apply", "words", lines_, "--text", "a small dog", "-o", session_});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(outcome.err, "");
  }

  const TempFolder folder_;
  const std::string lines_ = folder_.write("lines.jsonl", kModelLines);
  const std::string session_ = folder_ / "session.json";
};

TEST_F(ModelSessionFile, HoldsTheEditsAndNotTheModel) {
  const std::string text = bytes_of(session_);
  EXPECT_LT(text.size(), 2000U);
  const json session = json::parse(text);
  EXPECT_EQ(session["gains"][0]["head"], "L1H0");
  EXPECT_EQ(session["overrides"].size(), 2U);
  EXPECT_EQ(session["weights"][0]["cells"], json::parse("[[0, 1, 0.5]]"));
}

// The first two lines are what --mute does, but for one weight.
TEST_F(ModelSessionFile, IsComputedLikeTheModelWithTheseEdits) {
  const std::string mute = folder_.write(
      "mute.jsonl", "{\"layer\":\"1\",\"do\":\"set_head_mix\",\"head\":0,\"mute\":true}\n");
  const std::string muted = folder_ / "muted.json";
  ASSERT_EQ(run({"apply", "words", mute, "--text", "a small dog", "-o", muted}).code, 0);
  const Outcome by_session = run({"predict", muted, "--json"});
  const Outcome by_option =
      run({"predict", "words", "--text", "a small dog", "--mute", "L1H0", "--json"});
  EXPECT_EQ(by_session.out, by_option.out);
  EXPECT_NE(by_session.out, run({"predict", session_, "--json"}).out);
  EXPECT_NE(by_session.out, run({"predict", "words", "--text", "a small dog", "--json"}).out);
}

TEST_F(ModelSessionFile, IsAnInputOfEveryVerbThatTakesAModel) {
  const std::vector<std::vector<std::string>> verbs = {
      {"compute", session_, "-o", folder_ / "all.npz"},
      {"compute", session_, "--layer", "0", "-o", folder_ / "layer.npz"},
      {"export", session_, "--layer", "0", "--head", "1", "-o", folder_ / "weights.csv"},
      {"explain", session_, "--layer", "0", "--head", "1", "--row", "1", "--col", "0"},
      {"predict", session_},
      {"check", session_},
      {"attribute", session_},
      {"convert", session_, "--layer", "2", "-o", folder_ / "alone.json"}};
  for (const auto& arguments : verbs) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments[0] << ": " << outcome.err;
    EXPECT_EQ(outcome.err, "") << arguments[0];
  }
  EXPECT_THAT(bytes_of(folder_ / "weights.csv"), HasSubstr("0.9"));
  EXPECT_THAT(run(verbs[3]).out, AllOf(HasSubstr("0.9"), HasSubstr("put there by hand")));
}

TEST_F(ModelSessionFile, ReadsAnotherTextWhenOneIsGiven) {
  const Outcome outcome = run({"predict", session_, "--text", "a dog", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("Detached with “·small”: override L"));
  EXPECT_EQ(json::parse(outcome.out)["input_ids"].size(), 2U);
}

TEST_F(ModelSessionFile, IsEditedFurther) {
  const std::string more = folder_.write("more.jsonl", R"({"do":"set_sentence","text":"a dog"}
{"do":"undo"}
{"do":"redo"}
{"do":"set_head_mix","head":0,"mute":false}
)");
  const Outcome outcome = run({"apply", session_, more, "--layer", "1", "-o", session_});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("Detached"));
  const json session = json::parse(bytes_of(session_));
  EXPECT_EQ(session["text"]["typed"], "a dog");
  EXPECT_EQ(session["layer"], "1");
  EXPECT_FALSE(session.contains("gains"));
  EXPECT_EQ(session["overrides"].size(), 1U);
  EXPECT_EQ(session["set_aside"]["overrides"].size(), 1U);
}

TEST_F(ModelSessionFile, RecordsLinesThatApplyReads) {
  const std::string record = folder_ / "record.jsonl", again = folder_ / "again.json";
  ASSERT_EQ(run({"apply", "words", lines_, "--text", "a small dog", "-o", folder_ / "first.json",
                 "--record", record})
                .code,
            0);
  ASSERT_EQ(run({"apply", "words", record, "--text", "a small dog", "-o", again}).code, 0);
  EXPECT_EQ(bytes_of(again), bytes_of(session_));
}

TEST_F(ModelSessionFile, FailsAtTheLineThatCannotBeApplied) {
  const std::string bad = folder_.write(
      "bad.jsonl", std::string(kModelLines) +
                       R"({"layer":"1","do":"set_head_mix","head":4,"mute":true})" + "\n");
  const Outcome outcome = run({"apply", "words", bad, "--text", "a", "-o", folder_ / "none.json"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
  const Outcome other =
      run({"apply", "words", bad, "--text", "a small dog", "-o", folder_ / "none.json"});
  EXPECT_THAT(other.err, HasSubstr("line 6: there is no head 4 in layer 1"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.json"));
}

TEST_F(ModelSessionFile, FailsAtATextThatIsTooLong) {
  std::string letters;
  for (int i = 0; i < 200; ++i) letters += "a ";
  const std::string lines =
      folder_.write("long.jsonl", "\n{\"do\":\"set_sentence\",\"text\":\"" + letters + "\"}\n");
  const Outcome outcome =
      run({"apply", "words", lines, "--text", "a", "-o", folder_ / "none.json"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("line 2: "), HasSubstr("positions")));
}

TEST_F(ModelSessionFile, IsRefusedByVerbsThatTakeSessions) {
  const Outcome outcome = run({"import", session_, lines_, "-o", folder_ / "x.json"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("a session of a trained model"));
}

// Colours of a difference have their own range, so an empty one shows as such.
TEST_F(ModelSessionFile, IsDrawnAgainstItsModel) {
  const auto drawn = [&](const std::string& other) {
    const std::string out = folder_ / "against.svg";
    const Outcome outcome = run({"export", session_, "--text", "a small dog", "--layer", "0",
                                 "--head", "1", "--against", other, "-o", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return bytes_of(out);
  };
  EXPECT_NE(drawn("words"), drawn(session_));
}

TEST(ModelVerbs, TellAMovedAndAChangedModel) {
  const TempFolder folder;
  const std::filesystem::path place = folder.path() / "place";
  std::filesystem::copy(assets_folder() + "/models/induction", place);
  const std::string lines = folder.write("lines.jsonl", "");
  const std::string session = folder / "session.json";
  ASSERT_EQ(run({"apply", place.string(), lines, "--text", "a b", "-o", session}).code, 0);
  std::filesystem::rename(place, folder.path() / "now");
  const Outcome moved = run({"predict", session});
  EXPECT_EQ(moved.code, 6);
  EXPECT_TRUE(is_one_message(moved.err));
  EXPECT_THAT(moved.err, AllOf(HasSubstr("place"), HasSubstr("--model DIR")));
  EXPECT_EQ(run({"predict", session, "--model", folder / "now"}).code, 0);
  const Outcome changed = run({"predict", session, "--model", "words"});
  EXPECT_EQ(changed.code, 5);
  EXPECT_THAT(changed.err, HasSubstr("--changed-model"));
  const Outcome anyway = run({"predict", session, "--model", "words", "--changed-model"});
  EXPECT_EQ(anyway.code, 0);
  EXPECT_THAT(anyway.err, HasSubstr("not those that the session was made with"));
}

TEST(ModelVerbs, AWrongUseIsNamed) {
  const TempFolder folder;
  const std::string lines = folder.write("lines.jsonl", "");
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"check", "words"}, "--text or --ids is missing"},
      {{"check", "refer", "--text", "a"}, "is no model"},
      {{"convert", "words", "--text", "a", "-o", folder / "x.json"}, "--layer is missing"},
      {{"convert", "refer", "--text", "a", "-o", folder / "x.json"}, "is no model"},
      {{"apply", "refer", lines, "--text", "a", "-o", folder / "x.json"}, "is no model"},
      {{"apply", "words", lines, "--text", "a", "--layer", "9", "-o", folder / "x.json"},
       "no such layer"},
      {{"check", "words", "--text", "a", "--layer", "9"}, "no such layer"},
      {{"predict", "words", "--text", "a", "--model", "words"}, "is a model itself"},
      {{"predict", "words", "--text", "a", "--ids", "1"}, "given as text and as ids"},
      {{"attribute", "words", "--text", "a", "--kind", "rhyme"}, "should be summary, lens"},
      {{"attribute", "words", "--text", "a", "--answer", "no such token"}, "--answer"},
      {{"attribute", "words", "--text", "a", "--answer-id", "4000000"}, "--answer-id"},
      {{"attribute", "words", "--text", "a", "--row", "9"}, "--row"},
      {{"attribute", "words", "--text", "a", "--kind", "labels"}, "leave out --text"},
      {{"attribute", "words", "--text", "a", "--kind", "rollout", "--row", "0"}, "leave out"},
      {{"attribute", "words", "--text", "a", "--answer", "dog", "--answer-id", "1"}, "together"}};
  for (const auto& [arguments, message] : wrong) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(arguments);
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
}

TEST(ModelCheck, FindsEveryLayerRight) {
  const Outcome words = run({"check", "words", "--text", "a small dog"});
  EXPECT_EQ(words.code, 0);
  EXPECT_EQ(std::ranges::count(words.out, '\n'), 5);
  EXPECT_THAT(words.out, Not(HasSubstr("FAILED")));
  const Outcome t5 = run({"check", small_model("t5"), "--ids", "1,2,3", "--decoder-ids", "3,4"});
  EXPECT_EQ(t5.code, 0) << t5.out;
  for (const char* layer : {"ok  0 ", "ok  cross.0 ", "ok  encoder.0 ", "ok  encoder.1 "})
    EXPECT_THAT(t5.out, HasSubstr(layer));
  const Outcome one = run({"check", "words", "--text", "a small dog", "--layer", "2"});
  EXPECT_EQ(std::ranges::count(one.out, '\n'), 2);
}

// Infinity · 0 is no number, and no sum of it is right.
TEST(ModelCheck, FindsWhatIsWrong) {
  const TempFolder folder;
  const std::string session = folder / "session.json";
  ASSERT_EQ(
      run({"apply", "words", folder.write("none.jsonl", ""), "--text", "a small", "-o", session})
          .code,
      0);
  json edited = json::parse(bytes_of(session));
  edited["weights"] =
      json::parse(R"([{"layer": "1", "matrix": "W_Q", "head": 0, "cells": [[0, 0, "Infinity"]]}])");
  const Outcome outcome = run({"check", folder.write("bad.json", edited.dump())});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("ok      0"), HasSubstr("FAILED  1")));
  EXPECT_THAT(outcome.err, HasSubstr("layers failed a check"));
}

TEST(ModelConvert, GivesALayerWithTheWeightsOfTheModel) {
  const TempFolder folder;
  const std::string layer = folder / "layer.json", tensors = folder / "layer.safetensors";
  const std::string words = "a small dog and a small cat";
  for (const std::string& out : {layer, tensors}) {
    ASSERT_EQ(run({"convert", "words", "--text", words, "--layer", "1", "-o", out}).code, 0);
    const std::string alone = folder / "alone.npz", within = folder / "within.npz";
    ASSERT_EQ(run({"compute", out, "-o", alone}).code, 0);
    ASSERT_EQ(run({"compute", "words", "--text", words, "--layer", "1", "-o", within}).code, 0);
    expect_same_tensors(*read_npz(bytes_of(alone)), *read_npz(bytes_of(within)), 1e-6);
  }
}

TEST(ModelConvert, KeepsRotaryPositionsThatHaveABase) {
  const TempFolder folder;
  json config = json::parse(bytes_of(small_model("llama/config.json")));
  config["rope_parameters"]["rope_theta"] = 300.0;
  folder.write("config.json", config.dump());
  folder.write("model.safetensors", bytes_of(small_model("llama/model.safetensors")));
  const std::vector<std::string> layer = {folder / "", "--ids", "1,2,3,4,5", "--layer", "1"};
  const auto run_on = [&](const char* verb, const std::string& out) {
    std::vector<std::string> all = {verb, "-o", out};
    all.insert(all.end(), layer.begin(), layer.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
  };
  run_on("convert", folder / "layer.json");
  run_on("compute", folder / "within.npz");
  ASSERT_EQ(run({"compute", folder / "layer.json", "-o", folder / "alone.npz"}).code, 0);
  expect_same_tensors(*read_npz(bytes_of(folder / "alone.npz")),
                      *read_npz(bytes_of(folder / "within.npz")), 1e-5);
}

TEST(ModelConvert, TellsWhatItLoses) {
  const TempFolder folder;
  const auto note = [&](const char* model, const std::string& layer) {
    return run({"convert", small_model(model), "--ids", "1,2,3,4", "--layer", layer, "-o",
                folder / "layer.json"})
        .err;
  };
  EXPECT_EQ(note("llama", "1"), "");
  EXPECT_THAT(note("gpt-neox", "0"), HasSubstr("frequencies of its rotary positions"));
  EXPECT_THAT(note("llama-yarn", "0"), HasSubstr("frequencies of its rotary positions"));
  EXPECT_THAT(note("t5", "encoder.0"), HasSubstr("bias of distances"));
}

}  // namespace
}  // namespace lab::test
