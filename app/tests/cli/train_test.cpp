// The verb that trains a small network.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/files/training/saved_run.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;

class TrainVerb : public testing::Test {
 protected:
  Outcome train(std::vector<std::string> options) const {
    options.insert(options.begin(), "train");
    for (const char* one : {"--threads", "1"}) options.emplace_back(one);
    return run(options);
  }
  static std::vector<std::string> with_sizes(std::vector<std::string> options) {
    options.insert(options.end(), {"--d-model", "16", "--heads", "2", "--length", "12",
                                   "--longest-period", "8", "--batch", "4"});
    return options;
  }
  files::OpenedRun opened() const {
    auto result = files::open_saved_run(out_);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  }

  const TempFolder folder_;
  const std::string out_ = folder_ / "repeat";
};

TEST_F(TrainVerb, WritesAModelThatEveryVerbOpens) {
  const Outcome outcome = train(with_sizes({"repeat", "--steps", "20", "-o", out_}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("step 20, loss "), HasSubstr("of what can be known ")));
  EXPECT_TRUE(is_one_message(outcome.err));
  const nlohmann::json answer = json_of({"predict", out_, "--text", "h c m f h", "--json"});
  EXPECT_EQ(answer["input_ids"], nlohmann::json({7, 2, 12, 5, 7}));
  EXPECT_EQ(answer["predictions"][0]["top"].size(), 10u);
  EXPECT_EQ(run({"check", out_, "--text", "h c m f h"}).code, 0);
  EXPECT_THAT(run({"predict", out_, "--text", "h é c 7"}).err, HasSubstr("left out: “é”, “7”"));
  EXPECT_THAT(run({"predict", out_, "--text", "é7"}).err, HasSubstr("no token for “é”, “7”"));
  const std::string edits = folder_ / "edits.jsonl";
  std::ofstream(edits) << R"({"do":"set_sentence","text":"h é c"})";
  EXPECT_THAT(run({"apply", out_, edits, "--text", "h c", "-o", folder_ / "s.json"}).err,
              HasSubstr("left out: “é”"));
}

TEST_F(TrainVerb, GoesOnWithARunAsIfItHadNotStopped) {
  const std::string whole = folder_ / "whole";
  ASSERT_EQ(train(with_sizes({"sort", "--steps", "30", "-o", whole})).code, 0);
  ASSERT_EQ(train(with_sizes({"sort", "--steps", "18", "-o", out_})).code, 0);
  ASSERT_EQ(train({"--continue", out_, "--steps", "12"}).code, 0);
  EXPECT_EQ(bytes_of(out_ + "/model.safetensors"), bytes_of(whole + "/model.safetensors"));
  EXPECT_EQ(opened().run.history.curve().size(), 30u);
  ASSERT_EQ(train({"--continue", out_, "--steps", "2", "--learning-rate", "0.01"}).code, 0);
  EXPECT_EQ(opened().run.edits.size(), 1u);
  EXPECT_EQ(opened().run.history.states().back()->learning_rate, 0.01f);
}

TEST_F(TrainVerb, WritesOverNothingWithoutAWord) {
  ASSERT_EQ(train(with_sizes({"repeat", "--steps", "2", "-o", out_})).code, 0);
  const std::string before = bytes_of(out_ + "/model.safetensors");
  const Outcome again = train(with_sizes({"repeat", "--steps", "3", "-o", out_}));
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("--continue goes on with it"));
  EXPECT_EQ(bytes_of(out_ + "/model.safetensors"), before);
  EXPECT_EQ(train(with_sizes({"repeat", "--steps", "3", "-o", out_, "--replace"})).code, 0);
  EXPECT_NE(bytes_of(out_ + "/model.safetensors"), before);
  std::filesystem::remove(out_ + "/run.json");
  EXPECT_THAT(train(with_sizes({"repeat", "-o", out_})).err, HasSubstr("holds another model"));
}

