// The ways in which a model, or a session of one, reaches a verb.

#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/files/open.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// A session of the model induction with one muted head, and a copy of that model.
class ModelInput : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy(assets_folder() + "/models/induction", model_);
    const std::string lines = folder_.write(
        "lines.jsonl", "{\"layer\":\"1\",\"do\":\"set_head_mix\",\"head\":0,\"scale\":0.5}\n");
    const Outcome outcome = run({"apply", model_, lines, "--text", "a b c a", "-o", session_});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  // The session with one member changed.
  std::string changed(const char* name, const json& pointer_and_value) const {
    json session = json::parse(bytes_of(session_));
    session[json::json_pointer(pointer_and_value[0].get<std::string>())] = pointer_and_value[1];
    return folder_.write(name, session.dump());
  }
  json config() const { return json::parse(bytes_of(model_ + "/config.json")); }

  const TempFolder folder_;
  const std::string model_ = folder_ / "model", session_ = folder_ / "session.json";
};

TEST_F(ModelInput, IsCarriedByTheFiguresThatAreMadeOfIt) {
  const std::string expected = run({"predict", session_, "--mute", "L0H1", "--json"}).out;
  for (const char* ending : {".png", ".svg", ".pdf", ".html", ".webp"}) {
    const std::string figure = folder_ / ("figure" + std::string(ending));
    std::vector<std::string> exported = {"export", session_, "--layer", "1",
                                         "--mute", "L0H1",   "-o",      figure};
    if (ending == std::string(".webp")) exported.push_back("--walk");
    ASSERT_EQ(run(exported).code, 0) << ending;
    const Outcome again = run({"predict", figure, "--json"});
    EXPECT_EQ(again.code, 0) << ending << again.err;
    EXPECT_EQ(again.out, expected) << ending;
  }
  const std::string figure = folder_ / "figure.png";
  EXPECT_EQ(run({"check", figure}).code, 0);
  EXPECT_EQ(run({"explain", figure, "--layer", "1", "--row", "1", "--col", "0"}).code, 0);
  EXPECT_EQ(run({"attribute", figure, "--kind", "lens"}).code, 0);
  EXPECT_EQ(run({"model", figure}).code, 0);
  EXPECT_EQ(
      run({"export", session_, "--layer", "all", "--head", "all", "--bare", "-o", figure}).code, 0);
  EXPECT_EQ(run({"predict", figure}).code, 5);
}

TEST_F(ModelInput, IsExportedHeadByHeadIntoAFolder) {
  const std::string all = folder_ / "all", one = folder_ / "one.csv";
  const Outcome each = run({"export", session_, "--layer", "1", "--each", ".csv", "-o", all});
  EXPECT_EQ(each.code, 0) << each.err;
  ASSERT_EQ(run({"export", session_, "--layer", "1", "--head", "L1H2", "-o", one}).code, 0);
  EXPECT_EQ(bytes_of(all + "/weights-head-3.csv"), bytes_of(one));
}

TEST_F(ModelInput, TakesMutedHeadsAndGainsInSeveralOptions) {
  const Outcome one = run({"predict", session_, "--mute", "L0H1,L1H2", "--json"});
  const Outcome two = run({"predict", session_, "--mute", "L0H1", "--mute", "L1H2", "--json"});
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(two.out, one.out);
  const Outcome gains = run({"predict", session_, "--gain", "L0H1=0.5", "--gain", "L1H2=2"});
  EXPECT_EQ(gains.code, 0) << gains.err;
  EXPECT_EQ(run({"predict", session_, "--gain", "L0H1=0.5,L1H2=2"}).out, gains.out);
}

// Writes NaN over the first weights of a layer of the copied model.
void damage_layer(const std::string& model, const std::string& tensor) {
  const std::string path = model + "/model.safetensors";
  std::string bytes = bytes_of(path);
  const std::size_t header = bytes.find("\"" + tensor + "\"");
  ASSERT_NE(header, bytes.npos);
  const std::size_t offsets = bytes.find("data_offsets", header);
  const std::size_t begin = std::stoul(bytes.substr(bytes.find('[', offsets) + 1));
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.replace(8 + size + begin, 4, "\xFF\xFF\xFF\xFF");
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(ModelInput, SaysInEveryVerbWhichLayerGivesNaN) {
  damage_layer(model_, "transformer.h.1.mlp.c_fc.weight");
  const std::string out = folder_ / "out.npz", figure = folder_ / "out.svg";
  const std::vector<std::vector<std::string>> verbs = {
      {"compute", model_, "-o", out},
      {"check", model_},
      {"export", model_, "--layer", "0", "-o", figure},
      {"explain", model_, "--layer", "0", "--row", "1", "--col", "0"},
      {"predict", model_}};
  for (std::vector<std::string> verb : verbs) {
    verb.insert(verb.end(), {"--text", "a b c a"});
    EXPECT_THAT(run(verb).err, HasSubstr("from layer 1 on")) << verb.front();
  }
}

TEST_F(ModelInput, IsRefusedWhereThereIsNotEnoughMemory) {
  setenv("ATTENTION_LAB_MEMORY", "2K", 1);
  const Outcome outcome = run({"predict", model_, "--text", "a b c a"});
  unsetenv("ATTENTION_LAB_MEMORY");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("of memory"), HasSubstr("shorter")));
  EXPECT_EQ(run({"predict", model_, "--text", "a b c a"}).code, 0);
}