TEST_F(TrainVerb, SaysWhatIsWrongWithItsOptions) {
  const auto complaint = [&](const std::vector<std::string>& options, int code) {
    const Outcome outcome = train(options);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out_));
    return outcome.err;
  };
  EXPECT_THAT(complaint({"chess", "-o", out_}, 2), HasSubstr("there are repeat, previous"));
  EXPECT_THAT(complaint({"repeat", "-o", out_, "--heads", "9"}, 2),
              HasSubstr("the number of heads is 9, it must be 1 … 8"));
  EXPECT_THAT(complaint({"repeat", "-o", out_, "--steps", "-5"}, 2),
              HasSubstr("--steps is -5 but should be a whole number from 0"));
  for (const char* seed : {"-1", "1.5", "18446744073709551616", "seven"})
    EXPECT_THAT(complaint({"repeat", "--seed", seed, "-o", out_}, 2),
                HasSubstr("--seed is \"" + std::string(seed) + "\" but should be a whole number"));
  EXPECT_THAT(complaint({"repeat"}, 2), HasSubstr("-o FOLDER is missing"));
  EXPECT_THAT(complaint({"-o", out_}, 2), HasSubstr("name a task"));
  EXPECT_THAT(complaint({"repeat", "-o", out_, "--positions", "none"}, 2),
              HasSubstr("learned or rotary"));
  EXPECT_THAT(complaint({"text", "-o", out_, "--text", "too short"}, 5),
              HasSubstr("the text has 2 words, training on sequences of 24 needs at least 25"));
  EXPECT_THAT(complaint({"text", "-o", out_, "--text-file", folder_ / "none.txt"}, 6),
              HasSubstr("none.txt"));
  EXPECT_THAT(complaint({"--continue", out_}, 6), HasSubstr("there is no run.json"));
  EXPECT_THAT(complaint({"--continue", out_, "--heads", "2"}, 2),
              HasSubstr("--heads cannot be changed"));
}

TEST_F(TrainVerb, MakesItsFolderButNotTheFoldersAround) {
  const std::string lost = folder_ / "nowhere/a";
  const Outcome outcome = train(with_sizes({"repeat", "--steps", "1", "-o", lost}));
  EXPECT_EQ(outcome.code, 6);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "nowhere"));
  EXPECT_EQ(train(with_sizes({"repeat", "--steps", "1", "-o", out_ + "/"})).code, 0);
}

TEST_F(TrainVerb, SavesTheLastGoodStepWhenItDiverges) {
  const Outcome outcome =
      train(with_sizes({"repeat", "--steps", "50", "--learning-rate", "1e20", "-o", out_}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("diverged; the last good step, step "));
  EXPECT_TRUE(opened().run.history.states().back()->parameters.allFinite());
  EXPECT_EQ(json_of({"predict", out_, "--text", "h c", "--json"})["input_ids"].size(), 2u);
}

// Starts `steps` steps in a process of its own, sends it `signal` once it has saved, and waits.
int end_training_by(int signal, const std::string& out) {
  const pid_t child = fork();
  if (child == 0) {
    execl(ATTENTION_LAB_HEADLESS, ATTENTION_LAB_HEADLESS, "train", "repeat", "--steps", "10000000",
          "--d-model", "16", "--heads", "2", "--threads", "1", "-o", out.c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 1000 && !std::filesystem::exists(out + "/config.json"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(TrainVerb, SavesTheLastStepAtCtrlC) {
  const int status = end_training_by(SIGINT, out_);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const files::OpenedRun found = opened();
  EXPECT_GT(found.run.history.states().back()->step, 0u);
  EXPECT_EQ(found.run.history.curve().back().step, found.run.history.states().back()->step);
}

TEST_F(TrainVerb, GoesOnAfterItWasKilled) {
  const int status = end_training_by(SIGKILL, out_);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(train({"--continue", out_, "--steps", "3"}).code, 0);
  EXPECT_GE(opened().run.history.states().back()->step, 3u);
}

}  // namespace
}  // namespace lab::test