TEST_F(ModelInput, IsReadFromStandardInputByEveryVerb) {
  const std::string text = bytes_of(session_);
  const std::vector<std::vector<std::string>> verbs = {
      {"predict", "-"},
      {"attribute", "-", "--kind", "lens"},
      {"check", "-"},
      {"model", "-"},
      {"compute", "-", "-o", "-"},
      {"tokenize", "-", "--text", "a b"},
      {"explain", "-", "--layer", "0", "--row", "1", "--col", "0"}};
  for (const auto& arguments : verbs) {
    std::vector<std::string> named = arguments;
    named[1] = session_;
    const Outcome piped = run_with_input(arguments, text);
    EXPECT_EQ(piped.code, 0) << arguments[0] << piped.err;
    EXPECT_EQ(piped.out, run(named).out) << arguments[0];
  }
  const Outcome other = run_with_input({"check", "-"}, bytes_of(small_session(folder_)));
  EXPECT_EQ(other.code, 0) << other.err;
}

TEST_F(ModelInput, IsDescribedAndGivesItsTokenizer) {
  EXPECT_EQ(run({"model", session_}).out, run({"model", model_}).out);
  EXPECT_EQ(run({"tokenize", session_, "--text", "a b"}).out,
            run({"tokenize", model_, "--text", "a b"}).out);
  std::filesystem::rename(model_, folder_ / "now");
  EXPECT_EQ(run({"model", session_}).code, 6);
  EXPECT_EQ(run({"model", session_, "--model", folder_ / "now"}).code, 0);
}

TEST_F(ModelInput, ThatIsEmptyOrOfNoTypeIsBadInput) {
  json untyped = json::parse(bytes_of(session_));
  untyped.erase("type");
  const std::pair<std::string, const char*> wrong[] = {
      {folder_.write("empty.json", ""), "the file is empty"},
      {folder_.write("untyped.json", untyped.dump()), "\"type\""},
      {folder_.write("object.json", "{}"), "\"type\""},
      {folder_.write("text.txt", "hello"), "neither a model's folder nor a session of a model"}};
  for (const auto& [path, message] : wrong) {
    const Outcome outcome = run({"predict", path});
    EXPECT_EQ(outcome.code, 5) << path;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
  EXPECT_EQ(run({"predict", "no-such-model", "--text", "a"}).code, 6);
}

TEST_F(ModelInput, ThatIsAFileOfWeightsSaysWhatItIsAndWhatToDo) {
  const std::string weights = bytes_of(std::filesystem::path(model_) / "model.safetensors");
  const std::pair<std::string, const char*> wrong[] = {
      {folder_.write("a.gguf", std::string("GGUF\3\0\0\0", 8)), "a.gguf\""},
      {folder_.write("a.bin", "\x80\2}q"), "save_pretrained"},
      {folder_.write("a.h5", "\x89HDF\r\n"), "save_pretrained"},
      {folder_.write("a.onnx", "\x08\x07\x12"), "ONNX"},
      {folder_.write("alone.safetensors", weights), "config.json"},
      {std::filesystem::path(model_) / "model.safetensors", "give its folder"}};
  for (const auto& [path, message] : wrong) {
    for (const char* verb : {"predict", "model"}) {
      const Outcome outcome = run({verb, path});
      EXPECT_EQ(outcome.code, 5) << path;
      EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr(message)) << verb;
    }
  }
  EXPECT_THAT(run({"tokenize", wrong[0].first, "--text", "a"}).err, HasSubstr("a.gguf"));
}

TEST_F(ModelInput, WithATokenizerInOtherFilesSaysHowToMakeATokenizerJson) {
  const std::filesystem::path inside = model_;
  std::filesystem::rename(inside / "tokenizer.json", inside / "vocab.txt");
  for (const char* verb : {"predict", "tokenize"}) {
    const Outcome outcome = run({verb, model_, "--text", "a"});
    EXPECT_NE(outcome.code, 0) << verb;
    EXPECT_THAT(outcome.err, HasSubstr("vocab.txt")) << verb;
    EXPECT_THAT(outcome.err, HasSubstr("AutoTokenizer.from_pretrained")) << verb;
  }
}

TEST_F(ModelInput, WithAnAnswerThatIsNoNumberSaysWhichLayerItComesFrom) {
  const json cell =
      json::parse(R"([{"layer": "1", "matrix": "W_V", "head": 0, "cells": [[0, 0, "Infinity"]]}])");
  const std::string session = changed("infinite.json", {"/weights", cell});
  for (const auto& arguments :
       {std::vector<std::string>{"predict", session}, {"attribute", session}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 5) << arguments[0];
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("NaN or infinite"), HasSubstr("layer 1")));
  }
}

TEST_F(ModelInput, WithOtherSettingsThanTheSessionWasMadeWithIsNoticed) {
  json settings = config();
  settings["layer_norm_epsilon"] = 0.1;
  folder_.write("model/config.json", settings.dump());
  const Outcome changed = run({"predict", session_});
  EXPECT_EQ(changed.code, 5);
  EXPECT_THAT(changed.err, AllOf(HasSubstr("config.json"), HasSubstr("--changed-model")));
  EXPECT_EQ(run({"predict", session_, "--changed-model"}).code, 0);
  json older = json::parse(bytes_of(session_));
  older["model"].erase("config");
  EXPECT_EQ(run({"predict", folder_.write("older.json", older.dump())}).err, "");
}

TEST_F(ModelInput, WithFewerLayersThanWeightsNamesWhatItDoesNotUse) {
  json settings = config();
  settings["n_layer"] = 1;
  folder_.write("model/config.json", settings.dump());
  const Outcome outcome = run({"predict", model_, "--text", "a b"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("not used"), HasSubstr("h.1.")));
  EXPECT_THAT(run({"model", model_}).err, HasSubstr("not used"));
}

TEST_F(ModelInput, MutedByAnOptionIsMutedInTheSessionThatIsSaved) {
  const std::string none = folder_.write("none.jsonl", ""), muted = folder_ / "muted.json";
  ASSERT_EQ(run({"apply", session_, none, "--mute", "L1H0,L0H1", "-o", muted}).code, 0);
  const json gains = json::parse(bytes_of(muted))["gains"];
  EXPECT_EQ(gains, json::parse(R"([{"head": "L1H0", "mute": true, "gain": 0.5},
                                   {"head": "L0H1", "mute": true, "gain": 1}])"));
  const std::string unmute = folder_.write(
      "unmute.jsonl", "{\"layer\":\"1\",\"do\":\"set_head_mix\",\"head\":0,\"mute\":false}\n");
  ASSERT_EQ(run({"apply", muted, unmute, "-o", muted}).code, 0);
  EXPECT_EQ(json::parse(bytes_of(muted))["gains"].back(),
            json::parse(R"({"head": "L1H0", "gain": 0.5})"));
}

TEST_F(ModelInput, WithAMalformedHashIsRefusedByItsPlace) {
  for (const char* hash :
       {"", "abc", "Z123456789012345678901234567890123456789012345678901234567890123"}) {
    const Outcome outcome = run(
        {"predict", changed("hash.json", {"/model/weights/0/sha256", hash}), "--changed-model"});
    EXPECT_EQ(outcome.code, 5) << hash;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("model.weights[0].sha256"), HasSubstr("64")));
  }
}

TEST(ModelOptions, ThatAreEmptyOrNoNumbersAreNamed) {
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"--mute", ""}, "--mute is empty"},
      {{"--gain", ""}, "--gain is empty"},
      {{"--top", "many"}, "--top is \"many\" but should be a whole number"},
      {{"--top", "99999999999999"}, "--top is \"99999999999999\" but should be a whole number"}};
  for (const auto& [more, message] : wrong) {
    std::vector<std::string> all = {"predict", "words", "--text", "a"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
  EXPECT_THAT(run({"export", "refer", "--dpi", "much", "-o", "x.png"}).err,
              HasSubstr("--dpi is \"much\" but should be a number"));
}

TEST(Predict, NamesTheRowThatPredicts) {
  const Outcome table = run({"predict", "words", "--text", "a small", "--top", "1"});
  EXPECT_THAT(table.out, AllOf(HasSubstr("row"), testing::Not(HasSubstr("position"))));
  const json predicted = json_of({"predict", "words", "--text", "a small", "--json"});
  const json asked =
      json_of({"attribute", "words", "--text", "a small", "--kind", "lens", "--json"});
  EXPECT_EQ(predicted["predictions"][0]["row"], asked["answer"]["row"]);
}

}  // namespace
}  // namespace lab::test
